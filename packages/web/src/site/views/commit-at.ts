import { WikiError } from '@pagetree/wiki/contract';
import { endOfDay } from '../times.ts';
import type { ViewTools } from '../view-tools.ts';
import { pathAt } from './path-at.ts';

/** A page as of a commit, or now. A page that moved since had another path. */
export interface PageAt {
  at: string | undefined;
  path: string;
}

/** The commit that `?at=` names: by its id, or as the newest change of the page until a day or a time. */
export async function commitAt(
  tools: ViewTools,
  wiki: string,
  path: string,
  at: string | undefined,
): Promise<PageAt> {
  if (at === undefined || at === '') return { at: undefined, path };
  if (/^[0-9a-f]{4,40}$/.test(at)) return { at, path: await pathAt(tools, wiki, path, at) };
  const until = endOfDay(at);
  const newest = async (input: { path?: string; at?: string }) =>
    (await tools.ask('get_history', { wiki, ...input, until, limit: 1 })).entries[0];
  // A page that had this path then comes first: today it may be elsewhere, and another page here.
  const end = await newest({});
  const then = end === undefined ? undefined : await newest({ path, at: end.commit });
  if (then !== undefined && then.version !== null) return { at: then.commit, path: then.path ?? path };
  const last = await newest({ path });
  // The page had left this path by then: it was at another one.
  if (last?.moved_to) return commitAt(tools, wiki, last.moved_to, at);
  if (last !== undefined) return { at: last.commit, path: last.path ?? path };
  throw new WikiError('not_found', {
    happened: `The page ${JSON.stringify(path)} was not there on ${at}.`,
    now: 'Nothing was changed.',
    next: 'Look at its history.',
  });
}
