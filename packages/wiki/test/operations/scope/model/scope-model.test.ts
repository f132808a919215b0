import { expect, test } from 'vitest';
import type { OperationName } from '../../../../src/contract/operations.ts';
import type { Scope } from '../../../../src/contract/scope.ts';
import type { Question } from './comparison.ts';
import { openScopedWiki, type ScopedWiki } from './model-wiki.ts';
import { always } from './questions.ts';
import { stateOf } from './wiki-state.ts';

/** The cases in which a wiki and what lies in a scope of it have different histories. */

const SCOPE: Scope = { read: ['in/', 'also/deep/'], write: ['in/', 'also/deep/'] };

/** A text that is like no other one. */
const text = (word: string, ...lines: string[]) =>
  [...lines, ...Array.from({ length: 12 }, (_, at) => `${word} has a line ${at} of its own`), ''].join('\n');

const FILES = {
  'in/Tea.md': text('Tea', '[[Plan]] [[Plan]] ![[leaf.png]] [[Zebra]]'),
  'in/Plan.md': text('Plan', '---', 'aliases: [Scheme]', '---', '# Plan', '[[Tea#Plan]]'),
  'in/Deep/Home.md': text('Home', '[[Scheme]] and [[out/Zebra]]'),
  'in/leaf.png': 'a leaf',
  'out/Zebra.md': text('Zebra', '[[Tea]] and [[in/Plan]]'),
  'also/Stripe.md': text('Stripe', '[[Tea]]'),
};

type Step = [name: OperationName, input: Record<string, unknown>];

/** Makes the steps without a limit, and compares everything about these pages at every commit. */
async function compared(steps: readonly Step[], paths: readonly string[], files = FILES): Promise<void> {
  const wiki = await openScopedWiki(files, SCOPE);
  for (const [name, input] of steps) await wiki.call('everybody', { name, input: await filled(wiki, input) });
  await compareAll(wiki, paths);
}

async function compareAll(wiki: ScopedWiki, paths: readonly string[]): Promise<void> {
  const { commits } = await stateOf(wiki);
  const questions = paths.flatMap((path) => everythingAbout(path, commits));
  const compared = await wiki.compare([...always, ...questions]);
  expect(compared.length).toBeGreaterThan(always.length);
  await wiki.close();
}

function everythingAbout(path: string, commits: readonly string[]): Question[] {
  return [
    { name: 'get_links', input: { path } },
    { name: 'get_history', input: { path } },
    { name: 'get_history', input: { path, limit: 1 } },
    { name: 'get_history', input: { path, author: 'Grace' } },
    { name: 'get_history', input: { path, agent: 'TEST', until: '2100-01-01' } },
    { name: 'get_history', input: { path, until: '2024-01-01' } },
    { name: 'get_history', input: { path, since: '2024-01-01' } },
    { name: 'get_attachment', input: { path: `${path}.png` } },
    ...commits.map((at): Question => ({ name: 'read_page', input: { path, at } })),
    ...[undefined, commits[Math.floor(commits.length / 2)]].flatMap((at): Question[] => [
      { name: 'read_page', input: { path, at } },
      { name: 'view_page', input: { path, at } },
      { name: 'blame_page', input: { path, at } },
      { name: 'diff_page', input: { path, from: at ?? commits.at(-1) } },
    ]),
  ];
}

/** The version of a page or file, where it is asked for; HEAD and the commits before it by their ids. */
async function filled(wiki: ScopedWiki, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const state = await stateOf(wiki);
  const { version } = [...state.pages, ...state.files].find(({ path }) => path === input.path) ?? {};
  const before = /^HEAD(?:~(\d))?$/.exec(`${input.commit}`);
  return {
    ...input,
    ...(input.version === 'present' && { version }),
    ...(before && { commit: state.commits[Number(before[1] ?? 0)] }),
  };
}

const move = (path: string, new_path: string): Step => ['move_page', { path, new_path }];
const append = (path: string, content = 'One more line.'): Step => ['append_to_page', { path, content }];

test('a page that came from elsewhere', async () => {
  await compared(
    [append('out/Zebra'), move('out/Zebra', 'in/Zebra'), append('in/Zebra', 'And another.')],
    ['in/Zebra', 'out/Zebra', 'in/Tea'],
  );
});

