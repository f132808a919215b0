import { folderOf, lastPartOf } from '../paths/page-path.ts';
import { type Edge, fittingGraph, type Graph } from './fitting-graph.ts';
import type { LinksAmongPages } from './links-among-pages.ts';
import { byLinks } from './most-linked.ts';

/**
 * Folders with the number of links between their pages. All are cut to one depth: the deepest at which there are
 * not too many to look at.
 */
export function graphOfFolders({ paths, pairs }: LinksAmongPages): Graph {
  const folders = paths.map(folderOf);
  const deepest = folders.reduce((most, folder) => Math.max(most, folder.split('/').length), 1);
  let cut = cutTo(folders, 1);
  for (let depth = 2; depth <= deepest; depth += 1) {
    const deeper = cutTo(folders, depth);
    if (new Set(deeper).size > MAX_FOLDERS) break;
    cut = deeper;
  }
  const places = new Map<string, number>();
  const counts: number[] = [];
  const placeOfPage = cut.map((folder) => {
    const place = places.get(folder) ?? places.size;
    places.set(folder, place);
    counts[place] = (counts[place] ?? 0) + 1;
    return place;
  });
  const edges = new Map<number, Edge>();
  for (const [fromPage, toPage] of pairs) {
    const [from, to] = [placeOfPage[fromPage] ?? 0, placeOfPage[toPage] ?? 0];
    if (from === to) continue;
    const key = from * places.size + to;
    const edge = edges.get(key) ?? { from, to, weight: 0 };
    edge.weight += 1;
    edges.set(key, edge);
  }
  const nodes = [...places].map(([path, place]) => ({
    path,
    title: lastPartOf(path),
    pages: counts[place] ?? 0,
  }));
  const ranked = byLinks(nodes, [...edges.values()]);
  return {
    pages: paths.length,
    of: 'folders',
    ...fittingGraph(ranked.nodes, ranked.edges),
  };
}

const MAX_FOLDERS = 2_000;

function cutTo(folders: readonly string[], depth: number): string[] {
  return folders.map((folder) => folder.split('/').slice(0, depth).join('/'));
}
