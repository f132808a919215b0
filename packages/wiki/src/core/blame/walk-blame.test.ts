import { expect, test } from 'vitest';
import { bareRepository, git, gitBytes, temporaryDirectory } from '../../../test/native-git.ts';
import { openTestIndexes } from '../../../test/search/test-indexes.ts';
import { commitFilesTo, openTestRepository, text } from '../../../test/test-repository.ts';
import { linesOf, walkBlame } from './walk-blame.ts';

const LIMITS = { versions: 100, ms: 10_000, lines: 100 };

async function sessionOf(directory: string) {
  const repository = await openTestRepository(directory);
  const index = (await openTestIndexes()).open({
    repository,
    snapshotDirectory: temporaryDirectory(),
    readOnly: true,
  });
  return { repository, index, now: Date.now, call: { caller } };
}

async function grownPage() {
  const session = await sessionOf(bareRepository());
  const { repository } = session;
  const commits: string[] = [];
  let content = '';
  for (let line = 0; line < 5; line += 1) {
    content = `${line}\n${content}`;
    commits.push(await commitFilesTo(repository, text('P.md', content)));
  }
  const page = { commit: commits.at(-1) ?? '', path: 'P', lines: linesOf(content) };
  return { session, page, newestFirst: commits.reverse() };
}

const caller = { author: { name: 'Ada', email: '' }, agent: null };

test('a walk that may look at few versions says where it stopped, and leaves older lines without a writer', async () => {
  const { session, page, newestFirst } = await grownPage();
  const { writers, stoppedAt } = await walkBlame(session, page, { ...LIMITS, versions: 2 });
  expect(writers.map((writer) => writer?.oid)).toEqual([...newestFirst.slice(0, 2), ...Array(3)]);
  expect(stoppedAt?.oid).toBe(newestFirst[2]);
});

test('a walk ends in time', async () => {
  const { session, page, newestFirst } = await grownPage();
  let time = 0;
  const clock = { ...session, now: () => (time += 1_000) };
  const { writers, stoppedAt } = await walkBlame(clock, page, { ...LIMITS, ms: 3_000 });
  expect(writers.filter((writer) => writer !== null)).toHaveLength(3);
  expect(stoppedAt?.oid).toBe(newestFirst[3]);
});

test('a walk ends in time in a merge too, whatever parent has the page', async () => {
  const directory = bareRepository();
  const treeOf = (content: string) => {
    const blob = git(directory, ['hash-object', '-w', '--stdin'], content);
    return git(directory, ['mktree'], `100644 blob ${blob}\tP.md\n`);
  };
  let seconds = 1_700_000_000;
  const commit = (content: string, message: string, parents: readonly string[] = []) => {
    seconds += 1;
    const args = [...parents.flatMap((parent) => ['-p', parent]), '-m', message];
    const env = { GIT_COMMITTER_DATE: `${seconds} +0000` };
    return gitBytes(directory, ['commit-tree', treeOf(content), ...args], { env })
      .toString()
      .trim();
  };
  const winner = commit('x\n', 'page');
  const losers = Array.from({ length: 20 }, (_, at) => commit(`${at}\n`, `${at}`));
  const merge = commit('x\n', 'merge', [...losers, winner]);
  git(directory, ['update-ref', 'refs/heads/main', merge]);
  const session = await sessionOf(directory);
  let time = 0;
  const clock = { ...session, now: () => (time += 1_000) };
  const asked = { commit: merge, path: 'P', lines: ['x\n'] };
  const { writers, stoppedAt } = await walkBlame(clock, asked, LIMITS);
  expect(writers).toEqual([null]);
  expect(stoppedAt?.oid).toBe(merge);
  expect((await walkBlame(session, asked, LIMITS)).writers[0]?.oid).toBe(winner);
});

test('a walk stops at a version of too many lines', async () => {
  const { session, page, newestFirst } = await grownPage();
  const long = text('P.md', 'x\n'.repeat(101));
  await commitFilesTo(session.repository, long);
  const commit = await commitFilesTo(session.repository, text('P.md', 'x\ny\n'));
  const lines = ['x\n', 'y\n'];
  const { writers, stoppedAt } = await walkBlame(session, { ...page, commit, lines }, LIMITS);
  expect(writers.map((writer) => writer?.oid)).toEqual([undefined, commit]);
  expect(newestFirst).toContain(stoppedAt?.parents[0]);
});

test('a walk to the first version has a writer for each line', async () => {
  const { session, page, newestFirst } = await grownPage();
  const { writers, stoppedAt } = await walkBlame(session, page, LIMITS);
  expect([writers.map((writer) => writer?.oid), stoppedAt]).toEqual([newestFirst, null]);
});

test('a walk ends when its caller has gone', async () => {
  const { session, page } = await grownPage();
  const gone = { ...session, call: { caller, signal: AbortSignal.abort() } };
  await expect(walkBlame(gone, page, LIMITS)).rejects.toMatchObject({ code: 'busy' });
});
