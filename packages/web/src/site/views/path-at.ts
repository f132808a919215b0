import type { Output } from '@pagetree/wiki/contract';
import type { ViewTools } from '../view-tools.ts';

/**
 * The path that a page had after a commit. An address may name a past page by its path of that time, which comes first
 * if another page has it today, or by the one of today, which its history then leads to the path of that time.
 */
export async function pathAt(tools: ViewTools, wiki: string, path: string, commit: string): Promise<string> {
  const then = await newestOf(tools, wiki, path, commit);
  // A change that took the page away is a change of this path.
  if (then !== undefined && (isThere(then) || then.commit.startsWith(commit))) return path;
  const changes = new Set<string>();
  const paths = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const { entries, next_cursor } = await tools.ask('get_history', { wiki, path, cursor, limit: 200 });
    const entry = entries.find((each) => each.commit.startsWith(commit));
    if (entry !== undefined) return entry.path ?? path;
    for (const each of entries) {
      changes.add(each.commit);
      if (each.path !== null && each.path !== path) paths.add(each.path);
    }
    if (next_cursor === null) break;
    cursor = next_cursor;
  }
  // The commit changed other pages: it was at the path where its newest change of that time is.
  for (const other of [...paths].slice(0, MAX_PATHS)) {
    const newest = await newestOf(tools, wiki, other, commit);
    if (newest !== undefined && isThere(newest) && changes.has(newest.commit)) return other;
  }
  return path;
}

/** Each costs a call. */
const MAX_PATHS = 20;

/** True if a page has this path now. */
export async function isTaken(tools: ViewTools, wiki: string, path: string): Promise<boolean> {
  const newest = await newestOf(tools, wiki, path);
  return newest !== undefined && isThere(newest);
}

type Entry = Output<'get_history'>['entries'][number];

async function newestOf(
  tools: ViewTools,
  wiki: string,
  path: string,
  at?: string,
): Promise<Entry | undefined> {
  return (await tools.ask('get_history', { wiki, path, at, limit: 1 })).entries[0];
}

function isThere({ version }: Entry): boolean {
  return version !== null;
}
