import type { Input, Output } from '../../../contract/operations.ts';
import { graphAround } from '../../graph/graph-around.ts';
import { graphOfFolders } from '../../graph/graph-of-folders.ts';
import { graphOfPages } from '../../graph/graph-of-pages.ts';
import { linksAmongPages } from '../../graph/links-among-pages.ts';
import { pageNotFound, requirePage } from '../../pages/find-page.ts';
import { pagePathOf, parsePagePath } from '../../paths/page-path.ts';
import type { Session } from '../../session.ts';

export async function viewGraph(
  { repository, index, call }: Session,
  { path: given, depth, known }: Input<'view_graph'>,
): Promise<Output<'view_graph'>> {
  const path = given === undefined ? null : parsePagePath(given);
  const head = await repository.head();
  const { commit } = head;
  if (commit === null) {
    if (path !== null) throw pageNotFound(path);
    return { commit, graph: { pages: 0, of: 'pages', nodes: [], edges: [], left_out: NOTHING } };
  }
  if (commit === known) return { commit, graph: null };
  const entry = path === null ? null : await requirePage(head, path, index, false);
  await index.catchUp(commit, call.progress, call.signal);
  if (entry !== null && path !== null) {
    const middle = pagePathOf(entry.path) ?? path;
    return { commit, graph: await graphAround(index, commit, { middle, depth, signal: call.signal }) };
  }
  const links = await linksAmongPages(index, commit, call.signal);
  const isLarge = links.paths.length > MAX_PAGES;
  return { commit, graph: isLarge ? graphOfFolders(links) : await graphOfPages(index, commit, links) };
}

const NOTHING = { nodes: 0, edges: 0 };

/** A browser lays out and draws so many within two seconds. */
const MAX_PAGES = 10_000;
