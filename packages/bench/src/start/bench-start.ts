import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cached } from '../../../../labs/requirements.ts';
import { buildWiki } from '../../../../labs/wikis/build-wiki.ts';
import { pagePath } from '../../../../labs/wikis/wiki-text.ts';
import { buildServer } from '../../../mcp-server/build.ts';
import { table } from '../markdown-table.ts';
import { median } from '../median.ts';
import { readOptions } from '../options.ts';
import { measureProbedStart, measureProcess, measureStart, type Start } from './measure-start.ts';
import { measureWays, type Way, waysToStart } from './ways-to-start.ts';

/**
 * `pnpm bench start [--pages N] [--runs N] [--rivals DIRECTORY]`: from the beginning of the built server to its answered
 * tools/list, and the same of each way to start it. `rivals`: where server-filesystem was installed by npm.
 */
export async function benchStart(args: readonly string[]): Promise<string> {
  const values = readOptions('start', args, {
    pages: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '10' },
    rivals: { type: 'string' },
  });
  const [pages, runs] = [Number(values.pages), Number(values.runs)];
  if (!(Number.isInteger(pages) && pages > 0)) throw new Error('--pages takes a whole number above 0.');
  if (!(Number.isInteger(runs) && runs > 0)) throw new Error('--runs takes a whole number above 0.');
  return reportOf(await measureStarts(pages, runs, values.rivals ?? null), pages);
}

export interface Starts {
  runs: number;
  bundleBytes: number;
  /** Medians, in milliseconds since the process was begun. */
  node: number;
  loaded: number;
  initialized: number;
  listed: number;
  read: number;
  /** Until tools/list is answered to a client that asks another process for the versions first. */
  probed: number;
  processorMs: number | null;
  /** Median, in bytes. */
  memory: number | null;
  ways: Way[];
}

export async function measureStarts(
  pages: number,
  runs: number,
  rivals: string | null = null,
): Promise<Starts> {
  const place = await mkdtemp(join(tmpdir(), 'pagetree-bench-start-'));
  try {
    const shape = { pages, commits: pages };
    const built = await cached('wiki', JSON.stringify(shape), (directory) =>
      buildWiki(join(directory, 'wiki.git'), shape),
    );
    const [wikis, bundle] = [join(place, 'wikis'), join(place, 'pagetree.js')];
    await mkdir(wikis);
    await cp(join(built, 'wiki.git'), join(wikis, 'wiki.git'), { recursive: true });
    await buildServer(bundle);
    // As in the package: without it Node looks first what kind of module the bundle is.
    await writeFile(join(place, 'package.json'), '{"type":"module"}');
    const ways = waysToStart({ bundle, wikis, rivals });
    return await measureBundle({ bundle, wikis, page: pagePath(shape, Math.floor(pages / 2)), runs, ways });
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

interface Plan {
  bundle: string;
  wikis: string;
  page: string;
  runs: number;
  ways: Record<string, string[]>;
}

async function measureBundle({ bundle, wikis, page, runs, ways }: Plan): Promise<Starts> {
  const [nodes, loads, starts, probed]: [number[], number[], Start[], number[]] = [[], [], [], []];
  // The first round fills the caches of the machine and is not counted.
  for (let run = 0; run <= runs; run++) {
    nodes.push(await measureProcess([process.execPath, '-e', '']));
    loads.push(await measureProcess([process.execPath, bundle, '--version']));
    starts.push(await measureStart([process.execPath, bundle, '--dir', wikis], page));
    probed.push(await measureProbedStart(bundle, wikis));
  }
  const counted = starts.slice(1);
  const all = (part: (start: Start) => number | null) => {
    const values = counted.flatMap((start) => part(start) ?? []);
    return values.length === 0 ? null : median(values);
  };
  return {
    runs,
    bundleBytes: await programBytes(dirname(bundle)),
    node: median(nodes.slice(1)),
    loaded: median(loads.slice(1)),
    initialized: median(counted.map(({ initialized }) => initialized)),
    listed: median(counted.map(({ listed }) => listed)),
    read: median(counted.map(({ read }) => read)),
    probed: median(probed.slice(1)),
    processorMs: all(({ processorMs }) => processorMs),
    memory: all(({ memory }) => memory),
    ways: await measureWays(ways, runs),
  };
}

async function programBytes(directory: string): Promise<number> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.js'));
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(directory, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function reportOf(starts: Starts, pages: number): string {
  const ms = (value: number) => `${Math.round(value)} ms`;
  const rows: [string, number, number | null][] = [
    ['Node.js alone', starts.node, null],
    ['the program is loaded (`--version` answered)', starts.loaded, starts.node],
    ['initialize answered', starts.initialized, starts.loaded],
    ['**tools/list answered**', starts.listed, starts.initialized],
    ['a page read, the wiki being open', starts.read, starts.listed],
  ];
  const lines = rows.map(([name, at, before]) => [name, ms(at), before === null ? '' : ms(at - before)]);
  const memory = starts.memory === null ? 'not reported' : `${Math.round(starts.memory / 1e6)} MB`;
  const processor = starts.processorMs === null ? 'not reported' : ms(starts.processorMs);
  return [
    `A wiki of ${pages} pages, the built server of ${(starts.bundleBytes / 1e6).toFixed(2)} MB, medians of ${starts.runs} starts.`,
    '',
    table(['until', 'since the process was begun', 'of which this part'], lines),
    '',
    `A client that asks a process beside it for the versions first has the tools after ${ms(starts.probed)}, ${(starts.probed / starts.listed).toFixed(2)} times as long.`,
    '',
    table(
      ['started as', 'tools/list answered'],
      starts.ways.map(({ name, listedMs }) => [name, ms(listedMs)]),
    ),
    '',
    `With a page read the built server holds ${memory} of memory, and has used ${processor} of processor time.`,
  ].join('\n');
}