test('a page that left', async () => {
  await compared(
    [append('in/Tea'), move('in/Tea', 'out/Tea'), append('out/Tea')],
    ['in/Tea', 'out/Tea', 'in/Plan'],
  );
});

test.each(['in/Tea', 'in/Again', 'also/deep/Tea'])('a page that left and came back as %s', async (back) => {
  await compared(
    [
      append('in/Tea'),
      move('in/Tea', 'out/Tea'),
      append('out/Tea', 'Elsewhere.'),
      move('out/Tea', back),
      append(back),
    ],
    ['in/Tea', 'out/Tea', back],
  );
});

test('a page that moved here, left, came back, moved again, and whose old path another page took', async () => {
  const again = { path: 'in/Tea', content: text('Another') };
  await compared(
    [
      move('in/Tea', 'in/Deep/Tea'),
      move('in/Deep/Tea', 'out/Tea'),
      ['write_page', again],
      move('out/Tea', 'in/Back'),
      move('in/Back', 'also/deep/Back'),
    ],
    ['in/Tea', 'in/Deep/Tea', 'in/Back', 'also/deep/Back', 'out/Tea'],
  );
});

test('a page that moved here while links on pages elsewhere were rewritten', async () => {
  await compared(
    [append('in/Plan'), move('in/Plan', 'in/Deep/Plan'), append('in/Deep/Plan')],
    ['in/Plan', 'in/Deep/Plan', 'in/Tea'],
  );
});

test('pages that a commit moved in, out, within and elsewhere at once', async () => {
  const changes = [
    { op: 'move', path: 'in/Plan', new_path: 'out/Plan' },
    { op: 'move', path: 'in/Tea', new_path: 'in/Deep/Tea' },
    { op: 'move', path: 'out/Zebra', new_path: 'in/Zebra' },
    { op: 'move', path: 'also/Stripe', new_path: 'out/Stripe' },
  ];
  await compared(
    [
      ['commit_changes', { message: 'Zebras everywhere', changes }],
      append('in/Zebra'),
      append('in/Deep/Tea'),
    ],
    ['in/Plan', 'in/Tea', 'in/Deep/Tea', 'in/Zebra'],
  );
});

test('folders that moved in and out', async () => {
  await compared(
    [move('in/Deep/', 'out/Deep/'), move('out/', 'in/Came/'), append('in/Came/Deep/Home')],
    ['in/Deep/Home', 'in/Came/Zebra', 'in/Came/Deep/Home'],
  );
});

test('a commit that changed several pages here and one elsewhere, by the order of their names', async () => {
  const changes = ['in/Tea-room', 'in/Tea', 'in/Plan', 'out/Zebra', 'in/Tea b', 'in/😀', 'in/ｆan'].map(
    (path) => ({
      op: 'append',
      path,
      content: text(path),
    }),
  );
  await compared([['commit_changes', { message: 'Many', changes }]], ['in/Tea', 'in/Tea-room']);
});

test('a page that is deleted here and elsewhere, and restored', async () => {
  const changes = [
    { op: 'append', path: 'out/Zebra', content: 'more' },
    { op: 'merge', path: 'in/Tea', new_path: 'in/Plan' },
  ];
  await compared(
    [
      ['commit_changes', { message: 'Both', changes }],
      ['restore_page', { path: 'in/Tea', commit: 'HEAD~1' }],
      ['delete_page', { path: 'in/Tea', version: 'present' }],
    ],
    ['in/Tea', 'in/Plan'],
  );
});

test('a move out that was undone, and one in', async () => {
  await compared(
    [
      move('in/Tea', 'out/Tea'),
      ['revert_commit', { commit: 'HEAD' }],
      move('out/Zebra', 'in/Zebra'),
      ['revert_commit', { commit: 'HEAD' }],
      append('in/Tea'),
    ],
    ['in/Tea', 'in/Zebra'],
  );
});

test('attachments that came, left and changed', async () => {
  await compared(
    [
      ['put_attachment', { path: 'out/Tea.png', content: btoa('elsewhere') }],
      append('out/Zebra', '![[Tea.png]]'),
      move('out/Zebra', 'in/Zebra'),
      ['put_attachment', { path: 'in/leaf.png', content: btoa('another'), version: 'present' }],
      ['delete_attachment', { path: 'in/leaf.png', version: 'present' }],
    ],
    ['in/Tea', 'in/Zebra', 'in/leaf'],
  );
});

