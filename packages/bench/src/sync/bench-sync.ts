import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openWiki } from '@pagetree/wiki';
import { type Call, callOperation, type Output, type Wiki } from '@pagetree/wiki/contract';
import { cached } from '../../../../labs/requirements.ts';
import { buildWiki } from '../../../../labs/wikis/build-wiki.ts';
import { countBytes } from '../git/count-bytes.ts';
import { serveHttpBackend } from '../git/http-backend.ts';
import { table } from '../markdown-table.ts';
import { median } from '../median.ts';
import { readOptions } from '../options.ts';
import { servePagetree } from '../web/served.ts';

/**
 * `pnpm bench sync [--pages N] [--runs N]`: the time from the acknowledgment of a change to the moment at which the remote
 * has it, and the bytes on the wire. The remote is `git http-backend`, and `pnpm serve` syncs, in a process of its own.
 */
export async function benchSync(args: readonly string[]): Promise<string> {
  const values = readOptions('sync', args, {
    pages: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '20' },
  });
  const [pages, runs] = [Number(values.pages), Number(values.runs)];
  if (!(Number.isInteger(pages) && pages > 0)) throw new Error('--pages takes a whole number above 0.');
  if (!(Number.isInteger(runs) && runs > 0)) throw new Error('--runs takes a whole number above 0.');
  return reportOf(await measureSync(pages, runs), pages);
}

interface Reached {
  ms: number;
  bytes: number;
}

async function measureSync(pages: number, runs: number): Promise<Reached[]> {
  const place = await mkdtemp(join(tmpdir(), 'pagetree-bench-sync-'));
  try {
    const shape = { pages, commits: pages };
    const built = await cached('wiki', JSON.stringify(shape), (directory) =>
      buildWiki(join(directory, 'wiki.git'), shape),
    );
    for (const side of ['wikis', 'remote']) {
      await mkdir(join(place, side));
      await cp(join(built, 'wiki.git'), join(place, side, 'main.git'), { recursive: true });
    }
    const backend = await serveHttpBackend(join(place, 'remote'));
    const counted = await countBytes(backend.origin);
    const host = { backend: 'local', versions: {}, problems: [] };
    const opened = await openWiki({ directory: join(place, 'wikis'), wiki: null, placement: 'local', host });
    const url = `http://127.0.0.1:${counted.port}/main.git`;
    const remote = { url, mode: 'two-way', branch: null, every_ms: 3_600_000, token_from: null };
    await callOperation(opened.wiki, 'set_remote', { remote }, CALL);
    const server = await servePagetree(join(place, 'wikis'));
    try {
      const ref = join(place, 'remote', 'main.git', 'refs', 'heads', 'main');
      const reached: Reached[] = [];
      // The first one waits for the start of the sync, and is not counted.
      for (let run = 0; run <= runs; run += 1) {
        const found = await changeOnce(opened.wiki, ref, () => counted.bytes(), run);
        if (run > 0) reached.push(found);
        await pause(PAUSE_MS);
      }
      return reached;
    } finally {
      await server.stop();
      await opened.close();
      await counted.stop();
      await backend.stop();
    }
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function changeOnce(wiki: Wiki, ref: string, bytes: () => number, run: number): Promise<Reached> {
  const before = bytes();
  const input = { path: `Measured/Page ${run}`, content: `Change ${run}.\n` };
  const { commit } = (await callOperation(wiki, 'write_page', input, CALL)) as Output<'write_page'>;
  const began = performance.now();
  for (;;) {
    const text = await readFile(ref, 'utf8').catch(() => '');
    if (text.trim() === commit) break;
    if (performance.now() - began > GIVE_UP_MS) throw new Error('The change did not reach the remote.');
    await pause(LOOK_MS);
  }
  const ms = performance.now() - began;
  await pause(PAUSE_MS);
  return { ms, bytes: bytes() - before };
}

function reportOf(reached: readonly Reached[], pages: number): string {
  const times = reached.map(({ ms }) => ms).sort((one, other) => one - other);
  const last = times[Math.ceil(times.length * 0.95) - 1] ?? 0;
  const sent = reached.map(({ bytes }) => bytes);
  return [
    `${pages} pages and commits; ${reached.length} changes of one page, from the acknowledgment to the remote.`,
    '',
    table(
      ['', 'median', 'p95 or most'],
      [
        ['ms', String(Math.round(median(times))), String(Math.round(last))],
        ['bytes on the wire, both ways', String(median(sent)), String(Math.max(...sent))],
      ],
    ),
  ].join('\n');
}

const CALL: Call = { caller: { author: { name: 'A. Writer', email: 'writer@example.org' }, agent: null } };
const LOOK_MS = 5;
const PAUSE_MS = 500;
const GIVE_UP_MS = 120_000;
