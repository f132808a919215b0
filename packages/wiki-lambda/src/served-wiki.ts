import type { OpenedWiki } from '@pagetree/wiki';
import { aroundEach, operations, type Wiki, WikiError } from '@pagetree/wiki/contract';

/** The wiki of an environment, opened once. */
export interface ServedWiki {
  wiki: Wiki;
  /** Resolves when it is open. Rejects with the reason if it cannot be opened; the next call tries again. */
  opened(): Promise<OpenedWiki>;
}

/** Begins to open at once. If that fails, the calls answer with the error, and the next one tries again. */
export function serveWiki(open: () => Promise<OpenedWiki>): ServedWiki {
  let opening: Promise<OpenedWiki> | null = null;
  const opened = () => {
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  // The calls report it.
  opened().catch(() => {});
  return {
    wiki: aroundEach(
      async () => (await opened()).wiki,
      (_, run) => run(),
    ),
    opened,
  };
}

/** Refuses writes before anything is tried: the role of a reader's function cannot write anywhere. */
export function refuseWrites(wiki: Wiki, functionName: string): Wiki {
  return aroundEach(
    async () => wiki,
    async (operation, run) => {
      if (operations[operation].effect === 'read') return run();
      throw new WikiError('forbidden', {
        happened: `You may read this wiki, not change it: ${functionName} is the function for readers.`,
        now: 'Nothing was changed. Pages can still be read.',
        next: 'Ask the person who runs the wiki on AWS to attach the policy for writers to you, and to give you the function for writers as PAGETREE_FUNCTION.',
      });
    },
  );
}

/** Answers every call with the faults of the set-up. */
export function misconfigured(problems: readonly string[]): Wiki {
  return aroundEach(
    async () => {
      throw new WikiError('backend_unavailable', {
        happened: `The wiki's function is set up wrongly. ${problems.join(' ')}`,
        now: 'Nothing was read or changed.',
        next: "Tell the person who runs the wiki on AWS to correct the function's environment variables.",
      });
    },
    (_, run) => run(),
  );
}
