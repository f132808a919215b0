import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { bareRepository, git, temporaryDirectory } from '../../test/native-git.ts';
import { steps, take } from '../../test/search/random-wiki.ts';
import { expectSameAnswers } from '../../test/search/same-answers.ts';
import { openTestIndexes } from '../../test/search/test-indexes.ts';
import { changeOf, openTestRepository, text } from '../../test/test-repository.ts';
import type { OpenIndex } from '../core/index-port.ts';
import type { Repository } from '../core/ports.ts';
import { scanIndex } from './scan-index.ts';

const paths = ['Home', 'a/Home', 'a/b/Note', 'note', 'C# Guide', 'Über', '日本/ページ', 'Page 3', 'Never'];

async function openWikiOf(pages: number) {
  const directory = bareRepository();
  const repository = await openTestRepository(directory);
  const files = Array.from({ length: pages }, (_, at) =>
    text(`Page ${at}.md`, `# Template ${at}\n\nSee [[Page ${at + 1}]] and the index.\n`),
  );
  await repository.write(changeOf(files));
  return { directory, repository, head: await write(repository, 'Page 1.md', 'Changed template.\n') };
}

async function write(repository: Repository, path: string, content: string): Promise<string> {
  await repository.write(changeOf([text(path, content)]));
  return (await repository.head()).commit ?? '';
}

const unfinishedIn = async (directory: string) =>
  (await readdir(directory).catch(() => [])).filter((name) => name.includes('-unfinished-'));
const wholeIn = async (directory: string) =>
  (await readdir(directory).catch(() => [])).filter((name) => /^\d+-\d+-/.test(name));

/** One process after another, each of which ends its build after it saved `pieces` of it. */
interface Processes {
  repository: Repository;
  snapshotDirectory: string;
  pieces: number;
}

/** Each step is too long. Less than nothing: the time that a thread has had stands still for milliseconds. */
const NO_TIME_MS = -1;

let names = 0;

/** Builds in a new process, and ends that after some pieces. Returns the open index if it came to the end. */
async function buildInNewProcess(processes: Processes, head: string): Promise<OpenIndex | null> {
  const { repository, snapshotDirectory, pieces } = processes;
  let saves = 0;
  const indexes = await openTestIndexes({
    keepEveryMs: NO_TIME_MS,
    randomName: () => {
      const name = `cut-${names++}`;
      // The name of the working copy, then two for each save.
      if (saves++ === 2 * pieces) void index.close();
      return name;
    },
  });
  const index = indexes.open({ repository, snapshotDirectory, readOnly: false });
  try {
    await index.catchUp(head);
    return index;
  } catch (error) {
    expect(error).toMatchObject({ code: 'busy' });
    await index.close();
    return null;
  }
}

/** Repeats that until a process comes to the end. */
async function buildInProcesses(processes: Processes, head: string) {
  for (let count = 1; count < 200; count++) {
    const index = await buildInNewProcess(processes, head);
    if (index !== null) return { index, count };
  }
  throw new Error('No build came to an end.');
}

test('after any history an index that many processes built answers as an uncut one and as git alone', async () => {
  let mostProcesses = 0;
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 2, max: 9 }), fc.nat(), async (history, pieces, older) => {
      const directory = bareRepository();
      const repository = await openTestRepository(directory);
      for (const step of history) await take(repository, directory, step);
      const head = (await repository.head()).commit;
      if (head === null) return;
      const processes = { repository, snapshotDirectory: temporaryDirectory(), pieces };
      const { index, count } = await buildInProcesses(processes, head);
      mostProcesses = Math.max(mostProcesses, count);
      const judge = scanIndex(repository);
      await expectSameAnswers(index, judge, head, paths);
      const uncut = (await openTestIndexes()).open({
        repository,
        snapshotDirectory: temporaryDirectory(),
        readOnly: true,
      });
      await expectSameAnswers(index, uncut, head, paths);
      const commits = git(directory, ['rev-list', head]).split('\n');
      await expectSameAnswers(index, judge, commits[older % commits.length] ?? head, paths);
    }),
    sampled({ numRuns: 5 }, { numRuns: 2, seed: 25 }),
  );
  expect(mostProcesses).toBeGreaterThan(3);
});

test('a build that many processes share does little twice, and leaves one whole snapshot', async () => {
  const { repository, head } = await openWikiOf(30);
  const snapshotDirectory = join(temporaryDirectory(), 'snapshots');
  const { count } = await buildInProcesses({ repository, snapshotDirectory, pieces: 6 }, head);
  // Two commits are found and read, and 30 pages are read and dated, each in a piece.
  expect(count).toBeGreaterThan(5);
  expect(count).toBeLessThan(64 / 6 + 2);
  expect(await unfinishedIn(snapshotDirectory)).toEqual([]);
  expect(await wholeIn(snapshotDirectory)).toHaveLength(1);
  await expectSameAnswers(
    (await openTestIndexes()).open({ repository, snapshotDirectory, readOnly: true }),
    scanIndex(repository),
    head,
    paths,
  );
});

test('an unfinished build is finished for its commit, and then caught up with the newest one', async () => {
  const { repository, head } = await openWikiOf(30);
  const processes = { repository, snapshotDirectory: temporaryDirectory(), pieces: 20 };
  expect(await buildInNewProcess(processes, head)).toBeNull();
  const [begun = ''] = await unfinishedIn(processes.snapshotDirectory);
  expect(begun).toContain(head);
  const next = await write(repository, 'Page 3.md', 'Newer template, see [[Page 9]].\n');
  const { index } = await buildInProcesses(processes, next);
  await expectSameAnswers(index, scanIndex(repository), next, paths);
});

