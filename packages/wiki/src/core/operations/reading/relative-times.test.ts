import { expect, test } from 'vitest';
import { bareRepository, git, temporaryDirectory } from '../../../../test/native-git.ts';
import { openTestIndexes } from '../../../../test/search/test-indexes.ts';
import { openTestRepository } from '../../../../test/test-repository.ts';
import { parseInput } from '../../../contract/parse-input.ts';
import { getHistory } from '../history/get-history.ts';
import { listPages } from './list-pages.ts';
import { searchPages } from './search-pages.ts';

const FIRST = Date.parse('2026-01-05T12:00:00Z');

/** A wiki of three pages, of which one was written each second, and its clock. */
async function openTimed() {
  const directory = bareRepository();
  const commits = ['A', 'B', 'C'].map((page, at) => {
    const signature = `Ada <ada@example.org> ${FIRST / 1_000 + at} +0000`;
    return `commit refs/heads/main\ncommitter ${signature}\ndata 1\nx\nM 100644 inline ${page}.md\ndata 5\nword\n\n`;
  });
  git(directory, ['fast-import', '--quiet'], commits.join(''));
  const repository = await openTestRepository(directory);
  const indexes = await openTestIndexes();
  const index = indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: true });
  const clock = { now: FIRST };
  const session = {
    ...{ repository, index, now: () => clock.now, newRequestId: () => '', committed: () => undefined },
    call: { caller: { author: { name: 'Ada', email: '' }, agent: null } },
    host: { backend: 'test', versions: {}, wikis: async () => [], problems: [] },
  };
  return { session, clock };
}

test('a cursor goes on with the time at which its list began: no page leaves it, and none comes in', async () => {
  const { session, clock } = await openTimed();
  clock.now = FIRST + 3_600_000;
  const list = async (cursor?: string) =>
    listPages(session, parseInput('list_pages', { updated_since: '1 hour ago', limit: 1, cursor }));
  const search = async (cursor?: string) =>
    searchPages(
      session,
      parseInput('search_pages', { query: 'word', updated_since: '1 hour ago', limit: 1, cursor }),
    );
  const history = async (cursor?: string) =>
    getHistory(session, parseInput('get_history', { until: '60 minutes ago', limit: 1, cursor }));
  const [listed, found] = [await list(), await search()];
  clock.now += 1_000;
  const before = await history();
  clock.now += 60_000;
  const rest = [await list(listed.next_cursor ?? ''), await search(found.next_cursor ?? '')];
  expect(rest.map(({ total }) => total)).toEqual([3, 3]);
  expect((await history(before.next_cursor ?? '')).entries.map(({ pages }) => pages[0]?.path)).toEqual(['A']);
  expect((await list()).total).toBe(0);
});
