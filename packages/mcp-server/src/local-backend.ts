import type { OpenedWiki } from '@pagetree/wiki';
import { type Call, operationNames, type Wiki } from '@pagetree/wiki/contract';
import type { Backend, BackendOptions, Versions } from './backend.ts';
import type { Config } from './config.ts';

/** The wikis in a directory of this machine. What fails to open is tried again by the next call. */
export function openLocalBackend(config: Config, versions: Versions, options: BackendOptions): Backend {
  let opening: Promise<OpenedWiki> | null = null;
  const opened = (): Promise<OpenedWiki> => {
    opening ??= open(config, versions, options).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  // Begun now, so that the first call finds it open. What fails is told by the calls.
  opened().catch(() => {});
  return {
    wiki: wikiOnceOpen(opened),
    place: config.directory,
    // A change is told within two seconds.
    watchEveryMs: 1_000,
    close: async () => (await opening)?.close(),
  };
}

/** Loaded late: the list of tools needs the contract only. */
async function open(
  { directory, wiki }: Config,
  versions: Versions,
  { makesDefaultWiki }: BackendOptions,
): Promise<OpenedWiki> {
  const { openWiki } = await import('@pagetree/wiki');
  const host = { backend: 'local', versions, problems: [] };
  return openWiki({ directory, wiki, makesDefaultWiki, placement: 'local', host });
}

function wikiOnceOpen(opened: () => Promise<OpenedWiki>): Wiki {
  const methods = operationNames.map((name) => [
    name,
    async (input: unknown, call: Call) => {
      const { wiki } = await opened();
      const method = wiki[name] as (input: unknown, call: Call) => Promise<unknown>;
      return method(input, call);
    },
  ]);
  return Object.fromEntries(methods) as Wiki;
}