test('an unfinished build of another history is passed over', async () => {
  const [ours, other] = [await openWikiOf(30), await openWikiOf(40)];
  const snapshotDirectory = temporaryDirectory();
  const others = { repository: other.repository, snapshotDirectory, pieces: 40 };
  expect(await buildInNewProcess(others, other.head)).toBeNull();
  const processes = { repository: ours.repository, snapshotDirectory, pieces: 9 };
  const { index, count } = await buildInProcesses(processes, ours.head);
  expect(count).toBeLessThan(64 / 9 + 2);
  await expectSameAnswers(index, scanIndex(ours.repository), ours.head, paths);
});

test('a damaged unfinished build is passed over', async () => {
  const { repository, head } = await openWikiOf(30);
  const processes = { repository, snapshotDirectory: temporaryDirectory(), pieces: 20 };
  expect(await buildInNewProcess(processes, head)).toBeNull();
  for (const name of await unfinishedIn(processes.snapshotDirectory)) {
    const file = join(processes.snapshotDirectory, name);
    const content = await readFile(file);
    await writeFile(file, content.subarray(0, content.length >> 1));
  }
  const { index } = await buildInProcesses({ ...processes, pieces: 9 }, head);
  await expectSameAnswers(index, scanIndex(repository), head, paths);
});

test('a wiki that grew too much for a catch-up is built in pieces, whatever snapshots there are', async () => {
  const { repository, head } = await openWikiOf(3);
  const snapshotDirectory = temporaryDirectory();
  const indexes = await openTestIndexes();
  for (const commit of [head, await write(repository, 'Page 2.md', 'Newer template.\n')])
    await indexes.open({ repository, snapshotDirectory, readOnly: false }).save(commit);
  const files = Array.from({ length: 100 }, (_, at) => text(`New ${at}.md`, `See [[Page ${at}]].\n`));
  await repository.write(changeOf(files));
  const grown = (await repository.head()).commit ?? '';
  const { index, count } = await buildInProcesses({ repository, snapshotDirectory, pieces: 90 }, grown);
  expect(count).toBeGreaterThan(2);
  await expectSameAnswers(index, scanIndex(repository), grown, paths);
  const [newest] = (await wholeIn(snapshotDirectory)).sort().toReversed();
  expect(newest).toContain(grown);
});

test.each([
  { what: 'on a laptop', isPatient: true, readOnly: false },
  { what: 'by a reader, which cannot save', isPatient: false, readOnly: true },
])(
  'an index that is far behind catches up $what instead of being built anew',
  async ({ isPatient, readOnly }) => {
    const { repository, head } = await openWikiOf(3);
    const snapshotDirectory = temporaryDirectory();
    await (await openTestIndexes()).open({ repository, snapshotDirectory, readOnly: false }).save(head);
    const files = Array.from({ length: 100 }, (_, at) => text(`New ${at}.md`, `See [[Page ${at}]].\n`));
    await repository.write(changeOf(files));
    const grown = (await repository.head()).commit ?? '';
    let builds = 0;
    const readMuch: Repository['readMuch'] = (work) => {
      builds += 1;
      return repository.readMuch(work);
    };
    const indexes = await openTestIndexes({ keepEveryMs: NO_TIME_MS, isPatient });
    const index = indexes.open({ repository: { ...repository, readMuch }, snapshotDirectory, readOnly });
    await expectSameAnswers(index, scanIndex(repository), grown, paths);
    expect(builds).toBe(0);
  },
);

test('two processes that build at once do no harm', async () => {
  const { repository, head } = await openWikiOf(30);
  const processes = { repository, snapshotDirectory: temporaryDirectory(), pieces: 5 };
  const built = await Promise.all([buildInProcesses(processes, head), buildInProcesses(processes, head)]);
  for (const { index } of built) await expectSameAnswers(index, scanIndex(repository), head, paths);
});

test('an index that is closed during its build keeps what it has, unless nothing may be written', async () => {
  const { repository, head } = await openWikiOf(400);
  for (const readOnly of [false, true]) {
    const snapshotDirectory = temporaryDirectory();
    const indexes = await openTestIndexes({ keepEveryMs: 3 });
    const index = indexes.open({ repository, snapshotDirectory, readOnly });
    const half = Promise.withResolvers<void>();
    const building = index.catchUp(head, (done, total) => {
      if (done * 2 > total && total > 0) half.resolve();
    });
    building.catch(() => {});
    await half.promise;
    await index.close();
    await expect(building).rejects.toMatchObject({ code: 'busy' });
    expect((await unfinishedIn(snapshotDirectory)).length > 0).toBe(!readOnly);
  }
});

test('a search that ends before the index is built says how far that is, and that repeating continues it', async () => {
  const { repository, head } = await openWikiOf(400);
  const indexes = await openTestIndexes();
  const index = indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: false });
  const time = new AbortController();
  const ended = index.catchUp(head, (done, total) => done * 2 > total && time.abort(), time.signal);
  await expect(ended).rejects.toMatchObject({
    code: 'busy',
    text: {
      happened: expect.stringMatching(/search index .* is being built: \d+ % of it is done/),
      next: expect.stringContaining('Repeat the call'),
    },
    data: { retry_after_ms: 1_000 },
  });
});
