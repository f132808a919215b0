import fc from 'fast-check';
import type { FileWrite, Repository, Snapshot } from '../../src/core/ports.ts';
import { git, gitBytes } from '../native-git.ts';
import { changeOf, pathsOf, text } from '../test-repository.ts';

/** One commit of a made-up history. Numbers choose among what there is when its turn comes. */
export type Step =
  | { kind: 'write'; path: string; content: string }
  | { kind: 'move'; page: number; path: string; also: string }
  | { kind: 'delete'; page: number }
  /** Several pages written and one taken away in one commit. */
  | { kind: 'batch'; pages: { path: string; content: string }[]; page: number }
  | { kind: 'restore'; commit: number; page: number }
  /** By native git, with a clock of its own; `merge` goes by way of a branch from an older commit. */
  | { kind: 'external'; path: string; content: string; seconds: number; merge: number | null };

/** Paths that share last parts, in several scripts and forms; the decomposed one comes from elsewhere only. */
export const pagePaths = [
  'Home.md',
  'a/Home.md',
  'a/b/Note.md',
  'note.md',
  'C# Guide.md',
  'Über.md',
  '日本/ページ.md',
  'a/.kept/Note.md',
];
const foreignPaths = [...pagePaths, 'U\u0308ber.md', 'img.png', 'a/b#c.png', 'C.md'];

const sentences = [
  '# Getting started\n\nInstall the template and read [[Note]] or [[home]].\n',
  '---\ntitle: The index\naliases: [Start, TCP/IP]\ntags: [guide/setup]\n---\nSee [[C# Guide#Setup]] and ![[a/b#c.png]].\n',
  'Templates are templates. #Guide [home](Home.md) [up](../Home.md#top) `[[Note]]`\n',
  '## 使用模板\n\n全文検索はどう動くか [[ページ]] [[Start]] [[TCP/IP]]\n',
  'การค้นหาข้อความ café Straße ![[img.png]] [gone](nowhere.md)\n',
  'Plain words about a quick brown fox.\r\nSecond line about the tempalte. ^fox\r\n',
  '## Part {#own}\n\n<a id="x"></a> text\n',
  '---\ndescription: How a template is read\n---\nThe template is for all of us, and it is installed with the others.\n',
  '---\nsuperseded_by: "[[Note]]"\n---\nThe old way to set up a template, which is kept here for those who still have to read it, and for the links that lead to it from the pages of people who do not know the new way yet.\n',
  'Die Vorlage ist für alle da, und sie wird mit den anderen benutzt: Template.\n',
];
const contents = fc
  .array(fc.constantFrom(...sentences), { minLength: 0, maxLength: 4 })
  .map((parts) => parts.join('\n'));
const paths = fc.constantFrom(...pagePaths);

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('write' as const), path: paths, content: contents }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('move' as const),
        page: fc.nat(),
        path: paths,
        also: fc.constantFrom('', 'One line more.\n'),
      }),
    },
    fc.record({ kind: fc.constant('delete' as const), page: fc.nat() }),
    fc.record({
      kind: fc.constant('batch' as const),
      pages: fc.uniqueArray(fc.record({ path: paths, content: contents }), {
        selector: ({ path }) => path,
        minLength: 2,
        maxLength: 4,
      }),
      page: fc.nat(),
    }),
    fc.record({ kind: fc.constant('restore' as const), commit: fc.nat(), page: fc.nat() }),
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('external' as const),
        path: fc.constantFrom(...foreignPaths),
        content: contents,
        seconds: fc.integer({ min: 1_699_999_990, max: 1_700_000_030 }),
        merge: fc.option(fc.nat()),
      }),
    },
  ),
  { minLength: 3, maxLength: 12 },
);

/** Adds a step's commit to the wiki, unless it has nothing to do. Returns the head. */
export async function take(repository: Repository, directory: string, step: Step): Promise<string | null> {
  if (step.kind === 'external') commitFromOutside(directory, step);
  else {
    const files = await filesOf(repository, directory, step);
    if (files.length > 0)
      await repository.write(
        changeOf(files, { message: `${step.kind}`, agent: step.kind === 'write' ? 'Test/1' : null }),
      );
  }
  return (await repository.head()).commit;
}

async function filesOf(
  repository: Repository,
  directory: string,
  step: Exclude<Step, { kind: 'external' }>,
): Promise<FileWrite[]> {
  const head = await repository.head();
  if (step.kind === 'write') return [text(step.path, step.content)];
  if (step.kind === 'restore') {
    const commits = head.commit === null ? [] : git(directory, ['rev-list', head.commit]).split('\n');
    const commit = commits[step.commit % Math.max(1, commits.length)];
    if (commit === undefined) return [];
    const before = await repository.at(commit);
    const entry = await choose(before, step.page);
    return entry === null ? [] : [{ path: entry.path, oid: entry.oid, mode: entry.mode }];
  }
  const entry = await choose(head, step.page);
  if (step.kind === 'batch') {
    const written = step.pages.map(({ path, content }) => text(path, content));
    const isKept = entry === null || step.pages.some(({ path }) => path === entry.path);
    return isKept ? written : [...written, { path: entry.path, remove: true }];
  }
  if (entry === null) return [];
  if (step.kind === 'delete') return [{ path: entry.path, remove: true }];
  if ((await head.entry(step.path)) !== null) return [];
  const content = Buffer.concat([await head.blob(entry.oid), Buffer.from(step.also)]);
  return [
    { path: step.path, content },
    { path: entry.path, remove: true },
  ];
}

async function choose(snapshot: Snapshot, page: number) {
  const found = await pathsOf(snapshot);
  const path = found[page % Math.max(1, found.length)];
  return path === undefined ? null : snapshot.entry(path);
}

function commitFromOutside(directory: string, step: Extract<Step, { kind: 'external' }>): void {
  const head = git(directory, ['for-each-ref', '--format=%(objectname)', 'refs/heads/main']);
  const { path, content, seconds, merge } = step;
  let parents = head === '' ? [] : [head];
  if (head !== '' && merge !== null) {
    const commits = git(directory, ['rev-list', head]).split('\n');
    const fork = commits[merge % commits.length] ?? head;
    parents = [head, commitFile(directory, [fork], `side ${path}`, seconds - 5, `beside-${path}`, content)];
  }
  const commit = commitFile(directory, parents, `external ${path}`, seconds, path, content);
  git(directory, ['update-ref', 'refs/heads/main', commit]);
}

function commitFile(
  directory: string,
  parents: readonly string[],
  message: string,
  seconds: number,
  path: string,
  content: string,
): string {
  const date = `${seconds} +0000`;
  const env = {
    GIT_INDEX_FILE: `${directory}/index-of-test`,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
    GIT_AUTHOR_NAME: 'Grace Hopper',
  };
  const run = (args: string[], input?: string) => gitBytes(directory, args, { env, input }).toString().trim();
  run(parents[0] === undefined ? ['read-tree', '--empty'] : ['read-tree', parents[0]]);
  const blob = run(['hash-object', '-w', '--stdin'], content);
  run(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`]);
  const tree = run(['write-tree']);
  return run(['commit-tree', ...parents.flatMap((parent) => ['-p', parent]), '-m', message, tree]);
}
