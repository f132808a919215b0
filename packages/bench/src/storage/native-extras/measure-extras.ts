import { execFile } from 'node:child_process';
import { cp, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { changedPage, pagePath, type WikiShape } from '../../../../../labs/wikis/wiki-text.ts';
import { calibrate } from '../../index/measure.ts';
import { type NativeWiki, writeOn } from './native-wikis.ts';

export interface ExtrasMeasure {
  title: string;
  packs: number;
  calibrationMilliseconds: number;
  /** By command and variant, in milliseconds. */
  times: Record<string, Record<string, { median: number; least: number }>>;
  /** The cost of writing each of them: time in milliseconds, and disk space in bytes. */
  costs: Record<string, { milliseconds: number; bytes: number }>;
}

const GRAPH = ['commit-graph', 'write', '--reachable', '--no-progress'];
const WITH_PATHS = [...GRAPH, '--changed-paths', '--split'];
/** The extras to write beside the packs, each on a copy of its own. */
const extras: Readonly<Record<string, readonly string[]>> = {
  'as it is': [],
  'multi-pack-index': ['multi-pack-index', 'write', '--no-progress'],
  'commit-graph': GRAPH,
  'with changed paths': WITH_PATHS,
};
const LATER = 'with changed paths, 100 writes later';
const AGAIN = 'with changed paths, brought up to date';
const ROUNDS = 9;

/** Each round asks every copy the same, one after another, so that all meet the same machine. */
export async function measureExtras(wiki: NativeWiki): Promise<ExtrasMeasure> {
  const copies: Record<string, string> = {};
  const costs: ExtrasMeasure['costs'] = {};
  for (const [variant, command] of Object.entries(extras)) {
    const copy = await copyOf(wiki, variant);
    copies[variant] = copy;
    if (command.length > 0) costs[variant] = await costOf(copy, command);
  }
  const later = await copyOf(wiki, LATER);
  await costOf(later, WITH_PATHS);
  await writeOn(dirname(later), wiki.shape, 100);
  copies[LATER] = later;
  const again = `${later}.again`;
  await cp(later, again, { recursive: true, verbatimSymlinks: true });
  costs[AGAIN] = await costOf(again, WITH_PATHS);

  const calibrationMilliseconds = await calibrate();
  const times: ExtrasMeasure['times'] = {};
  for (const [name, arguments_] of Object.entries(questionsOf(wiki.shape))) {
    const taken: Record<string, number[]> = Object.fromEntries(Object.keys(copies).map((copy) => [copy, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [variant, copy] of Object.entries(copies)) {
        taken[variant]?.push(await timeOf(copy, arguments_));
      }
    }
    times[name] = Object.fromEntries(Object.entries(taken).map(([variant, all]) => [variant, summary(all)]));
  }
  const packs = await packsIn(join(wiki.directory, 'main.git'));
  return { title: wiki.title, packs, calibrationMilliseconds, times, costs };
}

/** The questions of a person to native git, in the words of the table. */
function questionsOf(shape: WikiShape): Readonly<Record<string, readonly string[]>> {
  const page = pagePath(shape, changedPage(shape, Math.floor(shape.commits / 2)));
  return {
    '`git log -- PAGE`': ['log', 'main', '--', page],
    '`git log -- FOLDER`': ['log', 'main', '--', dirname(page)],
    '`git log`': ['log', 'main'],
    '`git log -20`': ['log', '-20', 'main'],
    '`git show main:PAGE`': ['show', `main:${page}`],
    '`git rev-list --count main`': ['rev-list', '--count', 'main'],
    '`git ls-tree -r main`': ['ls-tree', '-r', 'main'],
    '`git rev-list --objects main`': ['rev-list', '--objects', 'main'],
  };
}

async function copyOf(wiki: NativeWiki, variant: string): Promise<string> {
  const copy = join(wiki.directory, variant.replaceAll(/\W+/g, '-'), 'main.git');
  await cp(join(wiki.directory, 'main.git'), copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

async function costOf(repository: string, command: readonly string[]) {
  const before = await bytesBelow(join(repository, 'objects'));
  const milliseconds = await timeOf(repository, command);
  return { milliseconds, bytes: (await bytesBelow(join(repository, 'objects'))) - before };
}

async function timeOf(repository: string, command: readonly string[]): Promise<number> {
  const started = performance.now();
  await promisify(execFile)('git', ['-C', repository, ...command], { maxBuffer: 2 ** 28 });
  return performance.now() - started;
}

function summary(times: readonly number[]): { median: number; least: number } {
  const sorted = times.toSorted((one, other) => one - other);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, least: sorted[0] ?? Number.NaN };
}

async function packsIn(repository: string): Promise<number> {
  const files = await readdir(join(repository, 'objects/pack'));
  return files.filter((file) => file.endsWith('.idx')).length;
}

async function bytesBelow(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name))));
  return sizes.reduce((total, { size }) => total + size, 0);
}
