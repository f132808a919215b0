import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Person } from '@pagetree/access/rights';
import { type FunctionUrl, serveFunctionUrl } from '../../../../labs/lambda-lab/function-url.ts';
import {
  type LambdaLab,
  type LambdaLabOptions,
  startLambdaLab,
} from '../../../../labs/lambda-lab/lambda-lab.ts';
import type { Bundled } from '../../../../third-party.ts';
import { buildFunction, functionDirectory } from '../../../wiki-lambda/build.ts';
import { buildWebFunction } from '../../build.ts';
import { loginCookies } from '../../src/login/cookies.ts';
import { Sealer } from '../../src/login/sealer.ts';
import { EndedInMemory, Sessions } from '../../src/login/sessions.ts';
import { storeRules } from '../../src/records/stored-rules.ts';
import { CLIENT } from '../login/own-issuer.ts';
import { accessOf } from '../login/team.ts';
import { type AwsOfTeam, type StartEndpoint, standIn, startAwsOfTeam } from './aws-of-team.ts';

/** The function that shows pages, behind a Function URL, and the wiki's function for people, which it invokes. */
export interface WebLab extends Pick<FunctionUrl, 'origin' | 'host'> {
  web: LambdaLab;
  wiki: LambdaLab;
  aws: AwsOfTeam;
  /** The code that each function loads at its start. */
  loaded: Record<'web' | 'wiki', Bundled[]>;
  /** The header of a session of a person who has logged in. */
  cookieOf(person?: Partial<Person>): Promise<string>;
  stop(): Promise<void>;
}

export interface WebLabOptions {
  /** The directory of wikis. */
  directory: string;
  /** The rules about who may do what; by default everybody may write everywhere. */
  rules?: unknown;
  /** The issuer at which people log in. Without it nobody can, but by `cookieOf`. */
  issuer?: string;
  /** The origin in the browser; by default that of the Function URL, which has no TLS here. Null: the function gets none. */
  origin?: string | null;
  /** The services of AWS beside Lambda; by default a stand-in. */
  endpoint?: StartEndpoint;
  /** Beside those that the function needs. */
  variables?: Record<string, string>;
  /** Options of the lab of either function. */
  ofWeb?: Partial<LambdaLabOptions>;
  ofWiki?: Partial<LambdaLabOptions>;
}

const EVERYBODY = [{ everyone: true, wikis: ['*'], may: 'write' }];

export async function startWebLab(options: WebLabOptions): Promise<WebLab> {
  const { directory, rules = EVERYBODY, variables = {}, ofWeb = {}, ofWiki = {} } = options;
  const issuer = options.issuer ?? 'https://issuer.invalid';
  const code = await mkdtemp(join(tmpdir(), 'web-function-'));
  const begun: (() => unknown)[] = [() => rm(code, { recursive: true })];
  const stop = async () => {
    for (const end of begun.reverse()) await end();
  };
  try {
    const [ofWikiFunction, ofWebFunction] = await Promise.all([buildFunction(), buildWebFunction(code)]);
    const loaded = { web: ofWebFunction, wiki: ofWikiFunction };
    const aws = await startAwsOfTeam(options.endpoint ?? standIn, CLIENT.secret);
    begun.push(() => aws.stop());
    await storeRules(aws.records, accessOf(rules));
    const wiki = await startLambdaLab({
      code: functionDirectory,
      variables: { PAGETREE_DIR: directory, PAGETREE_GRANT_KEY: aws.grantKey },
      ...ofWiki,
    });
    begun.push(() => wiki.stop());
    const url = await serveFunctionUrl((host) => {
      const origin = options.origin === undefined ? `http://${host}` : options.origin;
      return startLambdaLab({
        code,
        variables: {
          ...aws.variables,
          AWS_ENDPOINT_URL_LAMBDA: wiki.endpoint,
          PAGETREE_FUNCTION: wiki.functionArn,
          PAGETREE_ISSUER: issuer,
          PAGETREE_CLIENT_ID: CLIENT.id,
          ...(origin !== null && { PAGETREE_ORIGIN: origin }),
          ...variables,
        },
        ...ofWeb,
      });
    });
    begun.push(
      () => url.opened.stop(),
      () => url.close(),
    );
    const origin = options.origin ?? `${options.origin === null ? 'https' : 'http'}://${url.host}`;
    const cookieOf = (person = {}) => sessionCookie(origin, aws.cookieKey, { ...ADA, issuer, ...person });
    return { origin: url.origin, host: url.host, web: url.opened, wiki, aws, loaded, cookieOf, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const ADA = { subject: 'ada', email: 'ada@example.org', name: 'Ada Lovelace', groups: [] };

async function sessionCookie(origin: string, key: Uint8Array, person: Person): Promise<string> {
  const sessions = new Sessions(
    new Sealer(key, Date.now, person.issuer),
    new EndedInMemory(Date.now),
    Date.now,
  );
  return `${loginCookies(origin).session}=${await sessions.seal(sessions.begin(person))}`;
}
