import {
  chmodSync,
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseInput } from '@pagetree/wiki/contract';
import { installRuntimeClient } from '../../../../labs/lambda-lab/runtime-client.ts';
import { buildWiki } from '../../../../labs/wikis/build-wiki.ts';
import { buildFunction } from '../../../wiki-lambda/build.ts';
import { table } from '../markdown-table.ts';
import { readOptions } from '../options.ts';
import { CALL, type LabWiki, measureRun, quartileOf, type RunMeasured, serveInLab } from './measure-run.ts';
import { measureNights } from './nights.ts';

export interface MaintenanceOptions {
  pages: number;
  /** A wiki of so many pages, `main.git` in this directory, which is copied; without it one is made. */
  wikis?: string | undefined;
  timeoutMs: number;
  progress: (line: string) => void;
}

/** The limits of the function as it is deployed. */
const TIMEOUT_MS = 30_000;

export interface MaintenanceMeasured {
  check: RunMeasured;
  /** After a byte of the largest pack was damaged. */
  repair: RunMeasured;
  checkAfter: RunMeasured;
  /** Milliseconds of a read and a write, alone and beside a check. */
  alone: { read: number; write: number };
  beside: { read: number; write: number };
}

/**
 * `pnpm bench maintenance [--pages N] [--small-wikis N]`: check and repair of a large wiki, or the nightly maintenance of
 * many small ones, on the function at its default size, in the Lambda lab.
 */
export async function benchMaintenance(args: readonly string[]): Promise<string> {
  const values = readOptions('maintenance', args, {
    pages: { type: 'string', default: '10000' },
    wikis: { type: 'string' },
    'small-wikis': { type: 'string' },
  });
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  if (values['small-wikis'] !== undefined) {
    const wikis = Number(values['small-wikis']);
    return JSON.stringify(await measureNights({ wikis, timeoutMs: TIMEOUT_MS, progress }), null, 2);
  }
  const pages = Number(values.pages);
  const measured = await measureMaintenance({ pages, wikis: values.wikis, timeoutMs: TIMEOUT_MS, progress });
  return report(pages, measured);
}

export async function measureMaintenance({
  pages,
  wikis,
  timeoutMs,
  progress,
}: MaintenanceOptions): Promise<MaintenanceMeasured> {
  await Promise.all([buildFunction(), installRuntimeClient()]);
  const directory = mkdtempSync(join(tmpdir(), 'maintained-'));
  const repository = join(directory, 'main.git');
  if (wikis === undefined) await buildWiki(repository, { pages, commits: pages });
  else cpSync(join(wikis, 'main.git'), repository, { recursive: true, verbatimSymlinks: true });
  const served = await serveInLab(directory, timeoutMs);
  try {
    const alone = await usageOf(served, 'alone', 20);
    progress(`alone: ${JSON.stringify(alone)}`);
    const [check, beside] = await Promise.all([
      measureRun(served, 'check', { apart: false }),
      usageOf(served, 'beside', 20),
    ]);
    progress(`beside: ${JSON.stringify(beside)}\ncheck: ${line(check)}`);
    damage(join(repository, 'objects/pack'));
    const repair = await measureRun(served, 'repair', { apart: true });
    progress(`repair: ${line(repair)}`);
    const checkAfter = await measureRun(served, 'check', { apart: true });
    progress(`check after the repair: ${line(checkAfter)}`);
    return { check, repair, checkAfter, alone, beside };
  } finally {
    await served.close();
    rmSync(directory, { recursive: true });
  }
}

/** Milliseconds of a read and of a write that follow each other. */
async function usageOf({ wiki }: LabWiki, name: string, count: number) {
  const path = `Beside/${name}`;
  const write = (number: number) =>
    wiki.append_to_page(
      parseInput('append_to_page', { path, content: `Line ${number}.`, create: true }),
      CALL,
    );
  await write(0);
  const read = await quartileOf(count, () => wiki.read_page(parseInput('read_page', { path }), CALL));
  return { read, write: await quartileOf(count, (number) => write(number + 1)) };
}

/** A byte in the middle of the largest pack. */
function damage(packs: string): void {
  const [largest] = readdirSync(packs)
    .filter((file) => file.endsWith('.idx'))
    .map((file) => join(packs, file.replace(/idx$/, 'pack')))
    .sort((a, b) => statSync(b).size - statSync(a).size);
  if (largest === undefined) throw new Error('The wiki has no pack.');
  chmodSync(largest, 0o644);
  const file = openSync(largest, 'r+');
  const place = Math.floor(statSync(largest).size / 2);
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, place);
  byte.writeUInt8(byte.readUInt8() ^ 0xff);
  writeSync(file, byte, 0, 1, place);
  closeSync(file);
}

function report(pages: number, measured: MaintenanceMeasured): string {
  const { check, repair, checkAfter, alone, beside } = measured;
  return [
    `${pages} pages, ${pages} commits; 512 MB, 0.29 of a processor, timeout 30 s, no NFS`,
    '',
    table(
      ['', 'calls', 'time s', 'processor s', 'slowest call s', 'peak memory MB', 'result'],
      [
        ['check', ...line(check)],
        ['repair of a damaged pack', ...line(repair)],
        ['check after it', ...line(checkAfter)],
      ],
    ),
    '',
    `A read took ${alone.read.toFixed(0)} ms alone and ${beside.read.toFixed(0)} ms beside the check; a write ${alone.write.toFixed(0)} and ${beside.write.toFixed(0)}.`,
  ].join('\n');
}

function line({ calls, seconds, processorSeconds, slowestCallSeconds, peakMemoryMib, answer }: RunMeasured) {
  const { mode, commits_checked, problems, packs_replaced, lost } = answer;
  const result =
    mode === 'check'
      ? `${commits_checked} commits, ${problems.length} problems`
      : `${packs_replaced} packs replaced, ${lost.length} pages lost`;
  const times = [seconds, processorSeconds, slowestCallSeconds].map((value) => value.toFixed(1));
  return [calls, ...times, peakMemoryMib, result];
}
