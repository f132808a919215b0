import { setTimeout as wait } from 'node:timers/promises';
import { openSigner, type SignGrant } from '@pagetree/access/sign-grant';
import { type LambdaBackend, openAwsBackend } from '@pagetree/backends/lambda-backend';
import { openedOnce } from '../site/opened-once.ts';
import { type Config, readConfig } from './config.ts';
import { openParameters, type Parameters } from './parameters.ts';

/** The wiki's function as an environment of the pages' function calls it. */
export interface StartedWiki {
  backend: LambdaBackend;
  parameters: Parameters;
  /** Reads the keys once. If that fails, the next call tries again. */
  keys(): Promise<OpenedKeys>;
  /** Resolves when an environment of the wiki's function has answered, or when that takes too long. */
  started: Promise<unknown>;
}

export interface OpenedKeys {
  sign: SignGrant;
  /** The key of the cookies. */
  session: Uint8Array;
}

export type ConfiguredWiki =
  | { kind: 'started'; config: Config; wiki: StartedWiki }
  /** Each fault of the set-up is a sentence. */
  | { kind: 'problems'; problems: string[] };

/** Starts the wiki that the environment variables name. Never throws. */
export function startConfiguredWiki(now: () => number): ConfiguredWiki {
  const read = readConfig();
  return read.kind === 'problems'
    ? read
    : { kind: 'started', config: read.config, wiki: startWiki(read.config, now) };
}

/**
 * Starts an environment of the wiki's function, and reads the keys, with the least code for it: the rest of the pages' function
 * loads meanwhile. Wait for `started` before the first page: its own call would start one more environment. `now` is in
 * milliseconds since 1970.
 */
function startWiki(config: Config, now: () => number): StartedWiki {
  const backend = openAwsBackend(config.aws, config.wiki);
  // The first call for a person reports what is wrong.
  const answered = backend.start().catch(() => {});
  const parameters = openParameters(config.parameters);
  const keys = openedOnce(async (): Promise<OpenedKeys> => {
    const { session, grants } = await parameters.keys();
    return { sign: await openSigner(grants, now), session };
  });
  keys().catch(() => {});
  return {
    ...{ backend, parameters, keys },
    started: Promise.race([answered, wait(MAX_START_MS, undefined, { ref: false })]),
  };
}

/** Lambda gives a start 10 s. */
const MAX_START_MS = 5_000;
