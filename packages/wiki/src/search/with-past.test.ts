import { readdir } from 'node:fs/promises';
import * as sqlite from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { bareRepository, git, temporaryDirectory } from '../../test/native-git.ts';
import { pagePaths, type Step, steps, take } from '../../test/search/random-wiki.ts';
import { expectSameAnswers } from '../../test/search/same-answers.ts';
import { openTestIndexes } from '../../test/search/test-indexes.ts';
import { changeOf, openTestRepository, text } from '../../test/test-repository.ts';
import type { Repository } from '../core/ports.ts';
import { scanIndex } from './scan-index.ts';
import { settle } from './settle.ts';
import { copySource } from './sqlite/copy-source.ts';
import { stateCommit } from './sqlite/index-state.ts';
import { countPages } from './sqlite/query-pages.ts';
import { openSnapshots } from './sqlite/snapshots.ts';
import { sqliteIndex } from './sqlite/sqlite-index.ts';
import { StandingIndex } from './standing-index.ts';

let names = 0;

/** An index that goes to any commit and stays there. */
function openSettling(repository: Repository) {
  const options = { directory: temporaryDirectory(), randomName: () => `past-${names++}`, now: Date.now };
  const took = () => {};
  const source = copySource({ ...options, sqlite, snapshots: openSnapshots(options), readOnly: true, took });
  // Each step is a piece.
  return new StandingIndex(repository, { ...source, pieceMs: 0 }, settle);
}

test('after any history an index that goes from commit to commit answers as git alone does', () =>
  fc.assert(
    fc.asyncProperty(steps, fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), async (history, places) => {
      const directory = bareRepository();
      const repository = await openTestRepository(directory);
      for (const step of history) await take(repository, directory, step);
      const head = (await repository.head()).commit;
      if (head === null) return;
      const commits = git(directory, ['rev-list', head]).split('\n');
      const standing = openSettling(repository);
      const paths = [...pagePaths.map((path) => path.replace(/\.md$/, '')), 'Never'];
      await standing.catchUp(head);
      for (const place of places) {
        const commit = commits[place % commits.length] ?? head;
        await standing.standAt(commit);
        await expectSameAnswers(sqliteIndex(repository, standing), scanIndex(repository), commit, paths);
      }
      await standing.close();
    }),
    // A page of the same text in two commits, which two others changed last.
    {
      numRuns: sampled(8, 2),
      examples: [
        [
          [at(1, 'One.\n'), at(2, 'Two.\n'), at(3, 'One.\n')],
          [2, 0, 1, 2],
        ],
      ],
    },
  ));

function at(second: number, content: string): Step {
  return { kind: 'external', path: 'Home.md', content, seconds: 1_700_000_000 + second, merge: null };
}

/** A wiki of three commits that are far from each other. */
async function openWikiOfFarCommits() {
  const repository = await openTestRepository(bareRepository());
  const pages = Array.from({ length: 60 }, (_, at) => at);
  const write = async (word: string) => {
    await repository.write(changeOf(pages.map((at) => text(`Page ${at}.md`, `${word}\n`))));
    return (await repository.head()).commit ?? '';
  };
  return {
    repository,
    old: await write('early'),
    middle: await write('meanwhile'),
    head: await write('late'),
  };
}

const everything = { prefix: '', sort: 'path' as const, offset: 0, limit: 1 };
const words = { mode: 'words' as const, prefix: '', contextLines: 0, offset: 0, limit: 1 };

test('a question about a commit far back holds up no question about the newest', async () => {
  const { repository, old, head } = await openWikiOfFarCommits();
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isCaughtUp = false;
  const at: Repository['at'] = async (commit) => {
    if (isCaughtUp && commit === old) {
      begun.resolve();
      await goOn.promise;
    }
    return repository.at(commit);
  };
  const workDirectory = temporaryDirectory();
  const indexes = await openTestIndexes({ workDirectory });
  const options = {
    repository: { ...repository, at },
    snapshotDirectory: temporaryDirectory(),
    readOnly: true,
  };
  const index = indexes.open(options);
  await index.catchUp(head);
  isCaughtUp = true;
  const past = index.search({ ...words, commit: old, query: 'early' });
  await begun.promise;
  expect((await index.search({ ...words, commit: head, query: 'early' })).total).toBe(0);
  expect((await index.list({ ...everything, commit: head })).total).toBe(60);
  goOn.resolve();
  expect((await past).total).toBe(60);
  expect((await index.search({ ...words, commit: old, query: 'late' })).total).toBe(0);
  expect((await index.search({ ...words, commit: head, query: 'late' })).total).toBe(60);
  await index.close();
  expect(await readdir(workDirectory)).toEqual([]);
});

