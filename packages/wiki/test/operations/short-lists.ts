import type { Wiki } from '../../src/contract/wiki.ts';

/** A wiki whose lists of files have so many at most, as those of a wiki with many more files. */
export function withShortLists(wiki: Wiki, most: number): Wiki {
  return {
    ...wiki,
    list_files: async ({ cursor, ...input }, call) => {
      const { files, ...rest } = await wiki.list_files(input, call);
      const from = Number(cursor ?? 0);
      const to = from + most;
      return { ...rest, files: files.slice(from, to), next_cursor: to < files.length ? `${to}` : null };
    },
  };
}
