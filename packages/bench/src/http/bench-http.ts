import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openWiki } from '@pagetree/wiki';
import { callOperation } from '@pagetree/wiki/contract';
import { table } from '../markdown-table.ts';
import { memoryOf } from '../memory-of.ts';
import { readOptions } from '../options.ts';
import { percentile } from '../percentile.ts';
import { servePagetree } from '../web/served.ts';
import { runClient, type Tally } from './http-client.ts';

/**
 * `pnpm bench http [--clients N] [--seconds N]`: agents that write and read one wiki by HTTP at once, and whose
 * connections break at random. Native git says what became of their writes.
 */
export async function benchHttp(args: readonly string[]): Promise<string> {
  const values = readOptions('http', args, {
    clients: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '120' },
  });
  const [clients = 0, seconds = 0] = Object.entries(values).map(([name, value]) => {
    if (!/^[1-9]\d{0,3}$/.test(value)) throw new Error(`--${name} takes a whole number from 1 to 9999.`);
    return Number(value);
  });
  return reportHttp(await measureHttp({ clients, seconds }));
}

export interface Measured {
  clients: readonly Tally[];
  /** Acknowledged lines that are not in the newest pages, and lines that are there more than once. */
  lost: string[];
  doubled: string[];
  /** The resident memory of the server over time, in bytes. */
  memory: number[];
  seconds: number;
}

const PAGES = 10;

export async function measureHttp(size: { clients: number; seconds: number }): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), 'pagetree-bench-http-'));
  try {
    const host = { backend: 'local', versions: {}, problems: [] };
    const opened = await openWiki({ directory, wiki: 'main', placement: 'local', host });
    for (let page = 0; page < PAGES; page += 1) {
      const input = { wiki: 'main', path: `Shared/${page}`, content: `# ${page}\n` };
      await callOperation(opened.wiki, 'write_page', input, { caller: CALLER });
    }
    await opened.close();
    const served = await servePagetree(directory);
    const memory: number[] = [];
    const look = async () => memory.push(await memoryOf(served.pid));
    const timer = setInterval(look, 1_000);
    try {
      const endsAt = Date.now() + size.seconds * 1_000;
      const numbers = Array.from({ length: size.clients }, (_, at) => at);
      const url = `${served.origin}/mcp`;
      const clients = await Promise.all(numbers.map((each) => runClient(url, each, PAGES, endsAt)));
      await look();
      const lines = await linesOf(join(directory, 'main.git'));
      const acknowledged = clients.flatMap((client) => client.acknowledged);
      return {
        ...{ clients, memory, seconds: size.seconds },
        lost: acknowledged.filter((line) => !lines.has(line)),
        doubled: [...lines].flatMap(([line, count]) => (count > 1 ? [line] : [])),
      };
    } finally {
      clearInterval(timer);
      await served.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** How often each line of the clients is in the pages that native git shows. */
async function linesOf(repository: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let page = 0; page < PAGES; page += 1) {
    const args = ['-C', repository, 'show', `main:Shared/${page}.md`];
    const { stdout } = await promisify(execFile)('git', args, { maxBuffer: 256_000_000 });
    for (const line of stdout.split('\n').filter((each) => each.startsWith('client '))) {
      const key = `Shared/${page}\t${line}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

export function reportHttp({ clients, lost, doubled, memory, seconds }: Measured): string {
  const all = <Value>(of: (tally: Tally) => readonly Value[]) => clients.flatMap((client) => of(client));
  const statuses = new Map<number, number>();
  for (const [status, count] of all((client) => [...client.statuses])) {
    statuses.set(status, (statuses.get(status) ?? 0) + count);
  }
  const acknowledged = all((client) => client.acknowledged);
  const row = (name: string, values: readonly number[]) => [
    name,
    values.length,
    ...[0.5, 0.95, 1].map((share) => `${percentile(values, share).toFixed(1)} ms`),
  ];
  const megabytes = (bytes: number | undefined) => `${((bytes ?? Number.NaN) / 1e6).toFixed(0)} MB`;
  const broken = clients.reduce((sum, client) => sum + client.broken, 0);
  return [
    `${clients.length} clients for ${seconds} s, ${acknowledged.length} acknowledged writes, ${broken} broken connections.`,
    '',
    table(
      ['call', 'answered', 'p50', 'p95', 'max'],
      [
        row(
          'read_page',
          all((client) => client.readMs),
        ),
        row(
          'append_to_page',
          all((client) => client.writeMs),
        ),
      ],
    ),
    '',
    table(
      ['', ''],
      [
        ['acknowledged writes that are lost', lost.length],
        ['writes that were made twice', doubled.length],
        ['HTTP statuses', [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')],
        ['errors of tools besides busy', all((client) => client.errors).length],
        [
          'memory of the server at the beginning, at most, at the end',
          [memory[0], Math.max(...memory), memory.at(-1)].map(megabytes).join(', '),
        ],
      ],
    ),
  ].join('\n');
}

const CALLER = { author: { name: 'Bench', email: 'bench@example.org' }, agent: 'bench/1' };
