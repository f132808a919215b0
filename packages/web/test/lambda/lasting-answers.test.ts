import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Person } from '@pagetree/access/rights';
import type { LambdaBackend } from '@pagetree/backends/lambda-backend';
import { wikiOf } from '@pagetree/wiki/contract';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { KnownPeople } from '../../src/clients/known-people.ts';
import { PersonalTokens } from '../../src/clients/personal-tokens.ts';
import { createHandler } from '../../src/lambda/handler.ts';
import { openParameters } from '../../src/lambda/parameters.ts';
import { openTeamSites } from '../../src/lambda/team-sites.ts';
import { storeRules } from '../../src/records/stored-rules.ts';
import { createSharedParts } from '../../src/site/site.ts';
import { accessOf } from '../login/team.ts';
import { standIn, startAwsOfTeam } from './aws-of-team.ts';

beforeEach(() => {
  vi.stubGlobal('awslambda', {
    streamifyResponse: (handle: unknown) => handle,
    HttpResponseStream: { from: (stream: unknown) => stream },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

const HOST = 'x.lambda-url.us-east-2.on.aws';
const ISSUER = 'https://issuer.example';
const ADA: Person = { issuer: ISSUER, subject: 'ada', email: 'ada@example.org', name: 'Ada', groups: [] };
const RULES = [{ people: ['ada@example.org'], wikis: ['main'], may: 'write' }];

/** One environment, of whose wiki each call lasts until it is given up. */
async function openEnvironment() {
  const aws = await startAwsOfTeam(standIn, 'secret');
  onTestFinished(() => aws.stop());
  for (const [name, value] of Object.entries({ ...aws.variables, AWS_REGION: 'us-east-1' }))
    vi.stubEnv(name, value);
  await storeRules(aws.records, accessOf(RULES));
  const people = new KnownPeople(aws.records, ISSUER, Date.now);
  await people.remember(ADA);
  const tokens = new PersonalTokens(aws.records, people, Date.now);
  const untilMs = Date.now() + 3_600_000;
  const made = await tokens.make(ADA, { name: 'x', given: { may: 'write', wikis: null }, untilMs });
  const begun = Promise.withResolvers<AbortSignal | undefined>();
  const wiki = wikiOf((_, __, { signal }) => {
    begun.resolve(signal);
    return new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
    );
  });
  const backend: LambdaBackend = {
    ...{ wiki, sealedWith: () => wiki, isRemote: true, place: '', watchEveryMs: 1_000 },
    close: async () => {},
    start: async () => {},
  };
  const parameters = { keys: '/pagetree/lab/web/keys', clientSecret: null };
  const { siteAt } = openTeamSites({
    config: {
      ...{ aws: { function: 'x' }, wiki: null, origin: null, issuer: ISSUER, clientId: 'x' },
      parameters,
      records: aws.variables.PAGETREE_RECORDS ?? '',
    },
    wiki: {
      backend,
      parameters: openParameters(parameters),
      keys: async () => ({ sign: async (request) => ({ ...request, grant: '' }), session: aws.cookieKey }),
      started: Promise.resolve(),
    },
    audit: () => {},
    shared: createSharedParts({}),
    pages: {
      ...{ stylesheet: '', script: '', editor: '', build: 'b', log: () => {} },
      graph: { digest: '', text: () => '' },
      diagrams: { digest: '', scripts: '', html: () => '' },
      notices: () => '',
    },
    now: Date.now,
  });
  const handler = createHandler({ siteAt, origin: null, log: () => {} });
  const message = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'read_page', arguments: { path: 'Tea' } },
  };
  const event = {
    ...{ version: '2.0', rawPath: '/mcp', rawQueryString: '' },
    headers: {
      ...{ host: HOST, authorization: `Bearer ${made?.secret}`, 'content-type': 'application/json' },
      accept: 'application/json, text/event-stream',
    },
    requestContext: { domainName: HOST, http: { method: 'POST' } },
    body: JSON.stringify(message),
  };
  const answer = new PassThrough();
  const answered = Promise.allSettled([text(answer), handler(event, answer, {})]);
  const signal = await begun.promise;
  return { aws, tokens, id: made?.id ?? '', signal, answered };
}

test('a call that lasts is given up when its token is revoked', async () => {
  const { tokens, id, signal, answered } = await openEnvironment();
  await tokens.revoke(ADA, id);
  await expect.poll(() => signal?.aborted).toBe(true);
  await answered;
});

test('a call that lasts is given up when its person loses a right', async () => {
  const { aws, signal, answered } = await openEnvironment();
  await storeRules(aws.records, accessOf([]));
  await expect.poll(() => signal?.aborted).toBe(true);
  await answered;
});
