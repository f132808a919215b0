import type { Caller, OperationName } from '@pagetree/wiki/contract';
import type { Phase0Call, Phase0Target } from './target.ts';

/** Calls one operation of the wiki, with its input as an agent gives it. */
export type TimedCall = (
  name: OperationName,
  input: object,
) => Promise<{ output: unknown; timing: Phase0Call }>;

/** Phase 0 of our wiki, whatever way a call takes. `prepare` makes the page that is read, before the study. */
export function wikiCalls(
  call: TimedCall,
): Pick<Phase0Target, 'read' | 'initAndCommit' | 'commit' | 'landed'> & { prepare(): Promise<void> } {
  const write = async (path: string, input: object = {}) =>
    (await call('write_page', { path, content: `# ${path}\n`, ...input })).timing;
  return {
    prepare: async () => {
      const content = `# Phase 0\n\n${'A line of text.\n'.repeat(100)}`;
      const { output } = await call('list_pages', { prefix: READ_PAGE });
      if ((output as { pages: unknown[] }).pages.length === 0) await write(READ_PAGE, { content });
    },
    read: async () => (await call('read_page', { path: READ_PAGE })).timing,
    initAndCommit: async (name) => {
      const init = (await call('create_wiki', { wiki: name })).timing;
      const commit = await write(name, { wiki: name });
      return {
        function_ms: init.function_ms + commit.function_ms,
        wall_ms: init.wall_ms + commit.wall_ms,
        cold: init.cold,
        commit_ms: commit.function_ms,
      };
    },
    commit: (path) => write(path),
    landed: async (paths) => {
      const { output } = await call('read_pages', { paths });
      const { pages } = output as { pages: { path: string; error?: string }[] };
      return pages.filter(({ error }) => error === undefined).map(({ path }) => path);
    },
  };
}

const READ_PAGE = 'Phase 0';

/** Who writes in the study. */
export const caller: Caller = { author: { name: 'Phase 0', email: 'phase0@example.org' }, agent: null };
