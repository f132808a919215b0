import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openWiki } from '@pagetree/wiki';
import { callOperation, type Output } from '@pagetree/wiki/contract';
import { table } from '../markdown-table.ts';
import { memoryOf } from '../memory-of.ts';
import { readOptions } from '../options.ts';
import { percentile } from '../percentile.ts';
import { processorMs } from '../web/served.ts';

/**
 * `pnpm bench mirror [--files N] [--changes N] [--idle SECONDS]`: the times from a save to its commit and from a commit to
 * the file, and what a mirror takes that has nothing to do.
 */
export async function benchMirror(args: readonly string[]): Promise<string> {
  const values = readOptions('mirror', args, {
    files: { type: 'string', default: '10000' },
    changes: { type: 'string', default: '50' },
    idle: { type: 'string', default: '60' },
  });
  const number = (name: keyof Size) => {
    if (!/^[1-9]\d{0,4}$/.test(values[name]))
      throw new Error(`--${name} takes a whole number from 1 to 99999.`);
    return Number(values[name]);
  };
  const size = { files: number('files'), changes: number('changes'), idle: number('idle') };
  return report(size, await measureMirror(size));
}

interface Size {
  files: number;
  changes: number;
  /** Seconds without a change. */
  idle: number;
}

interface Measured {
  /** Until a new folder of so many files is in the wiki. */
  joinMs: number;
  toCommitMs: number[];
  toFileMs: number[];
  idleShare: number;
  memoryBytes: number;
}

async function measureMirror({ files, changes, idle }: Size): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), 'pagetree-bench-mirror-'));
  const [wikis, folder] = [join(directory, 'wikis'), join(directory, 'folder')];
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory: wikis, wiki: 'main', placement: 'local', host });
  try {
    await opened.warm();
    for (let at = 0; at < files; at += 1) await write(join(folder, pathAt(at)), `# Page ${at}\n\n${TEXT}`);
    const beganMs = performance.now();
    const mirror = await start(wikis, folder);
    try {
      const joinMs = performance.now() - beganMs;
      const ask = (operation: string, input: object) =>
        callOperation(opened.wiki, operation, input, { caller: CALLER });
      const toCommitMs: number[] = [];
      const toFileMs: number[] = [];
      for (let change = 0; change < changes; change += 1) {
        const path = pathAt((change * 7_919) % files);
        toCommitMs.push(await untilCommitted(ask, join(folder, path), change));
        toFileMs.push(await untilInFile(ask, folder, path, change));
        // The next change meets a mirror that has nothing to do.
        await setTimeout(PAUSE_MS);
      }
      await setTimeout(SETTLE_MS);
      const usedMs = await processorMs(mirror.pid);
      await setTimeout(idle * 1_000);
      const idleShare = ((await processorMs(mirror.pid)) - usedMs) / (idle * 1_000);
      return { joinMs, toCommitMs, toFileMs, idleShare, memoryBytes: await memoryOf(mirror.pid) };
    } finally {
      await mirror.stop();
    }
  } finally {
    await opened.close();
    await rm(directory, { recursive: true, force: true });
  }
}

type Ask = (operation: string, input: object) => Promise<unknown>;

async function untilCommitted(ask: Ask, place: string, change: number): Promise<number> {
  const { commit } = (await ask('list_files', {})) as Output<'list_files'>;
  await appendFile(place, `Saved ${change}.\n`);
  const beganMs = performance.now();
  for (;;) {
    const changed = (await ask('list_files', { known: commit })) as Output<'list_files'>;
    if (changed.files.length > 0) return performance.now() - beganMs;
    await setTimeout(LOOK_MS);
  }
}

async function untilInFile(ask: Ask, folder: string, path: string, change: number): Promise<number> {
  const line = `Written ${change}.`;
  await ask('append_to_page', { path: path.replace(/\.md$/, ''), content: line });
  const beganMs = performance.now();
  while (!readFileSync(join(folder, path), 'utf8').includes(`${line}\n`)) await setTimeout(LOOK_MS);
  return performance.now() - beganMs;
}

/** Starts a mirror in a process of its own, and waits until both sides are in step. */
async function start(wikis: string, folder: string) {
  const program = fileURLToPath(new URL('../../../mcp-server/src/main.ts', import.meta.url));
  const args = [...process.execArgv, program, 'mirror', folder, '--dir', wikis, '--wiki', 'main'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  const { promise: inStep, resolve } = Promise.withResolvers<void>();
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.includes('In step')) resolve();
  });
  const isEarly = await Promise.race([inStep.then(() => false), ended.then(() => true)]);
  if (isEarly || child.pid === undefined) throw new Error('The mirror ended before it was in step.');
  return {
    pid: child.pid,
    stop: async () => {
      child.kill('SIGINT');
      await ended;
    },
  };
}

async function write(place: string, text: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, text);
}

function pathAt(at: number): string {
  return `folder ${at % 100}/Page ${at}.md`;
}

function report({ files, changes, idle }: Size, measured: Measured): string {
  const { joinMs, toCommitMs, toFileMs, idleShare, memoryBytes } = measured;
  const row = (name: string, times: readonly number[]) => [
    ...[name, '1000 ms', ms(percentile(times, 0.5)), ms(percentile(times, 0.95)), ms(Math.max(...times))],
  ];
  const times = table(
    ['', 'aimed at', 'p50', 'p95', 'max'],
    [row('from save to commit', toCommitMs), row('from commit to file', toFileMs)],
  );
  const rest = table(
    ['', ''],
    [
      [`a folder of ${files} files and an empty wiki come in step`, `${(joinMs / 1_000).toFixed(1)} s`],
      [
        `processor over ${idle} s without a change (aimed at: below 1 %)`,
        `${(idleShare * 100).toFixed(2)} %`,
      ],
      ['memory', `${Math.round(memoryBytes / 1_000_000)} MB`],
    ],
  );
  return `${files} files, ${changes} changes on each side.\n\n${times}\n\n${rest}`;
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}

const CALLER = { author: { name: 'Bench', email: 'bench@example.org' }, agent: 'bench/1' };
const LOOK_MS = 5;
const PAUSE_MS = 1_500;
const SETTLE_MS = 10_000;
const TEXT = 'A paragraph of some words that nobody changes, as most of a page is.\n\n'.repeat(30);
