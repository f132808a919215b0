import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { callOperation } from '@pagetree/wiki/contract';
import { cached } from '../../../../labs/requirements.ts';
import { buildWiki } from '../../../../labs/wikis/build-wiki.ts';
import { pagePath } from '../../../../labs/wikis/wiki-text.ts';
import { openChromium } from '../../../web/test/open-chromium.ts';
import { readOptions } from '../options.ts';
import { servePagetree } from '../web/served.ts';
import { type MeasuredGraph, type Picture, reportGraphs } from './report-graphs.ts';
import { watchPicture } from './watch-picture.ts';

/**
 * `pnpm bench graph [--pages N] [--runs N]`: the graph of a wiki and the one around a page, in Chromium without a graphics
 * card: the time until it is on the screen, and the frames while it is dragged.
 */
export async function benchGraph(args: readonly string[]): Promise<string> {
  const values = readOptions('graph', args, {
    pages: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '5' },
  });
  const [pages, runs] = [Number(values.pages), Number(values.runs)];
  if (!(Number.isInteger(pages) && pages > 1)) throw new Error('--pages takes a whole number above 1.');
  if (!(Number.isInteger(runs) && runs > 0)) throw new Error('--runs takes a whole number above 0.');
  return reportGraphs(await measureGraphs({ pages, runs, dragMs: 5_000 }), runs);
}

export async function measureGraphs({
  pages,
  runs,
  dragMs,
}: {
  pages: number;
  runs: number;
  dragMs: number;
}): Promise<MeasuredGraph[]> {
  const directory = await mkdtemp(join(tmpdir(), 'pagetree-bench-graph-'));
  const stops: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  try {
    // One page more is the one that changes.
    const shape = { pages: pages - 1, commits: 1 };
    const built = await cached('wiki', JSON.stringify(shape), (place) =>
      buildWiki(join(place, 'wiki.git'), shape),
    );
    await cp(join(built, 'wiki.git'), join(directory, 'main.git'), { recursive: true });
    const nameOf = (page: number) => pagePath(shape, page % shape.pages).replace(/\.md$/, '');
    const change = await openChanging(directory, nameOf, stops);
    await change();
    const { origin, stop } = await servePagetree(directory);
    stops.unshift(stop);
    const browser = await openChromium();
    stops.unshift(() => browser.close());
    const around = new URLSearchParams({ around: nameOf(0), depth: '3' });
    const measured: MeasuredGraph[] = [];
    for (const [name, query] of [
      ['the whole wiki', ''],
      ['up to 3 links from a page', `?${around}`],
    ] as const) {
      const pictures: Picture[] = [];
      const asked = await askForData(`${origin}/_/main/graph.json${query}`, change, runs);
      for (let run = 0; run < runs; run += 1) {
        // The view has to work out the graph, as for the first reader after a change.
        await change();
        pictures.push(await watchPicture(browser, `${origin}/_/main/graph${query}`, dragMs));
      }
      measured.push({ name, ...asked, pictures });
    }
    return measured;
  } finally {
    for (const stop of stops) await stop();
  }
}

/** Opens the wiki, and returns a function that changes the links of one of its pages. */
async function openChanging(
  directory: string,
  nameOf: (page: number) => string,
  stops: (() => Promise<unknown>)[],
): Promise<() => Promise<void>> {
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: 'main', placement: 'local', host });
  stops.unshift(close);
  let version: string | undefined;
  let changes = 0;
  return async () => {
    const content = `Change ${changes}: [[${nameOf(changes)}]]\n`;
    const input = { path: 'Changed', content, version };
    const written = await callOperation(wiki, 'write_page', input, { caller: WRITER });
    ({ version } = written as { version: string });
    changes += 1;
  };
}

const WRITER = { author: { name: 'Writer', email: 'writer@example.org' }, agent: 'bench/1' };

async function askForData(
  address: string,
  change: () => Promise<void>,
  runs: number,
): Promise<Omit<MeasuredGraph, 'name' | 'pictures'>> {
  const [changedMs, againMs]: [number[], number[]] = [[], []];
  const ask = async (times: number[]) => {
    const began = performance.now();
    const text = await (await fetch(address)).text();
    times.push(performance.now() - began);
    return text;
  };
  // The first answer has to wait for the search index.
  let text = await ask([]);
  for (let run = 0; run < runs; run += 1) {
    await change();
    await ask(changedMs);
    text = await ask(againMs);
  }
  const { nodes, edges } = JSON.parse(text) as { nodes: unknown[]; edges: number[] };
  const dataBytes = Buffer.byteLength(text);
  return { nodes: nodes.length, links: edges.length / 2, dataBytes, changedMs, againMs };
}
