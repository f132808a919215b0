import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { runInNfsLab } from '../../../../labs/nfs-lab/run-in-lab.ts';
import { table } from '../markdown-table.ts';
import { readOptions } from '../options.ts';
import { ramDisk } from '../ram-disk.ts';
import type { ColdRead } from './cold-read.ts';
import { type Growth, growWiki } from './grow.ts';
import { type PageAge, pageAges, type SampledPage, samplePages } from './sample-pages.ts';

/**
 * `pnpm bench growth [--writes N] [--flat] [--nfs]`: what becomes of a wiki after many single writes, maintained as on
 * AWS: disk use beside what `git gc` makes of it, packs over time, and with `--nfs` the first read of a new client.
 */
export async function benchGrowth(args: readonly string[]): Promise<string> {
  const values = readOptions('growth', args, {
    writes: { type: 'string', default: '10000' },
    flat: { type: 'boolean', default: false },
    nfs: { type: 'boolean', default: false },
  });
  const writes = Number(values.writes);
  if (!Number.isInteger(writes) || writes < 100) throw new Error('--writes takes a number from 100 on.');
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  const writesPerNight = Math.ceil(writes / NIGHTS);
  const plan = { writes, flat: values.flat, writesPerNight, pagesOfEachAge: PAGES_OF_EACH_AGE };
  const { growth, coldReads } = await measureGrowth(plan, values.nfs, progress);
  return markdownOf(plan, growth, coldReads);
}

export interface GrowthMeasure {
  writes: number;
  flat: boolean;
  writesPerNight: number;
  /** New clients read so many. */
  pagesOfEachAge: number;
}

export interface AgedRead extends ColdRead {
  age: PageAge;
}

const NIGHTS = 10;
const PAGES_OF_EACH_AGE = 10;

/** Grows a wiki in a directory of its own, and on NFS lets new clients read from it. */
export async function measureGrowth(
  measure: GrowthMeasure,
  nfs: boolean,
  progress: (line: string) => void = () => undefined,
): Promise<{ growth: Growth; coldReads: AgedRead[] }> {
  const directory = mkdtempSync(join(ramDisk(), 'pagetree-growth-'));
  try {
    const growth = await growWiki({ ...measure, directory }, progress);
    const repository = join(directory, 'main.git');
    const pages = samplePages(growth.pages, {
      each: measure.pagesOfEachAge,
      sinceNight: measure.writes - (growth.nights.at(-1)?.writes ?? 0),
      writesPerNight: measure.writesPerNight,
    });
    return { growth, coldReads: nfs ? await readCold(repository, pages) : [] };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The lab sees this repository, and nothing of a RAM disk. */
async function readCold(repository: string, pages: readonly SampledPage[]): Promise<AgedRead[]> {
  const cache = fileURLToPath(new URL('../../../../node_modules/.cache', import.meta.url));
  const copy = mkdtempSync(join(cache, 'pagetree-growth-'));
  try {
    cpSync(repository, join(copy, 'main.git'), { recursive: true, verbatimSymlinks: true });
    const program = fileURLToPath(new URL('./cold-read.ts', import.meta.url));
    const reader = await bundleReader(copy);
    const command = ['node', program, join(copy, 'main.git'), reader, ...pages.map(({ path }) => path)];
    const { stdout } = await runInNfsLab(command, { clients: pages.length });
    const reads: ColdRead[] = JSON.parse(stdout);
    return pages.flatMap(({ age }, at) => (reads[at] ? { age, ...reads[at] } : []));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** In one file, as the function on Lambda is: in the lab the many files of the sources take seconds to load. */
async function bundleReader(directory: string): Promise<string> {
  const outfile = join(directory, 'cold-reader.mjs');
  const entry = fileURLToPath(new URL('./cold-reader.ts', import.meta.url));
  const banner =
    "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: banner },
    logLevel: 'error',
  });
  return outfile;
}

function markdownOf({ writes, flat }: GrowthMeasure, growth: Growth, coldReads: readonly AgedRead[]): string {
  const { nights, packs, bytes, retired, gcBytes, ownBytes } = growth;
  const rows = nights.map((night) => [
    night.writes,
    night.mostPacks,
    `${night.packsBefore} -> ${night.packsAfter}`,
    `${megabytes(night.bytesBefore)} -> ${megabytes(night.bytesAfter)}`,
  ]);
  const readRows = pageAges.map((age) =>
    readRow(
      age,
      coldReads.filter((read) => read.age === age),
    ),
  );
  return [
    `${writes} single writes${flat ? ', all pages in one folder' : ''}, ${nights.length} nights:`,
    '',
    table(['writes', 'most packs since', 'packs in the night', 'objects, MB'], rows),
    '',
    `In the end ${packs} packs and ${megabytes(bytes)} MB of objects, ${(bytes / gcBytes).toFixed(2)} times the ` +
      `${megabytes(gcBytes)} MB that \`git gc\` makes of them; ${megabytes(ownBytes)} MB beside them. ` +
      `${retired.packs} packs of ${megabytes(retired.bytes)} MB that were merged are kept for a day.`,
    ...(coldReads.length === 0 ? [] : ['', table(['first read of a page written', ...readHead], readRows)]),
  ].join('\n');
}

const readHead = ['pages', 'RPCs: least', 'mean', 'most', 'MB, most'];

function readRow(age: PageAge, reads: readonly AgedRead[]): (string | number)[] {
  const rpcs = reads.map((read) => read.rpcs);
  const mean = rpcs.reduce((sum, each) => sum + each, 0) / rpcs.length;
  const bytes = Math.max(...reads.map(({ bytesRead }) => bytesRead));
  return [age, rpcs.length, Math.min(...rpcs), mean.toFixed(1), Math.max(...rpcs), megabytes(bytes)];
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}
