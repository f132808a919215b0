import type { ViewTools } from '../view-tools.ts';

/**
 * The path that a page had after a commit. An address may name a past page by its path of that time or by
 * the one of today, which its history then leads to the path of that time.
 */
export async function pathAt(tools: ViewTools, wiki: string, path: string, commit: string): Promise<string> {
  const { entries } = await tools.ask('get_history', { wiki, path, at: commit, limit: 1 });
  if (entries.length > 0) return path;
  for (let cursor: string | undefined; ; ) {
    const { entries, next_cursor } = await tools.ask('get_history', { wiki, path, cursor, limit: 200 });
    const entry = entries.find((each) => each.commit.startsWith(commit));
    if (entry !== undefined) return entry.path ?? path;
    if (next_cursor === null) return path;
    cursor = next_cursor;
  }
}
