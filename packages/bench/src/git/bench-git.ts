import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cached } from '../../../../labs/requirements.ts';
import { buildWiki } from '../../../../labs/wikis/build-wiki.ts';
import { table } from '../markdown-table.ts';
import { median } from '../median.ts';
import { readOptions } from '../options.ts';
import { servePagetree } from '../web/served.ts';
import { type Counted, countBytes } from './count-bytes.ts';
import { GitClient } from './git-client.ts';
import { serveHttpBackend } from './http-backend.ts';

/**
 * `pnpm bench git [--pages N] [--runs N]`: native git clones, pushes a page and fetches it, by HTTP from `pnpm serve` and
 * from `git http-backend`, in turns. The repositories are equal at the beginning.
 */
export async function benchGit(args: readonly string[]): Promise<string> {
  const values = readOptions('git', args, {
    pages: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '5' },
  });
  const [pages, runs] = [Number(values.pages), Number(values.runs)];
  if (!(Number.isInteger(pages) && pages > 0)) throw new Error('--pages takes a whole number above 0.');
  if (!(Number.isInteger(runs) && runs > 0)) throw new Error('--runs takes a whole number above 0.');
  return reportOf(await measureGit(pages, runs), pages, runs);
}

/** The steps of each run, in this order. `clone` is the first clone of a head that was pushed in the run before. */
const STEPS = ['clone', 'clone again', 'clone --depth 1', 'push one page', 'fetch one page'] as const;
type Step = (typeof STEPS)[number];

interface Taken {
  ms: number;
  bytes: number;
}

/** The first clone of all comes once, before anything is known of the history. */
const FIRST = 'first clone of all';
/** By a server that has just been started again. */
const RESTARTED = 'clone after a start';
const ROWS = [FIRST, RESTARTED, ...STEPS] as const;

type Times = Record<(typeof ROWS)[number], Taken[]>;

export async function measureGit(pages: number, runs: number): Promise<BothTimes> {
  const place = await mkdtemp(join(tmpdir(), 'pagetree-bench-git-'));
  try {
    const shape = { pages, commits: pages };
    const built = await cached('wiki', JSON.stringify(shape), (directory) =>
      buildWiki(join(directory, 'wiki.git'), shape),
    );
    for (const side of ['pagetree', 'backend']) {
      await mkdir(join(place, side));
      await cp(join(built, 'wiki.git'), join(place, side, 'main.git'), { recursive: true });
    }
    const times = { pagetree: noTimes(), backend: noTimes() };
    await withSides(place, times, async (sides) => {
      // The first round fills caches. Only its first clone counts.
      for (let run = 0; run <= runs; run += 1) for (const side of sides) await side.run(run);
    });
    for (let run = 0; run < runs; run += 1)
      await withSides(place, times, async (sides) => {
        for (const side of sides) await side.cloneOnce(run);
      });
    return times;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

type BothTimes = Record<'pagetree' | 'backend', Times>;

/** Starts both servers, and ends them after the work. */
async function withSides(
  place: string,
  times: BothTimes,
  work: (sides: Side[]) => Promise<void>,
): Promise<void> {
  const pagetree = await servePagetree(join(place, 'pagetree'));
  const backend = await serveHttpBackend(join(place, 'backend'));
  const counted = await Promise.all([pagetree, backend].map(({ origin }) => countBytes(origin)));
  try {
    const [ours, theirs] = counted;
    if (ours === undefined || theirs === undefined) throw new Error('There are two sides.');
    await work([new Side(ours, place, times.pagetree), new Side(theirs, place, times.backend)]);
  } finally {
    await Promise.all(counted.map((each) => each.stop()));
    await Promise.all([pagetree.stop(), backend.stop()]);
  }
}

function noTimes(): Times {
  return Object.fromEntries(ROWS.map((row) => [row, [] as Taken[]])) as Times;
}

class Side {
  readonly #times: Times;
  readonly #counted: Counted;
  readonly #place: string;

  constructor(counted: Counted, place: string, times: Times) {
    this.#counted = counted;
    this.#place = place;
    this.#times = times;
  }

  async run(number: number): Promise<void> {
    const [writer, reader, shallow] = ['writer', 'reader', 'shallow'].map((name) =>
      this.#client(`${name}-${number}`),
    ) as [GitClient, GitClient, GitClient];
    const time = async (step: Step, work: () => Promise<void>) => {
      const taken = await this.#timed(work);
      if (number > 0) this.#times[step].push(taken);
      else if (step === 'clone') this.#times[FIRST].push(taken);
    };
    await time('clone', () => writer.clone(this.#url));
    await time('clone again', () => reader.clone(this.#url));
    await time('clone --depth 1', () => shallow.clone(this.#url, '--depth', '1'));
    await writer.changePage(number);
    await time('push one page', () => writer.push());
    await time('fetch one page', () => reader.fetch());
    if ((await reader.head('origin/main')) !== (await writer.head('HEAD')))
      throw new Error('The page did not come.');
    await reader.check();
    await Promise.all([writer, reader, shallow].map((client) => client.remove()));
  }

  async cloneOnce(number: number): Promise<void> {
    const client = this.#client(`restarted-${number}`);
    this.#times[RESTARTED].push(await this.#timed(() => client.clone(this.#url)));
    await client.check();
    await client.remove();
  }

  get #url(): string {
    return `http://127.0.0.1:${this.#counted.port}/main.git`;
  }

  #client(name: string): GitClient {
    return new GitClient(join(this.#place, `${name}-${this.#counted.port}`), this.#counted.host);
  }

  async #timed(work: () => Promise<void>): Promise<Taken> {
    const before = this.#counted.bytes();
    const began = performance.now();
    await work();
    return { ms: performance.now() - began, bytes: this.#counted.bytes() - before };
  }
}

function reportOf({ pagetree, backend }: BothTimes, pages: number, runs: number): string {
  const at = (times: Times, step: keyof Times, of: (taken: Taken) => number) => median(times[step].map(of));
  const rows = ROWS.map((step) => {
    const [ours, theirs] = [pagetree, backend].map((times) => ({
      ms: at(times, step, ({ ms }) => ms),
      bytes: at(times, step, ({ bytes }) => bytes),
    })) as [Taken, Taken];
    return [
      step,
      `${Math.round(ours.ms)} ms`,
      `${Math.round(theirs.ms)} ms`,
      `**${(ours.ms / theirs.ms).toFixed(2)}**`,
      AT_MOST[step],
      `${(ours.bytes / 1e3).toFixed(1)} kB`,
      `${(theirs.bytes / 1e3).toFixed(1)} kB`,
      `**${(ours.bytes / theirs.bytes).toFixed(2)}**`,
    ];
  });
  return [
    `${pages} pages and ${pages} commits, medians of ${runs} runs in turns, one first clone, and a restart before each clone after a start; \`git fsck\` finds each clone sound.`,
    '',
    table(
      [
        'native git',
        'Pagetree',
        'git http-backend',
        'times as long',
        'at most',
        'bytes',
        'http-backend',
        'times as many',
      ],
      rows,
    ),
  ].join('\n');
}

const AT_MOST: Record<keyof Times, string> = {
  [FIRST]: '2',
  [RESTARTED]: '2',
  clone: '2',
  'clone again': '2',
  'clone --depth 1': '',
  'push one page': '1.2',
  'fetch one page': '1.2',
};
