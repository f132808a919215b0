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
  const { entries } = await tools.ask('get_history', { wiki, path, until: endOfDay(at), limit: 1 });
  const [last] = entries;
  // The page had left this path by then: it was at another one.
  if (last?.moved_to) return commitAt(tools, wiki, last.moved_to, at);
  if (last !== undefined) return { at: last.commit, path: last.path ?? path };
  throw new WikiError('not_found', {
    happened: `The page ${JSON.stringify(path)} was not there on ${at}.`,
    now: 'Nothing was changed.',
    next: 'Look at its history.',
  });
}
