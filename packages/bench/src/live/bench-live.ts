import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openWiki } from '@pagetree/wiki';
import { callOperation, type Output } from '@pagetree/wiki/contract';
import { memoryOf } from '../memory-of.ts';
import { readOptions } from '../options.ts';
import { processorMs, servePagetree } from '../web/served.ts';
import { type Measured, reportLive, type Written } from './report-live.ts';
import { Watcher } from './watcher.ts';

/**
 * `pnpm bench live [--watchers N] [--writers N] [--changes N]`: the times from a change to those who watch its page, while
 * many write it, each in a process of its own.
 */
export async function benchLive(args: readonly string[]): Promise<string> {
  const values = readOptions('live', args, {
    watchers: { type: 'string', default: '100' },
    writers: { type: 'string', default: '10' },
    changes: { type: 'string', default: '60' },
  });
  const [watchers = 0, writers = 0, changes = 0] = Object.entries(values).map(([name, value]) => {
    if (!/^[1-9]\d{0,3}$/.test(value)) throw new Error(`--${name} takes a whole number from 1 to 9999.`);
    return Number(value);
  });
  return reportLive(await measureLive({ watchers, writers, changes }));
}

export async function measureLive(size: {
  watchers: number;
  writers: number;
  /** The changes of each writer, about one a second. */
  changes: number;
}): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), 'pagetree-bench-live-'));
  const writers = Array.from({ length: size.writers }, (_, at) => at);
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: 'main', placement: 'local', host });
  try {
    const content = `# ${PATH}\n\n${writers.map((writer) => `Writer ${writer}: change 0.`).join('\n\n')}\n\n${TEXT}`;
    await callOperation(opened.wiki, 'write_page', { wiki: 'main', path: PATH, content }, { caller: CALLER });
    const served = await servePagetree(directory);
    const watching = Array.from({ length: size.watchers }, () => new Watcher(served.origin, `/main/${PATH}`));
    try {
      while (watching.some(({ seen }) => seen.length === 0)) await setTimeout(50);
      const [beginBytes, beganMs, usedMs] = [
        await memoryOf(served.pid),
        Date.now(),
        await processorMs(served.pid),
      ];
      const leaving = leaveAtRandom(watching);
      const written = (await Promise.all(writers.map((each) => write(directory, each, size.changes)))).flat();
      const seconds = (Date.now() - beganMs) / 1_000;
      leaving.end();
      // The last changes are on their way.
      await setTimeout(SETTLE_MS);
      return {
        ...{ written, watchers: watching, seconds },
        order: await orderOf((input) => callOperation(opened.wiki, 'get_history', input, { caller: CALLER })),
        memory: { beginBytes, endBytes: await memoryOf(served.pid) },
        processorMs: (await processorMs(served.pid)) - usedMs,
      };
    } finally {
      await Promise.all(watching.map((watcher) => watcher.end()));
      await served.stop();
    }
  } finally {
    await opened.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Breaks one connection after the other, so that each watcher loses its own about every 20 s. */
function leaveAtRandom(watchers: readonly Watcher[]): { end(): void } {
  const leave = () => watchers[Math.floor(Math.random() * watchers.length)]?.leave();
  const timer = setInterval(leave, 20_000 / watchers.length);
  return { end: () => clearInterval(timer) };
}

async function write(directory: string, writer: number, changes: number): Promise<Written[]> {
  const script = fileURLToPath(new URL('writer.ts', import.meta.url));
  const args = [...process.execArgv, script, directory, PATH, String(writer), String(changes)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const written: Written[] = [];
  for await (const line of createInterface({ input: child.stdout }))
    written.push({ writer, ...JSON.parse(line) });
  const [code] = await ended;
  if (code !== 0) throw new Error(`Writer ${writer} failed.`);
  return written;
}

async function orderOf(ask: (input: object) => Promise<unknown>): Promise<string[]> {
  const commits: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const found = (await ask({ wiki: 'main', limit: 200, cursor })) as Output<'get_history'>;
    commits.push(...found.entries.map(({ commit }) => commit));
    cursor = found.next_cursor;
  }
  return commits.reverse();
}

const PATH = 'Watched';
const CALLER = { author: { name: 'Bench', email: 'bench@example.org' }, agent: 'bench/1' };
const SETTLE_MS = 5_000;
const TEXT = `${'A paragraph of some words that nobody changes, as most of a page is.\n\n'.repeat(100)}`;
