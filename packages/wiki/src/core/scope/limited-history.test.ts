import { expect, test } from 'vitest';
import { bareRepository, git, temporaryDirectory } from '../../../test/native-git.ts';
import { openTestIndexes } from '../../../test/search/test-indexes.ts';
import { changeOf, openTestRepository, text } from '../../../test/test-repository.ts';
import type { HistoryQuery } from '../index-port.ts';
import type { FileWrite, Repository } from '../ports.ts';
import { limitedHistory } from './limited-history.ts';

const long = (word: string) => `# ${word}\n\n${`${word} has a line of its own\n`.repeat(20)}`;
const gone = (path: string): FileWrite => ({ path, remove: true });

/** The history of the folder `in/` of a wiki that is empty yet. */
async function emptyHistory() {
  const directory = bareRepository();
  const repository = await openTestRepository(directory);
  const commits: string[] = [];
  const commit = async (name: string, ...files: FileWrite[]) => {
    const author = { name, email: `${name}@example.org` };
    const written = await repository.write(changeOf(files, { author, message: `By ${name}` }));
    if (written.kind !== 'unchanged') commits.push(written.commit);
  };
  const index = (await openTestIndexes()).open({
    repository,
    snapshotDirectory: temporaryDirectory(),
    readOnly: false,
  });
  const compared: string[] = [];
  const counting: Repository = {
    ...repository,
    everyChange: (from, to) => {
      compared.push(to);
      return repository.everyChange(from, to);
    },
  };
  const ask = (query: Partial<HistoryQuery>) => {
    const all = { commit: commits.at(-1) ?? '', offset: 0, limit: 10, pagesMost: 10 };
    return limitedHistory(index, counting, ['in/'], { ...all, ...query });
  };
  const numbers = async (query: Partial<HistoryQuery>) =>
    (await ask(query)).entries.map((entry) => commits.indexOf(entry.commit.oid) + 1);
  return { directory, commits, compared, ask, numbers, commit };
}

/** Six commits: all but the fourth changed something in the folder. */
async function history() {
  const empty = await emptyHistory();
  const { commit } = empty;
  const first = ['in/A', 'in/B', 'out/Z'].map((path) => text(`${path}.md`, long(path)));
  await commit('Ada', ...first);
  await commit('Ada', text('in/A.md', `${long('in/A')}more\n`), text('out/X.md', 'x'));
  await commit('Ada', gone('in/A.md'), text('in/C.md', `${long('in/A')}more\n`), text('out/X.md', 'y'));
  await commit('Ada', text('out/Z.md', `${long('out/Z')}more\n`), text('out/x.png', 'image'));
  await commit('Grace', gone('out/Z.md'), text('in/Z.md', `${long('out/Z')}more\n`));
  await commit('Ada', text('in/Z.md', long('out/Z')), text('in/B.md', 'changed\n'));
  return empty;
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
  const origins = async (path: string) => (await ask({ path })).entries.map(({ origin }) => origin);
  expect(await origins('in/C')).toEqual(['in/A', null, null]);
  expect(await origins('in/Z')).toEqual([null, null]);
});

test('the history of a page that came from elsewhere goes on with the page that had its path before', async () => {
  const { numbers, commit } = await emptyHistory();
  await commit('Ada', text('in/A.md', 'an earlier page\n'), text('out/Z.md', long('out/Z')));
  await commit('Ada', gone('in/A.md'));
  await commit('Ada', gone('out/Z.md'), text('in/A.md', long('out/Z')));
  await commit('Ada', gone('in/A.md'), text('in/B.md', long('out/Z')));
  expect(await numbers({ path: 'in/B' })).toEqual([4, 3, 2, 1]);
});

test('a page that went elsewhere was deleted, and a file is no page', async () => {
  const { ask, commit } = await emptyHistory();
  await commit('Ada', text('in/A.md', long('in/A')), text('in/B.md', long('in/B')), text('in/C.md', 'x'));
  await commit('Ada', gone('in/B.md'), text('out/B.md', long('in/B')), text('in/picture.png', 'image'));
  const { entries } = await ask({ limit: 1 });
  expect(entries).toMatchObject([{ pages: [{ path: 'in/B', action: 'deleted' }], pagesTotal: 1 }]);
});