test('a call that gave up before its turn begins nothing, and a turn that began goes on', async () => {
  const { repository, old, middle, head } = await openWikiOfFarCommits();
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const asked: string[] = [];
  let isCaughtUp = false;
  const at: Repository['at'] = async (commit) => {
    if (!isCaughtUp) return repository.at(commit);
    asked.push(commit);
    begun.resolve();
    await goOn.promise;
    return repository.at(commit);
  };
  const standing = openSettling({ ...repository, at });
  await standing.catchUp(head);
  isCaughtUp = true;
  const time = new AbortController();
  const calls = [old, middle].map((commit) => standing.standAt(commit, undefined, time.signal));
  await begun.promise;
  time.abort();
  for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'busy' });
  goOn.resolve();
  expect(await standing.at(old, stateCommit)).toBe(old);
  expect(asked).toEqual([old]);
  await standing.close();
});

test('a turn that fails in its middle leaves nothing behind', async () => {
  const { repository, old, head } = await openWikiOfFarCommits();
  let [isCaughtUp, reads] = [false, 0];
  const at: Repository['at'] = async (commit) => {
    const snapshot = await repository.at(commit);
    const blob = snapshot.blob.bind(snapshot);
    snapshot.blob = (oid) => {
      if (isCaughtUp) reads += 1;
      if (reads === 50) throw new Error('The disk is gone.');
      return blob(oid);
    };
    return snapshot;
  };
  const standing = openSettling({ ...repository, at });
  await standing.catchUp(head);
  isCaughtUp = true;
  await expect(standing.standAt(old)).rejects.toThrow('The disk is gone.');
  expect(await standing.at(head, stateCommit)).toBe(head);
  expect(await standing.at(old, countPages)).toBe(60);
  await standing.close();
});

test('an index of a past commit that does not fit beside the newest is refused, and the newest stays', async () => {
  const { repository, old, head } = await openWikiOfFarCommits();
  const indexes = await openTestIndexes({ mostBytes: 1 });
  const index = indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: true });
  await index.catchUp(head);
  await expect(index.list({ ...everything, commit: old })).rejects.toMatchObject({
    code: 'backend_unavailable',
  });
  expect((await index.list({ ...everything, commit: head })).total).toBe(60);
});

test('thousands of attachments make a commit far, and some hundreds do not', async () => {
  const directory = bareRepository();
  const page = git(directory, ['hash-object', '-w', '--stdin'], 'x\n');
  const commits: string[] = [];
  for (const count of [0, 4_800, 5_100]) {
    const files = Array.from({ length: count }, (_, at) => `100644 blob ${page}\t${at}.png\n`);
    const tree = git(directory, ['mktree'], [...files, `100644 blob ${page}\tPage.md\n`].join(''));
    const parents = commits.slice(-1).flatMap((parent) => ['-p', parent]);
    commits.push(git(directory, ['commit-tree', tree, ...parents, '-m', `${count} files`]));
  }
  const [old = '', middle = '', head = ''] = commits;
  git(directory, ['update-ref', 'refs/heads/main', head]);
  const repository = await openTestRepository(directory);
  // No second index fits.
  const indexes = await openTestIndexes({ mostBytes: 1 });
  const index = indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: true });
  await index.catchUp(head);
  await expect(index.list({ ...everything, commit: old })).rejects.toMatchObject({
    code: 'backend_unavailable',
  });
  expect((await index.list({ ...everything, commit: middle })).total).toBe(1);
});

test('a search whose caller gave up ends at once, and the turn goes on for others who wait for it', async () => {
  const { repository, old, middle, head } = await openWikiOfFarCommits();
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const asked = new Set<string>();
  let isCaughtUp = false;
  const at: Repository['at'] = async (commit) => {
    if (!isCaughtUp) return repository.at(commit);
    asked.add(commit);
    begun.resolve();
    await goOn.promise;
    return repository.at(commit);
  };
  const standing = openSettling({ ...repository, at });
  const index = sqliteIndex({ ...repository, at }, standing);
  await index.catchUp(head);
  isCaughtUp = true;
  const time = new AbortController();
  const { signal } = time;
  const ended: unknown[] = [];
  for (const commit of [old, old, middle])
    index.search({ ...words, commit, query: 'early', signal }).catch((error) => ended.push(error.code));
  const waiting = index.search({ ...words, commit: old, query: 'early' });
  await begun.promise;
  time.abort();
  await setImmediate();
  expect(ended).toEqual(['busy', 'busy', 'busy']);
  goOn.resolve();
  expect((await waiting).total).toBe(60);
  expect([...asked]).toEqual([old]);
  await standing.close();
});
