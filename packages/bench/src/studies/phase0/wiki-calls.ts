import type { Caller, OperationName } from '@pagetree/wiki/contract';
import type { Phase0Call, Phase0Target } from './target.ts';

/** Calls one operation of the wiki, with its input as an agent gives it. */
export type TimedCall = (
  name: OperationName,
  input: object,
) => Promise<{ output: unknown; timing: Phase0Call }>;

/** Phase 0 of our wiki, whatever way a call takes. `prepare` makes the page that is read, before the study. */
export function wikiCalls(call: TimedCall): Pick<
  Phase0Target,
  'initCommitReadLog' | 'read' | 'initAndCommit' | 'commit' | 'landed'
> & {
  prepare(): Promise<void>;
} {
  const write = async (path: string, input: object = {}) =>
    (await call('write_page', { path, content: `# ${path}\n`, ...input })).timing;
  return {
    prepare: async () => {
      const content = `# Phase 0\n\n${'A line of text.\n'.repeat(100)}`;
      const { output } = await call('list_pages', { prefix: READ_PAGE });
      if ((output as { pages: unknown[] }).pages.length === 0) await write(READ_PAGE, { content });
    },
    initCommitReadLog: async (name) => {
      const page = { wiki: name, path: name };
      return togetherAsOne({
        init: (await call('create_wiki', { wiki: name })).timing,
        commit: await write(name, { wiki: name }),
        read: (await call('read_page', page)).timing,
        log: (await call('get_history', { wiki: name })).timing,
      });
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

/**
 * Adds up four calls: an operation of the wiki is a call of its own, so ours pays four times for the way to the
 * function. The published function paid once.
 */
function togetherAsOne(calls: Record<'init' | 'commit' | 'read' | 'log', Phase0Call>): Phase0Call {
  const { [FIRST_CALL]: first = calls.init.function_ms, ...start } = calls.init.cold ?? {};
  const { commit, read, log } = calls;
  const later = [commit, read, log];
  const wall = later.reduce((sum, { wall_ms }) => sum + wall_ms, 0);
  const own = later.reduce((sum, { function_ms }) => sum + function_ms, 0);
  return {
    function_ms: calls.init.function_ms + own,
    wall_ms: calls.init.wall_ms + wall,
    cold: {
      ...start,
      init: first,
      commit: commit.function_ms,
      read: read.function_ms,
      log: log.function_ms,
      'way of the last three': wall - own,
    },
  };
}

/** The part of a cold start that is the first call itself. */
export const FIRST_CALL = 'first call';

const READ_PAGE = 'Phase 0';

/** The author of the study's writes. */
export const caller: Caller = { author: { name: 'Phase 0', email: 'phase0@example.org' }, agent: null };