test('a page that went elsewhere was deleted also if another page continues its history', async () => {
  const { ask, commit } = await emptyHistory();
  await commit('Ada', text('in/A.md', long('in/A')));
  // Both come from `in/A`, which moved to the one that is more like it.
  await commit(
    'Ada',
    gone('in/A.md'),
    text('out/B.md', long('in/A')),
    text('in/C.md', `${long('in/A')}more\n`),
  );
  const { entries } = await ask({ limit: 1 });
  expect(entries).toMatchObject([
    {
      pages: [
        { path: 'in/A', action: 'deleted' },
        { path: 'in/C', action: 'added' },
      ],
      pagesTotal: 2,
    },
  ]);
});

test('the pages of a commit that changed others as well are in the order of their paths', async () => {
  const { ask, commit } = await emptyHistory();
  // As files, `A-1.md` comes before `A.md`.
  await commit('Ada', text('in/A-1.md', 'x'), text('in/A.md', 'x'), text('out/Z.md', 'x'));
  expect((await ask({})).entries[0]?.pages.map(({ path }) => path)).toEqual(['in/A', 'in/A-1']);
});

test('the message of a commit that changed a link as well is shown if the link lies in the folder', async () => {
  const { directory, commits, ask, commit } = await emptyHistory();
  await commit('Ada', text('in/A.md', 'x'));
  const inside = commitOf(directory, 'Link inside', ['in/A.md', 'in/link'], commits);
  const outside = commitOf(directory, 'Link outside', ['in/A.md', 'out/link'], [inside]);
  const { entries } = await ask({ commit: outside, limit: 2 });
  expect(entries.map((entry) => entry.commit.message)).toEqual([
    '(Kept back: the commit changed more than what may be seen from here.)',
    'Link inside',
  ]);
});

test('the message of a merge is kept back, as it may name what its other side changed', async () => {
  const { directory, commits, ask, commit } = await emptyHistory();
  await commit('Ada', text('in/A.md', 'x'), text('out/A.md', 'x'));
  const [base = ''] = commits;
  const side = commitOf(directory, 'Side', ['out/B.md'], [base]);
  const merge = commitOf(directory, 'Merge', ['in/A.md'], [base, side]);
  const { entries } = await ask({ commit: merge, limit: 1 });
  expect(entries).toMatchObject([
    {
      commit: { oid: merge, message: '(Kept back: the commit brings in what git pushed.)' },
      pages: [{ path: 'in/A', action: 'modified' }],
    },
  ]);
});

test('a history of hundreds of commits is read to its end', async () => {
  const { numbers, commit } = await history();
  for (let at = 0; at < 200; at += 1) await commit('Ada', text('in/B.md', `version ${at}\n`));
  const all = Array.from({ length: 206 }, (_, at) => 206 - at).filter((number) => number !== 4);
  expect(await numbers({ limit: 1_000 })).toEqual(all);
  expect(await numbers({ path: 'in/B', limit: 1_000 })).toEqual([...all.slice(0, 201), 1]);
});

test('only commits that a window needs are compared, and none that changed only pages elsewhere', async () => {
  const { commits, compared, ask, commit } = await history();
  for (const page of ['X', 'Y', 'Z']) await commit('Ada', text(`out/${page}.md`, `another ${page}`));
  expect((await ask({ limit: 1 })).more).toBe(true);
  expect(compared.map((oid) => commits.indexOf(oid) + 1)).toEqual([6, 5]);
  compared.length = 0;
  expect((await ask({ path: 'in/C', limit: 1 })).more).toBe(true);
  expect(compared.map((oid) => commits.indexOf(oid) + 1)).toEqual([3, 2]);
});

/** Pushes a commit that changes these files of its first parent; a name without an ending becomes a link. */
function commitOf(directory: string, message: string, paths: string[], parents: string[]): string {
  git(directory, ['read-tree', parents[0] ?? '']);
  const blob = git(directory, ['hash-object', '-w', '--stdin'], message);
  for (const path of paths) {
    const mode = path.includes('.') ? '100644' : '120000';
    git(directory, ['update-index', '--add', '--cacheinfo', `${mode},${blob},${path}`]);
  }
  const tree = git(directory, ['write-tree']);
  const commit = git(directory, [
    'commit-tree',
    ...parents.flatMap((each) => ['-p', each]),
    '-m',
    message,
    tree,
  ]);
  git(directory, ['update-ref', 'refs/heads/main', commit]);
  return commit;
}
