import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Oid } from '../src/formats/oid.ts';
import { bareRepository, git } from './native-git.ts';

/** Histories that native git makes, to be fetched. */
export interface MadeHistory {
  directory: string;
  commits: Oid[];
  /** The last of them, which `main` names. */
  tip: Oid;
}

export interface MadeCommit {
  /** Numbers of earlier commits. */
  parents: number[];
  /** Null removes a file. */
  files: Record<string, string | null>;
  /** The date; the days need not be in order. */
  day: number;
}

const paths = fc.constantFrom('A.md', 'B.md', 'notes/C.md', 'notes/deep/D.md', 'notes', 'E/F.md');
const contents = fc.constantFrom('one', 'two', 'three', 'x'.repeat(500), null);
export const histories = fc.array(
  fc.record({
    parents: fc.array(fc.nat(11), { maxLength: 3 }),
    files: fc.dictionary(paths, contents, { maxKeys: 3 }),
    day: fc.integer({ min: 1, max: 20 }),
  }),
  { minLength: 1, maxLength: 12 },
);

export function madeOf(history: readonly MadeCommit[]): MadeHistory {
  const directory = bareRepository();
  const commits: Oid[] = [];
  for (const { parents, files, day } of history) {
    const named = parents.flatMap((at) => commits[at] ?? []);
    commits.push(commit(directory, [...new Set(named)], files, day));
  }
  const tip = commits.at(-1) ?? '';
  git(directory, ['update-ref', 'refs/heads/main', tip]);
  // All are there, whatever the branch reaches.
  const kept = commits.map((oid, at) => `update refs/kept/${at} ${oid}\n`);
  git(directory, ['update-ref', '--stdin'], kept.join(''));
  return { directory, commits, tip };
}

/** So many commits one after another, each of the next day. */
export function line(count: number): MadeHistory {
  return madeOf(
    Array.from({ length: count }, (_, at) => ({
      ...{ parents: at === 0 ? [] : [at - 1], files: { 'Page.md': `text ${at}` }, day: at + 1 },
    })),
  );
}

/** Two lines of work that are merged. */
export function branches(): MadeHistory {
  return madeOf([
    { parents: [], files: { 'A.md': 'one', 'notes/B.md': 'two' }, day: 1 },
    { parents: [0], files: { 'A.md': 'three' }, day: 2 },
    { parents: [0], files: { 'notes/B.md': 'four', 'notes/C.md': 'one' }, day: 3 },
    { parents: [1, 2], files: { 'D.md': 'two' }, day: 4 },
    { parents: [3], files: { 'notes/B.md': null, 'notes/C.md': null, 'E/F.md': 'one' }, day: 5 },
  ]);
}

export const DAY = 86_400;

/** A commit of the files of its first parent with these changes. */
export function commit(
  directory: string,
  parents: readonly Oid[],
  files: MadeCommit['files'],
  day: number,
): Oid {
  const [first] = parents;
  git(directory, first === undefined ? ['read-tree', '--empty'] : ['read-tree', first]);
  const lines = Object.entries(files).flatMap(([path, content]) => {
    const removed = `0 ${'0'.repeat(40)}\t${path}\n`;
    if (content === null) return [removed];
    const blob = git(directory, ['hash-object', '-w', '--stdin'], content);
    return [removed, `100644 ${blob}\t${path}\n`];
  });
  git(directory, ['update-index', '--add', '--replace', '--index-info'], lines.join(''));
  const signature = `A <a@example.org> ${DAY * day} +0000`;
  const headers = [
    `tree ${git(directory, ['write-tree'])}`,
    ...parents.map((oid) => `parent ${oid}`),
    `author ${signature}`,
    `committer ${signature}`,
  ];
  return git(
    directory,
    ['hash-object', '-t', 'commit', '-w', '--stdin'],
    `${headers.join('\n')}\n\nDay ${day}\n`,
  );
}

/**
 * More than a thousand objects in one large pack, many of them deltas. `bytes` is the size of that pack. Git has deltas rest
 * on the longer version, which is the older one if pages shrink.
 */
export function longHistory({ shrinks = false } = {}): { directory: string; tip: Oid; bytes: number } {
  const directory = bareRepository();
  const commits: string[] = [];
  for (let day = 1; day <= 20; day += 1) {
    commits.push(`commit refs/heads/main\ncommitter A <a@example.org> ${day} +0000\ndata 0\n`);
    for (let page = 0; page < 60; page += 1) {
      const text = `${longText(page)}\nDay ${day}\n${'.'.repeat(shrinks ? 400 - 20 * day : 0)}\n`;
      commits.push(`M 100644 inline notes/page-${page}.md\ndata ${text.length}\n${text}\n`);
    }
  }
  git(directory, ['fast-import', '--quiet'], commits.join(''));
  git(directory, ['repack', '-adfq']);
  const counted = /^size-pack: (\d+)$/m.exec(git(directory, ['count-objects', '-v']))?.[1];
  return { directory, tip: git(directory, ['rev-parse', 'main']), bytes: Number(counted) * 1_024 };
}

/** A large pack of so many commits, each of which changes one of 60 pages. */
export function manyCommits(count: number): { directory: string; tip: Oid } {
  const directory = bareRepository();
  const commits = Array.from({ length: count }, (_, at) => {
    const head = `commit refs/heads/main\ncommitter A <a@example.org> ${at} +0000\ndata 0\n`;
    const text = `${longText(at % 60)}\n${at}\n`;
    return `${head}M 100644 inline notes/page-${at % 60}.md\ndata ${text.length}\n${text}\n`;
  });
  git(directory, ['fast-import', '--quiet'], commits.join(''));
  git(directory, ['repack', '-adfq']);
  return { directory, tip: git(directory, ['rev-parse', 'main']) };
}

function longText(page: number): string {
  const lines = Array.from({ length: 120 }, (_, at) =>
    createHash('sha512').update(`${page} ${at}`).digest('base64'),
  );
  return lines.join('\n');
}