test('a folder on the way to the scope that holds nothing of it', async () => {
  await compared([], ['also/deep/Tea', 'also/Stripe']);
});

test('links twice in a line, and targets whose names differ in their order', async () => {
  const content = text('Linking', '[[😀]] [[ｆan]] [[Tea]] [[Tea]] ![[ｆ.png]] ![[😀.png]]');
  await compared(
    [
      ['write_page', { path: 'in/😀', content: text('Smile', '[[Linking]] [[Linking]]') }],
      ['write_page', { path: 'in/ｆan', content: text('Fan', '[[Linking]]') }],
      ['write_page', { path: 'in/Linking', content }],
      ['put_attachment', { path: 'in/ｆ.png', content: btoa('f') }],
      ['put_attachment', { path: 'in/😀.png', content: btoa('s') }],
    ],
    ['in/Linking', 'in/Tea', 'in/😀', 'in/ｆan'],
  );
});

test('a wiki that has nothing in the scope', async () => {
  const wiki = await openScopedWiki({ 'out/Zebra.md': text('Zebra') }, SCOPE);
  await wiki.call('everybody', { name: 'append_to_page', input: { path: 'out/Zebra', content: 'more' } });
  await wiki.compare([
    ...always,
    { name: 'read_page', input: { path: 'in/Zebra' } },
    { name: 'get_links', input: { path: 'in/Zebra' } },
  ]);
  await wiki.close();
});

test('the ranking, where words are rare here and frequent elsewhere', async () => {
  const here = {
    'in/A.md': 'plum tart and tea\n',
    'in/B.md': 'apple tart\n',
    'in/C.md': 'tea tea tea, a plum\n',
  };
  const out = Array.from({ length: 20 }, (_, at) => [`out/${at}.md`, `plum tart plum ${at}\n`]);
  const wiki = await openScopedWiki({ ...here, ...Object.fromEntries(out) }, SCOPE);
  const queries = ['plum tart', 'tea plum', 'aple', 'plim', '"plum tart"', 'tart tea', 'te*'];
  await wiki.compare(
    queries.flatMap((query) =>
      ['words', 'passages'].map((mode): Question => ({ name: 'search_pages', input: { query, mode } })),
    ),
  );
  await wiki.close();
});

test('a merge that was pushed, of a side that changed pages here and elsewhere', async () => {
  const wiki = await openScopedWiki(FILES, SCOPE);
  const base = await wiki.git(['rev-parse', 'main']);
  let seconds = 1_700_000_000;
  const commit = async (message: string, parents: string[], files: Record<string, string>) => {
    // The order of commits of one second depends on those between them.
    seconds += 60;
    const env = { GIT_COMMITTER_DATE: `${seconds} +0000` };
    await wiki.git(['read-tree', parents[0] ?? '']);
    for (const [path, content] of Object.entries(files)) {
      const blob = await wiki.git(['hash-object', '-w', '--stdin'], { input: content });
      await wiki.git(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`]);
    }
    const tree = await wiki.git(['write-tree']);
    const made = ['commit-tree', '-m', message, ...parents.flatMap((parent) => ['-p', parent]), tree];
    return wiki.git(made, { env });
  };
  const tea = text('Tea', 'Side');
  const side = await commit('Only here', [base], { 'in/Tea.md': tea });
  const more = await commit('Zebra elsewhere', [side], { 'out/Zebra.md': 'changed\n' });
  const main = await commit('Zebra too', [base], {
    'in/Plan.md': text('Plan', 'Main'),
    'out/New.md': 'new\n',
  });
  const brought = { 'in/Tea.md': tea, 'out/Zebra.md': 'changed\n' };
  const files = {
    ...brought,
    'in/Deep/Home.md': text('Home', 'Merged'),
    'out/Merged.md': 'by the merge\n',
    'out/Too.md': 'too\n',
  };
  const merge = await commit('Merge the zebra', [main, more], files);
  await wiki.git(['update-ref', 'refs/heads/main', merge]);
  await wiki.call('everybody', { name: 'append_to_page', input: { path: 'in/Tea', content: 'After.' } });
  await compareAll(wiki, ['in/Tea', 'in/Plan', 'in/Deep/Home']);
});
