import { expect, test } from 'vitest';
import { bareRepository, temporaryDirectory } from '../../../test/native-git.ts';
import { openTestIndexes } from '../../../test/search/test-indexes.ts';
import { changeOf, openTestRepository, text } from '../../../test/test-repository.ts';
import type { HistoryQuery } from '../index-port.ts';
import type { FileWrite } from '../ports.ts';
import { limitedHistory } from './limited-history.ts';

const long = (word: string) => `# ${word}\n\n${`${word} has a line of its own\n`.repeat(20)}`;
const gone = (path: string): FileWrite => ({ path, remove: true });

/** Six commits: all but the fourth changed something in the folder. */
async function history() {
  const repository = await openTestRepository(bareRepository());
  const commits: string[] = [];
  const commit = async (name: string, ...files: FileWrite[]) => {
    const author = { name, email: `${name}@example.org` };
    const written = await repository.write(changeOf(files, { author, message: `By ${name}` }));
    if (written.kind !== 'unchanged') commits.push(written.commit);
  };
  const first = ['in/A', 'in/B', 'out/Z'].map((path) => text(`${path}.md`, long(path)));
  await commit('Ada', ...first);
  await commit('Ada', text('in/A.md', `${long('in/A')}more\n`), text('out/X.md', 'x'));
  await commit('Ada', gone('in/A.md'), text('in/C.md', `${long('in/A')}more\n`), text('out/X.md', 'y'));
  await commit('Ada', text('out/Z.md', `${long('out/Z')}more\n`), text('out/x.png', 'image'));
  await commit('Grace', gone('out/Z.md'), text('in/Z.md', `${long('out/Z')}more\n`));
  await commit('Ada', text('in/Z.md', long('out/Z')), text('in/B.md', 'changed\n'));
  const index = (await openTestIndexes()).open({
    repository,
    snapshotDirectory: temporaryDirectory(),
    readOnly: false,
  });
  const ask = (query: Partial<HistoryQuery>) => {
    const all = { commit: commits.at(-1) ?? '', offset: 0, limit: 10, pagesMost: 10 };
    return limitedHistory(index, repository, ['in/'], { ...all, ...query });
  };
  const numbers = async (query: Partial<HistoryQuery>) =>
    (await ask(query)).entries.map((entry) => commits.indexOf(entry.commit.oid) + 1);
  return { ask, numbers, commit };
}

test('the history of a folder is that of its pages, with the message of commits that changed no other', async () => {
  const { ask } = await history();
  const { entries, more } = await ask({});
  expect(entries[1]?.commit.message).toBe(
    '(Kept back: the commit changed more than what may be seen from here.)',
  );
  expect(more).toBe(false);
  expect(
    entries.map(({ commit, pages, pagesTotal }) => [commit.message.slice(0, 6), pagesTotal, pages]),
  ).toEqual([
    [
      'By Ada',
      2,
      [
        { path: 'in/B', action: 'modified' },
        { path: 'in/Z', action: 'modified' },
      ],
    ],
    ['(Kept ', 1, [{ path: 'in/Z', action: 'added' }]],
    ['(Kept ', 1, [{ path: 'in/C', action: 'moved' }]],
    ['(Kept ', 1, [{ path: 'in/A', action: 'modified' }]],
    [
      '(Kept ',
      2,
      [
        { path: 'in/A', action: 'added' },
        { path: 'in/B', action: 'added' },
      ],
    ],
  ]);
});

test('a window of it says whether there is more, and lists as many pages as are wanted', async () => {
  const { ask, numbers } = await history();
  const all = [6, 5, 3, 2, 1];
  for (const offset of [0, 1, 4, 5]) {
    for (const limit of [1, 2, 5]) {
      expect(await numbers({ offset, limit })).toEqual(all.slice(offset, offset + limit));
      expect((await ask({ offset, limit })).more, `${offset} ${limit}`).toBe(offset + limit < all.length);
    }
  }
  const { entries } = await ask({ pagesMost: 1 });
  expect(entries.map(({ pages }) => pages.length)).toEqual([1, 1, 1, 1, 1]);
  expect(entries.map(({ pagesTotal }) => pagesTotal)).toEqual([2, 1, 1, 1, 2]);
});

test('the history of a page follows it within the folder, and ends where it came from elsewhere', async () => {
  const { ask, numbers } = await history();
  expect(await numbers({ path: 'in/C' })).toEqual([3, 2, 1]);
  expect(await numbers({ path: 'in/Z' })).toEqual([6, 5]);
  expect(await numbers({ path: 'in/Z', author: 'Ada' })).toEqual([6]);
  expect(await numbers({ path: 'in/Z', author: 'Grace' })).toEqual([5]);
  expect(await numbers({ author: 'Grace' })).toEqual([5]);
  expect(await ask({ path: 'in/Z', limit: 1 })).toMatchObject({ more: true });
  expect(await ask({ path: 'out/Z' })).toEqual({ entries: [], more: false });
});

test('a history of hundreds of commits is read to its end', async () => {
  const { numbers, commit } = await history();
  for (let at = 0; at < 200; at += 1) await commit('Ada', text('in/B.md', `version ${at}\n`));
  const all = Array.from({ length: 206 }, (_, at) => 206 - at).filter((number) => number !== 4);
  expect(await numbers({ limit: 1_000 })).toEqual(all);
  expect(await numbers({ path: 'in/B', limit: 1_000 })).toEqual([...all.slice(0, 201), 1]);
});
