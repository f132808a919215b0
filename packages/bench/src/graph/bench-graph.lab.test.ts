import { expect, test } from 'vitest';
import { measureGraphs } from './bench-graph.ts';
import { framesOf } from './report-graphs.ts';

test('a graph is on the screen with nodes and links, and is drawn anew while it is dragged', async () => {
  const graphs = await measureGraphs({ pages: 400, runs: 1, dragMs: 3_000 });
  expect(graphs.map(({ name }) => name)).toEqual(['the whole wiki', 'up to 3 links from a page']);
  expect(graphs[0]?.nodes).toBe(400);
  for (const { name, pictures, dataBytes } of graphs) {
    expect(dataBytes, name).toBeGreaterThan(10_000);
    for (const { nodes, links, drag } of pictures) {
      expect(nodes.pixels, name).toBeGreaterThan(5_000);
      expect(links.pixels, name).toBeGreaterThan(5_000);
      expect(links.ms, name).toBeGreaterThanOrEqual(nodes.ms);
      expect(drag.frames.length, name).toBeGreaterThan(2);
    }
    expect(framesOf(pictures).processorMs, name).toBeGreaterThan(0);
  }
});
