import { expect, test } from 'vitest';
import { bareRepository, temporaryDirectory } from '../../../test/native-git.ts';
import { openTestIndexes } from '../../../test/search/test-indexes.ts';
import { commitFilesTo, openTestRepository, text } from '../../../test/test-repository.ts';
import { linesOf, walkBlame } from './walk-blame.ts';

const LIMITS = { versions: 100, ms: 10_000, lines: 100 };

async function grownPage() {
  const repository = await openTestRepository(bareRepository());
  const index = (await openTestIndexes()).open({
    repository,
    snapshotDirectory: temporaryDirectory(),
    readOnly: true,
  });
  const commits: string[] = [];
  let content = '';
  for (let line = 0; line < 5; line += 1) {
    content = `${line}\n${content}`;
    commits.push(await commitFilesTo(repository, text('P.md', content)));
  }
  const page = { commit: commits.at(-1) ?? '', path: 'P', lines: linesOf(content) };
  return {
    session: { repository, index, now: Date.now, call: { caller } },
    page,
    newestFirst: commits.reverse(),
  };
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
