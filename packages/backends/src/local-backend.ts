import type { OpenedWiki } from '@pagetree/wiki';
import { aroundEach, type Wiki } from '@pagetree/wiki/contract';
import type { Backend, BackendOptions, Versions } from './backend.ts';
import type { WikiPlace } from './config.ts';
import type { EmbeddingsConfig } from './embeddings/config.ts';

/** The wikis in a directory of this machine. If opening fails, the next call tries again. */
export function openLocalBackend(config: WikiPlace, versions: Versions, options: BackendOptions): Backend {
  let opening: Promise<OpenedWiki> | null = null;
  const opened = (): Promise<OpenedWiki> => {
    opening ??= open(config, versions, options).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  // Started now, so that the first call finds it open. The calls report failures.
  opened().catch(() => {});
  const underWay = new Set<Promise<unknown>>();
  return {
    wiki: wikiOnceOpen(opened, underWay),
    place: config.directory,
    // A change is reported within two seconds.
    isRemote: false,
    watchEveryMs: 1_000,
    close: async () => {
      // A cancelled call removes its temporary files, although no caller waits for its answer.
      await Promise.allSettled(underWay);
      await (await opening)?.close();
    },
  };
}

/** Loaded late: the list of tools needs only the contract. */
async function open(
  { directory, wiki, embeddings }: WikiPlace,
  versions: Versions,
  { makes }: BackendOptions,
): Promise<OpenedWiki> {
  const { openWiki } = await import('@pagetree/wiki');
  const host = { backend: 'local', versions, problems: [], syncWaitMs: SYNC_WAIT_MS };
  const embedder = embeddings === null ? undefined : await openEmbedder(embeddings);
  return openWiki({ directory, wiki, makes, placement: 'local', embedder, host });
}

async function openEmbedder(config: EmbeddingsConfig) {
  const { openAiEmbedder } = await import('./embeddings/openai-embedder.ts');
  return openAiEmbedder(config);
}

/** Servers sync in the background. A client waits for at most a minute. */
const SYNC_WAIT_MS = 10_000;

/** `underWay` always contains the calls that have not ended. */
function wikiOnceOpen(opened: () => Promise<OpenedWiki>, underWay: Set<Promise<unknown>>): Wiki {
  return aroundEach(
    async () => (await opened()).wiki,
    async (_, run) => {
      const running = run();
      underWay.add(running);
      try {
        return await running;
      } finally {
        underWay.delete(running);
      }
    },
  );
}
