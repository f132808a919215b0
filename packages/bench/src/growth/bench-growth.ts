import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runInNfsLab } from '../../../../labs/nfs-lab/run-in-lab.ts';
import type { ColdRead } from './cold-read.ts';
import { type Growth, growWiki } from './grow.ts';

/**
 * `pnpm bench growth [--writes N] [--flat] [--nfs]`: what becomes of a wiki after many single writes, maintained as on
 * AWS: disk use beside what `git gc` makes of it, packs over time, and with `--nfs` the first read of a new client.
 */
export async function benchGrowth(args: readonly string[]): Promise<string> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      writes: { type: 'string', default: '10000' },
      flat: { type: 'boolean', default: false },
      nfs: { type: 'boolean', default: false },
    },
  });
  const writes = Number(values.writes);
  if (!Number.isInteger(writes) || writes < 100) throw new Error('--writes takes a number from 100 on.');
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  const plan = { writes, flat: values.flat, writesPerNight: Math.ceil(writes / NIGHTS) };
  const { growth, coldReads } = await measureGrowth(plan, values.nfs, progress);
  return markdownOf(plan, growth, coldReads);
}

export interface GrowthMeasure {
  writes: number;
  flat: boolean;
  writesPerNight: number;
}

const NIGHTS = 10;
const RAM_DISK = '/dev/shm';

/** Grows a wiki in a directory of its own, and on NFS lets new clients read from it. */
export async function measureGrowth(
  measure: GrowthMeasure,
  nfs: boolean,
  progress: (line: string) => void = () => undefined,
): Promise<{ growth: Growth; coldReads: ColdRead[] }> {
  const directory = mkdtempSync(join(existsSync(RAM_DISK) ? RAM_DISK : tmpdir(), 'pagetree-growth-'));
  try {
    const growth = await growWiki({ ...measure, directory }, progress);
    const repository = join(directory, 'main.git');
    return { growth, coldReads: nfs ? await readCold(repository, growth.pages) : [] };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The lab sees this repository, and nothing of a RAM disk. */
async function readCold(repository: string, pages: readonly string[]): Promise<ColdRead[]> {
  const cache = fileURLToPath(new URL('../../../../node_modules/.cache', import.meta.url));
  const copy = mkdtempSync(join(cache, 'pagetree-growth-'));
  try {
    cpSync(repository, join(copy, 'main.git'), { recursive: true, verbatimSymlinks: true });
    const program = fileURLToPath(new URL('./cold-read.ts', import.meta.url));
    const command = ['node', program, join(copy, 'main.git'), ...pages];
    return JSON.parse((await runInNfsLab(command, { clients: pages.length })).stdout);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function markdownOf({ writes, flat }: GrowthMeasure, growth: Growth, coldReads: readonly ColdRead[]): string {
  const { nights, packs, bytes, gcBytes, ownBytes } = growth;
  const rows = nights.map((night) => [
    night.writes,
    night.mostPacks,
    `${night.packsBefore} -> ${night.packsAfter}`,
    `${megabytes(night.bytesBefore)} -> ${megabytes(night.bytesAfter)}`,
  ]);
  const reads = coldReads.map(({ rpcs, bytesRead }) => `${rpcs} RPCs and ${megabytes(bytesRead)} MB`);
  return [
    `${writes} single writes${flat ? ', all pages in one folder' : ''}, ${nights.length} nights:`,
    '',
    table(['writes', 'most packs since', 'packs in the night', 'objects, MB'], rows),
    '',
    `In the end ${packs} packs and ${megabytes(bytes)} MB of objects, ${(bytes / gcBytes).toFixed(2)} times the ` +
      `${megabytes(gcBytes)} MB that \`git gc\` makes of them; ${megabytes(ownBytes)} MB beside them.`,
    ...(reads.length > 0 ? ['', `First reads of new clients: ${reads.join('; ')}.`] : []),
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}
