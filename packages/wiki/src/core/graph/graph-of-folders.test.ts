import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fittingGraph } from './fitting-graph.ts';
import { graphOfFolders } from './graph-of-folders.ts';

test('folders have the pages in and below them, and the links between those', () => {
  const property = fc.property(WIKIS, ({ paths, pairs }) => {
    const { nodes, edges, weights = [] } = graphOfFolders({ paths, pairs });
    const names = nodes.map(({ path }) => path);
    expect(new Set(names).size).toBe(names.length);
    const folderOfPage = (page: number) => (paths[page] ?? '').split('/').slice(0, -1).join('/');
    for (const { path, pages } of nodes)
      expect(paths.filter((_, page) => folderOfPage(page) === path)).toHaveLength(pages ?? 0);
    const counted = pairs.map(([from, to]) => `${folderOfPage(from)} > ${folderOfPage(to)}`);
    for (const [at, weight] of weights.entries()) {
      const pair = `${names[edges[at * 2] ?? -1]} > ${names[edges[at * 2 + 1] ?? -1]}`;
      expect(counted.filter((each) => each === pair)).toHaveLength(weight);
    }
    const between = counted.filter((pair) => new Set(pair.split(' > ')).size === 2);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(between.length);
  });
  fc.assert(property, { numRuns: 100, seed: 20_261_125 });
});

test('too many deep folders are cut to those above them', () => {
  const paths = Array.from({ length: 2_500 }, (_, at) => `top-${at % 3}/deep-${at}/Page`);
  const { nodes, pages } = graphOfFolders({ paths, pairs: [[0, 1]] });
  expect(pages).toBe(2_500);
  expect(nodes).toEqual([
    { path: 'top-0', title: 'top-0', pages: 834, linked: 1 },
    { path: 'top-1', title: 'top-1', pages: 833, linked: 1 },
    { path: 'top-2', title: 'top-2', pages: 833, linked: 0 },
  ]);
});

test('an answer has 6 MB at most, and counts the rest', () => {
  const title = '\u{1f333}'.repeat(2_000);
  const nodes = Array.from({ length: 20_000 }, (_, at) => ({ path: `${at}`, title, linked: 20_000 }));
  const pairs = Array.from({ length: 300_000 }, (_, at) => ({ from: at % 1_000, to: (at * 7) % 9_000 }));
  const fitting = fittingGraph(
    nodes,
    pairs.map((pair) => ({ ...pair, weight: 1 })),
  );
  expect(Buffer.byteLength(JSON.stringify(fitting))).toBeLessThan(5_500_000);
  expect(fitting.nodes.length + fitting.left_out.nodes).toBe(20_000);
  expect(fitting.edges.length / 2 + fitting.left_out.edges).toBe(300_000);
  expect(fitting.left_out.nodes).toBeGreaterThan(0);
  expect(fitting.left_out.edges).toBeGreaterThan(0);
  expect(Math.max(...fitting.edges.slice(0, 1_000))).toBeLessThan(fitting.nodes.length);
});

const PATHS = ['A', 'a/B', 'a/C', 'a/b/D', 'a/b/E', 'c/d/e/F', 'c/G'];
const place = fc.integer({ min: 0, max: PATHS.length - 1 });
const WIKIS = fc.record({
  paths: fc.constant(PATHS),
  pairs: fc.uniqueArray(
    fc.tuple(place, place).filter(([from, to]) => from !== to),
    { maxLength: 20, selector: ([from, to]) => `${from} ${to}` },
  ),
});
