import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { changedPage, pagePath, randomNumbers, type WikiShape } from '../../../../labs/wikis/wiki-text.ts';
import type { Command } from './engines/protocol.ts';
import type { Miss, Sample } from './samples.ts';

/**
 * The measured operations, in this order. The later ones build an index, which earlier ones do without.
 * - read_cold: opening the wiki in a new process (on NFS with a mount that did nothing before), and the first
 * page.
 * - write: a page is appended to. write_after_foreign: just after another client wrote.
 * - read_again: the page read just before. read_other: any page.
 * - read_warm: the page that another client has just written. read_other_after_foreign: any page, just after
 * that.
 * - diff, list, recent, history: see `Command`.
 */
export const operations = [
  'read_cold',
  'write',
  'write_after_foreign',
  'read_again',
  'read_other',
  'read_warm',
  'read_other_after_foreign',
  'diff',
  'list',
  'recent',
  'history',
] as const;
export type Operation = (typeof operations)[number];

/** Another client writes just before each of these. */
export const followsForeign: ReadonlySet<Operation> = new Set([
  'write_after_foreign',
  'read_warm',
  'read_other_after_foreign',
]);

/** The number of samples of each operation; omitted operations are not measured. */
export type Counts = Partial<Record<Operation, number>>;

/** A process of an engine that has a wiki open. */
export interface Client {
  /** @throws EngineGone, EngineFailed; `limitSeconds` is that of the run if absent. */
  run(command: Command, limitSeconds?: number): Promise<Sample & { text?: string }>;
  end(): Promise<void>;
}

/** Commits of a wiki that `buildWiki` made, each with the page that the next one changed. */
export type Change = Extract<Command, { do: 'diff' }>;

/** Seeded questions and changes to one wiki. */
export interface Draw {
  read(): Extract<Command, { do: 'read' }>;
  append(): Extract<Command, { do: 'append' }>;
  change(): Change;
}

/** `workingPages`: pages are drawn from so many, so that wikis of different sizes meet as many folders. */
export function drawFrom(shape: WikiShape, changes: readonly Change[], workingPages = shape.pages): Draw {
  const random = randomNumbers(11);
  const below = (most: number) => Math.floor(random() * most);
  const path = () => pagePath(shape, below(Math.min(workingPages, shape.pages)));
  return {
    read: () => ({ do: 'read', path: path() }),
    append: () => ({ do: 'append', path: path(), text: `A note, number ${below(2 ** 32)}.\n` }),
    change() {
      const change = changes[below(changes.length)];
      if (change === undefined) throw new Error('This wiki has no changes.');
      return change;
    },
  };
}

/** Some changes from all over a wiki's history. */
export async function sampleChanges(wiki: string, shape: WikiShape): Promise<Change[]> {
  const list = ['-C', wiki, 'rev-list', '--reverse', 'main'];
  const { stdout } = await promisify(execFile)('git', list, { maxBuffer: 2 ** 28 });
  const oids = stdout.trim().split('\n');
  const random = randomNumbers(3);
  return Array.from({ length: 30 }, () => {
    const commit = 1 + Math.floor(random() * (shape.commits - 1));
    return { do: 'diff', path: pagePath(shape, changedPage(shape, commit)), from: oids[commit - 1] ?? '' };
  });
}

export interface Stage {
  own: Client;
  /** Another process; on NFS with a mount of its own. */
  other: Client;
  draw: Draw;
}

/** One sample of each operation of a process that has the wiki open. */
export const scenarios: Readonly<
  Record<Exclude<Operation, 'read_cold'>, (stage: Stage) => Promise<Sample | Miss>>
> = {
  write: ({ own, draw }) => own.run(draw.append()),
  async write_after_foreign({ own, other, draw }) {
    await other.run(draw.append());
    return own.run(draw.append());
  },
  async read_again({ own, draw }) {
    const read = draw.read();
    await own.run(read);
    return own.run(read);
  },
  read_other: ({ own, draw }) => own.run(draw.read()),
  async read_warm({ own, other, draw }) {
    const append = draw.append();
    await other.run(append);
    const sample = await own.run({ do: 'read', path: append.path });
    return sample.text?.includes(append.text.trim()) ? sample : { missed: 'stale' };
  },
  async read_other_after_foreign({ own, other, draw }) {
    await other.run(draw.append());
    return own.run(draw.read());
  },
  diff: ({ own, draw }) => own.run(draw.change()),
  list: ({ own }) => own.run({ do: 'list' }),
  recent: ({ own }) => own.run({ do: 'recent' }),
  history: ({ own, draw }) => own.run({ do: 'history', path: draw.change().path }),
};
