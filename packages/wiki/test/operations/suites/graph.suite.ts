import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callOperation } from '../../../src/contract/dispatch.ts';
import type { Output } from '../../../src/contract/operations.ts';
import { type Backend, type Files, openTestWiki, type TestWiki } from '../test-wiki.ts';

type Graph = NonNullable<Output<'view_graph'>['graph']>;

/** view_graph. */
export function graphSuite(backend: Backend): void {
  describe('view_graph', () => {
    test('has the links that get_links finds page by page, of all pages and around each', async () => {
      let edges = 0;
      const property = fc.asyncProperty(WIKIS, fc.integer({ min: 1, max: 3 }), async (files, depth) => {
        const wiki = await openTestWiki(backend, files);
        const expected = await linksOf(wiki);
        const whole = await graphOf(wiki, {});
        expect(whole.nodes.map(({ path }) => path).sort()).toEqual(
          [...expected.keys()].filter((path) => !path.startsWith('.')).sort(),
        );
        expect(edgesOf(whole)).toEqual(pairsOf(expected).filter((pair) => !pair.includes('.hidden')));
        for (const middle of expected.keys()) {
          const around = await graphOf(wiki, { path: middle, depth });
          // A call with a scope takes another way to the same answer.
          const scoped = await callOperation(wiki.wiki, 'view_graph', { path: middle, depth }, EVERYTHING);
          expect(scoped).toMatchObject({ graph: around });
          const distances = distancesFrom(middle, expected, depth);
          expect(new Map(around.nodes.map(({ path, distance }) => [path, distance]))).toEqual(distances);
          const inner = (path: string) => (distances.get(path) ?? depth) < depth;
          expect(edgesOf(around)).toEqual(pairsOf(expected).filter((pair) => pair.split(' > ').some(inner)));
        }
        edges += whole.edges.length / 2;
      });
      await fc.assert(property, { numRuns: 4, seed: 20_261_125, endOnFailure: true });
      expect(edges).toBeGreaterThan(10);
    });

    test('knows the newest commit, and says what it does not find', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': '# First\n\n[[B]]', 'B.md': 'x' });
      const commit = (await wiki.head()) ?? '';
      expect(await wiki.run('view_graph', {})).toEqual({
        commit,
        graph: {
          pages: 2,
          of: 'pages',
          nodes: [
            { path: 'A', title: 'First', linked: 1 },
            { path: 'B', title: 'B', linked: 1 },
          ],
          edges: [0, 1],
          left_out: { nodes: 0, edges: 0 },
        },
      });
      expect(await wiki.run('view_graph', { known: commit })).toEqual({ commit, graph: null });
      await wiki.write('C', '[[A]]');
      expect(edgesOf(await graphOf(wiki, { known: commit }))).toEqual(['A > B', 'C > A']);
      expect((await wiki.refused('view_graph', { path: 'None' })).code).toBe('not_found');
      expect((await wiki.refused('view_graph', { path: '../x' })).code).toBe('invalid_path');
      expect((await wiki.refused('view_graph', { depth: 4 })).code).toBe('invalid_input');
      const empty = await openTestWiki(backend);
      expect(await empty.run('view_graph', {})).toMatchObject({ commit: null, graph: { nodes: [] } });
    });

    test('bounds what is around a page, and counts the rest', async () => {
      const links = Array.from({ length: 520 }, (_, at) => [`p${at}.md`, 'x'] as const);
      const hub = links.map(([path]) => `[[${path.slice(0, -3)}]]`).join(' ');
      const wiki = await openTestWiki(backend, { ...Object.fromEntries(links), 'Hub.md': hub });
      const { nodes, left_out, pages } = await graphOf(wiki, { path: 'Hub' });
      expect({ nodes: nodes.length, pages, left_out }).toEqual({
        nodes: 500,
        pages: 521,
        left_out: { nodes: 21, edges: 21 },
      });
    });
  });
}

const EVERYTHING = {
  caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null },
  scope: { read: [''], write: [''] },
};
const NAMES = ['A', 'B', 'f/C', 'f/A', 'g/h/D', '.hidden/E', 'Cafe\u0301'] as const;
const link = fc
  .tuple(fc.constantFrom(...NAMES, 'None', 'Other'), fc.constantFrom('wiki', 'path', 'embed'))
  .map(([name, kind]) => {
    if (kind === 'wiki') return `[[${name}]]`;
    return kind === 'embed' ? `![[${name}]]` : `[x](/${encodeURI(name)}.md)`;
  });
const WIKIS: fc.Arbitrary<Files> = fc
  .tuple(...NAMES.map(() => fc.array(link, { maxLength: 5 })))
  .map((texts) =>
    Object.fromEntries(
      NAMES.map((name, at) => {
        const alias = name === 'f/C' ? '---\naliases: [Other]\n---\n' : '';
        return [`${name}.md`, `${alias}${texts[at]?.join(' ')}\n`];
      }),
    ),
  );

async function graphOf(wiki: TestWiki, input: object): Promise<Graph> {
  const { graph } = await wiki.run('view_graph', input);
  if (graph === null) throw new Error('There is no graph.');
  return graph;
}

function edgesOf({ nodes, edges }: Graph): string[] {
  const path = (at: number) => nodes[edges[at] ?? -1]?.path;
  return edges.flatMap((_, at) => (at % 2 === 0 ? [`${path(at)} > ${path(at + 1)}`] : [])).sort();
}

/** The pages that each page links to, by get_links; both of its lists must agree. */
async function linksOf(wiki: TestWiki): Promise<Map<string, string[]>> {
  const links = new Map<string, string[]>();
  const back: string[] = [];
  for (const name of NAMES) {
    const path = name.normalize('NFC');
    const { links_to, linked_from } = await wiki.run('get_links', { path });
    links.set(
      path,
      links_to.filter((to) => to !== path),
    );
    back.push(...linked_from.map((from) => `${from} > ${path}`));
  }
  expect(back.sort()).toEqual(pairsOf(links));
  return links;
}

function pairsOf(links: ReadonlyMap<string, readonly string[]>): string[] {
  return [...links].flatMap(([from, all]) => all.map((to) => `${from} > ${to}`)).sort();
}

function distancesFrom(
  middle: string,
  links: ReadonlyMap<string, readonly string[]>,
  depth: number,
): Map<string, number> {
  const found = new Map([[middle, 0]]);
  for (let distance = 1; distance <= depth; distance += 1) {
    const next = [...links].flatMap(([from, all]) =>
      all.flatMap((to) => {
        if (found.has(from)) return [to];
        return found.has(to) ? [from] : [];
      }),
    );
    for (const path of next) if (!found.has(path)) found.set(path, distance);
  }
  return found;
}
