import { expect, test } from 'vitest';
import type { Scope } from '../../../src/contract/scope.ts';
import { inProcess } from '../local-backends.ts';
import type { TestWiki } from '../test-wiki.ts';
import { answerOf, ask, elsewhere, grown, HEAD, narrow } from './scope-wiki.ts';

test('a commit that also changed pages elsewhere is reported with its changes here, without its message', async () => {
  const full = await grown(inProcess, elsewhere);
  await changeBoth(full);
  await full.run('move_page', { path: 'secret/A', new_path: 'notes/Came' });
  await full.run('move_page', { path: 'notes/Deep/C', new_path: 'secret/Went' });
  const history = await answerOf(full, narrow, 'get_history', {});
  expect(JSON.stringify(history)).not.toMatch(/zebra|secret|"moved"/i);
  const pages = (history as { entries: { pages: unknown }[] }).entries.map((entry) => entry.pages);
  expect(pages.slice(0, 3)).toEqual([
    [{ path: 'notes/Deep/C', action: 'deleted' }],
    [{ path: 'notes/Came', action: 'added' }],
    [{ path: 'notes/A', action: 'modified' }],
  ]);
  const came = (await answerOf(full, narrow, 'get_history', { path: 'notes/Came' })) as {
    entries: unknown[];
  };
  expect(came.entries).toHaveLength(1);
});

test('a commit that also changed what lies elsewhere is shown with its pages here, one that changed only that is not there', async () => {
  const full = await grown(inProcess, elsewhere);
  await changeBoth(full);
  const { entries } = await full.run('get_history', { limit: 1 });
  const commit = entries[0]?.commit ?? '';
  const shown = await answerOf(full, narrow, 'view_commit', { commit });
  expect(JSON.stringify(shown)).not.toMatch(/zebra|secret/i);
  expect(shown).toMatchObject({
    changes: [{ path: 'notes/A', is_page: true, action: 'modified' }],
    leaves_out_files: true,
  });
  const hidden = await full.run('append_to_page', { path: 'secret/A', content: 'more' });
  const refused = await ask(full, narrow, 'view_commit', { commit: hidden.commit });
  expect(refused).toMatchObject({ code: 'not_found' });
});

test('a page that moved into the scope has no earlier history, even if a commit changed it with a page here', async () => {
  const full = await grown(inProcess, elsewhere);
  const changes = ['secret/A', 'notes/A'].map((path) => ({ op: 'append' as const, path, content: 'more' }));
  await full.run('commit_changes', { message: 'Both', changes });
  await full.run('move_page', { path: 'secret/A', new_path: 'notes/Came' });
  const before = await full.run('get_history', { path: 'notes/Came' });
  expect(before.entries.length).toBeGreaterThan(1);
  const came = (await answerOf(full, narrow, 'get_history', { path: 'notes/Came' })) as {
    entries: unknown[];
  };
  expect(came.entries).toHaveLength(1);
});

test('a page that moved into the scope is read as it was since then, and no earlier', async () => {
  const full = await grown(inProcess, elsewhere);
  const versionOf = async (path: string) => (await full.run('read_page', { path })).version;
  const before = await versionOf('secret/Zebra');
  await full.run('append_to_page', { path: 'secret/Zebra', content: 'hidden no more' });
  await full.run('move_page', { path: 'secret/Zebra', new_path: 'notes/Came', update_links: false });
  await full.run('append_to_page', { path: 'notes/Came', content: 'more' });
  const there = await versionOf('notes/Came');
  await full.run('append_to_page', { path: 'notes/Came', content: 'and more' });
  const versions = [await versionOf('notes/Came'), there, before];
  const files = versions.map((version) => ({ path: 'notes/Came.md', version }));
  const sizes = async (scope: Scope) => {
    const answer = await answerOf(full, scope, 'read_files', { files });
    return (answer as { files: { size: number | null }[] }).files.map(({ size }) => size !== null);
  };
  expect(await sizes(narrow)).toEqual([true, true, false]);
  expect(await sizes({ read: ['notes/', 'secret/'], write: [] })).toEqual([true, true, true]);
});

test('of what changed since a commit only what lies here is named, and what changed elsewhere counts for nothing', async () => {
  const full = await grown(inProcess, elsewhere);
  const known = (await full.head()) ?? '';
  const nothing = { pages: [], files: [], complete: true };
  await full.run('append_to_page', { path: 'secret/A', content: 'more' });
  expect(await answerOf(full, narrow, 'list_changed', { known })).toMatchObject(nothing);
  await changeBoth(full);
  await full.run('move_page', { path: 'notes/Deep/C', new_path: 'secret/Went' });
  const shown = { pages: ['notes/A', 'notes/Deep/C'], files: [], complete: true };
  expect(await answerOf(full, narrow, 'list_changed', { known })).toMatchObject(shown);
  const many = Array.from({ length: 200 }, (_, at) => {
    return { op: 'write' as const, path: `secret/p${at}`, content: 'x' };
  });
  await full.run('commit_changes', { message: 'Many', changes: many });
  expect(await answerOf(full, narrow, 'list_changed', { known })).toMatchObject(shown);
});

test('what changed is shown page by page for what lies here, with no path, message or number of the rest', async () => {
  const full = await grown(inProcess, elsewhere);
  const known = (await answerOf(full, narrow, 'show_changes', { since: '2000' })) as { to: string };
  const since = known.to;
  await changeBoth(full);
  await full.run('move_page', { path: 'secret/A', new_path: 'notes/Came' });
  await full.run('move_page', { path: 'notes/Deep/C', new_path: 'secret/Went' });
  await full.run('put_attachment', { path: 'secret/zebra.csv', content: 'YSxiCg==' });
  const shown = await answerOf(full, narrow, 'show_changes', { since });
  // The text of a page here may name anything.
  const facts = JSON.stringify(shown, (key, value) => (key === 'diff' ? '' : value));
  expect(facts).not.toMatch(/zebra|secret/i);
  expect(shown).toMatchObject({
    total: 3,
    files_total: 0,
    pages: [
      { path: 'notes/A', action: 'modified' },
      { path: 'notes/Came', action: 'added', previous_path: null },
      { path: 'notes/Deep/C', action: 'deleted', moved_to: null },
    ],
  });
  const hidden = await full.run('append_to_page', { path: 'secret/Went', content: 'more' });
  const later = (await answerOf(full, narrow, 'show_changes', { since })) as { to: string };
  expect(later.to).not.toBe(hidden.commit);
  const unknown = 'f'.repeat(40);
  for (const name of ['since', 'commit']) {
    const [one, other] = [
      await ask(full, narrow, 'show_changes', { [name]: hidden.commit }),
      await ask(full, narrow, 'show_changes', { [name]: unknown }),
    ];
    expect(JSON.stringify(one).replaceAll(hidden.commit ?? '', unknown)).toBe(JSON.stringify(other));
  }
  expect(await ask(full, narrow, 'show_changes', { commit: hidden.commit })).toMatchObject({
    code: 'not_found',
  });
});

test('a commit that changed a file here and pages elsewhere alone is reported', async () => {
  const full = await grown(inProcess, elsewhere);
  await full.git('read-tree', 'HEAD');
  const other = await full.git('rev-parse', 'HEAD:Home.md');
  for (const file of ['notes/chart.png', 'secret/Zebra.md']) {
    await full.git('update-index', '--cacheinfo', `100644,${other},${file}`);
  }
  const tree = await full.git('write-tree');
  const pushed = await full.git('commit-tree', '-m', 'Zebra', '-p', 'HEAD', tree);
  await full.git('update-ref', 'refs/heads/main', pushed);

  const history = await answerOf(full, narrow, 'get_history', { limit: 1 });

  expect(history).toMatchObject({ entries: [{ commit: pushed, pages: [], pages_total: 0 }] });
  expect(JSON.stringify(history)).not.toMatch(/zebra|secret/i);
});

test('a pushed merge is reported with its changes here alone', async () => {
  const full = await grown(inProcess, elsewhere);
  const other = await full.git('rev-parse', 'HEAD:Home.md');
  const treeWith = async (...files: string[]) => {
    await full.git('read-tree', 'HEAD');
    for (const file of files) await full.git('update-index', '--cacheinfo', `100644,${other},${file}`);
    return full.git('write-tree');
  };
  const side = await full.git('commit-tree', '-m', 'Side', '-p', 'HEAD', await treeWith('notes/B.md'));
  const tree = await treeWith('notes/B.md', 'secret/Zebra.md');
  const merge = await full.git('commit-tree', '-m', 'Zebra', '-p', 'HEAD', '-p', side, tree);
  await full.git('update-ref', 'refs/heads/main', merge);

  const history = await answerOf(full, narrow, 'get_history', { limit: 1 });

  const pages = [{ path: 'notes/B', action: 'modified' }];
  expect(history).toMatchObject({ entries: [{ commit: merge, pages }] });
});

test('a pushed merge is reported without its message, as its other side may have changed pages elsewhere', async () => {
  const full = await grown(inProcess, elsewhere);
  const base = await full.git('rev-parse', 'HEAD');
  const other = await full.git('rev-parse', 'HEAD:Home.md');
  const treeWith = async (file: string) => {
    await full.git('read-tree', base);
    await full.git('update-index', '--cacheinfo', `100644,${other},${file}`);
    return full.git('write-tree');
  };
  const side = await full.git('commit-tree', '-m', 'Side', '-p', base, await treeWith('secret/Zebra.md'));
  const tree = await treeWith('notes/B.md');
  const merge = await full.git('commit-tree', '-m', 'Without secret/Zebra', '-p', base, '-p', side, tree);
  await full.git('update-ref', 'refs/heads/main', merge);

  const history = await answerOf(full, narrow, 'get_history', { limit: 1 });
  await full.run('revert_commit', { commit: merge });
  const undone = await answerOf(full, narrow, 'get_history', { limit: 1 });

  const entries = [{ pages: [{ path: 'notes/B', action: 'modified' }] }];
  expect([history, undone]).toMatchObject([{ entries }, { entries }]);
  expect(JSON.stringify([history, undone])).not.toMatch(/zebra|secret/i);
});

test('a pushed commit is reported with its changes here, without a message that names pages elsewhere', async () => {
  const full = await grown(inProcess, elsewhere);
  const base = await full.git('rev-parse', 'HEAD');
  await full.run('append_to_page', { path: 'secret/Zebra', content: 'by the wiki' });
  await full.git('read-tree', base);
  for (const path of ['notes/B.md', 'secret/Zebra.md']) {
    const other = await full.git('rev-parse', `${base}:Home.md`);
    await full.git('update-index', '--cacheinfo', `100644,${other},${path}`);
  }
  const foreign = await full.git('commit-tree', '-m', 'Zebra', '-p', base, await full.git('write-tree'));
  await full.git('update-ref', 'refs/heads/main', foreign);

  const history = await answerOf(full, narrow, 'get_history', { limit: 1 });

  expect(history).toMatchObject({ entries: [{ pages: [{ path: 'notes/B', action: 'modified' }] }] });
  expect(JSON.stringify(history)).not.toMatch(/zebra|secret/i);
  const whole = await full.run('get_history', { limit: 1 });
  expect(whole.entries[0]?.message).toContain('- secret/Zebra.md');
});

test('a commit that also changed pages elsewhere cannot be undone in part', async () => {
  const full = await grown(inProcess, elsewhere);
  await changeBoth(full);
  expect(await ask(full, narrow, 'revert_commit', { commit: HEAD })).toMatchObject({ code: 'forbidden' });
});

test.each([
  ['a symbolic link', '120000', 'secret/Zebra'],
  ['a quarantined file', '100644', 'secret/.gitmodules'],
])(
  'a pushed commit that changed a page here and %s elsewhere is shown without its message, and not undone',
  async (_, mode, path) => {
    const full = await grown(inProcess, elsewhere);
    const other = await full.git('rev-parse', 'HEAD:Home.md');
    await full.git('read-tree', 'HEAD');
    await full.git('update-index', '--cacheinfo', `100644,${other},notes/B.md`);
    await full.git('update-index', '--add', '--cacheinfo', `${mode},${other},${path}`);
    const tree = await full.git('write-tree');
    const pushed = await full.git('commit-tree', '-m', 'Link secret/Zebra', '-p', 'HEAD', tree);
    await full.git('update-ref', 'refs/heads/main', pushed);

    const history = await answerOf(full, narrow, 'get_history', { limit: 1 });
    const undone = await ask(full, narrow, 'revert_commit', { commit: pushed });

    const pages = [{ path: 'notes/B', action: 'modified' }];
    expect(history).toMatchObject({ entries: [{ commit: pushed, pages, pages_total: 1 }] });
    expect(undone).toMatchObject({ code: 'forbidden' });
    expect(JSON.stringify([history, undone])).not.toMatch(/zebra|secret/i);
  },
);

test('undoing a pushed commit does not repeat its message, which may name pages elsewhere', async () => {
  const full = await grown(inProcess, elsewhere);
  const base = await full.git('rev-parse', 'HEAD');
  await full.run('append_to_page', { path: 'secret/Zebra', content: 'by the wiki' });
  await full.git('read-tree', base);
  const other = await full.git('rev-parse', `${base}:Home.md`);
  await full.git('update-index', '--cacheinfo', `100644,${other},notes/B.md`);
  const tree = await full.git('write-tree');
  const foreign = await full.git('commit-tree', '-m', 'As in secret/Zebra', '-p', base, tree);
  await full.git('update-ref', 'refs/heads/main', foreign);

  await answerOf(full, narrow, 'revert_commit', { commit: HEAD });

  const history = await answerOf(full, narrow, 'get_history', { limit: 1 });
  expect(history).toMatchObject({ entries: [{ pages: [{ path: 'notes/B', action: 'modified' }] }] });
  expect(JSON.stringify(history)).not.toMatch(/zebra|secret/i);
});

test('a commit of native git that undoes a push does not repeat its message either', async () => {
  const full = await grown(inProcess, elsewhere);
  const other = await full.git('rev-parse', 'HEAD:Home.md');
  await full.git('read-tree', 'HEAD');
  await full.git('update-index', '--cacheinfo', `100644,${other},notes/B.md`);
  const tree = await full.git('write-tree');
  // As `git revert` words it.
  const subject = 'Revert "Bring in what git pushed: As in secret/Zebra"';
  await full.git(
    'update-ref',
    'refs/heads/main',
    await full.git('commit-tree', '-m', subject, '-p', 'HEAD', tree),
  );

  const history = await answerOf(full, narrow, 'get_history', { limit: 1 });

  expect(history).toMatchObject({ entries: [{ pages: [{ path: 'notes/B', action: 'modified' }] }] });
  expect(JSON.stringify(history)).not.toMatch(/zebra|secret/i);
});

async function changeBoth(wiki: TestWiki): Promise<void> {
  await wiki.run('commit_changes', {
    message: 'Both at once, zebra',
    changes: [
      { op: 'append', path: 'notes/A', content: 'one' },
      { op: 'append', path: 'secret/Zebra', content: 'two' },
    ],
  });
}

test('quarantined files elsewhere are not named', async () => {
  const full = await grown(inProcess, elsewhere);
  await full.git('read-tree', 'HEAD');
  const other = await full.git('rev-parse', 'HEAD:Home.md');
  for (const file of ['.gitmodules', 'secret/.gitmodules', 'notes/.gitmodules'])
    await full.git('update-index', '--add', '--cacheinfo', `100644,${other},${file}`);
  const pushed = await full.git('commit-tree', '-m', 'm', '-p', 'HEAD', await full.git('write-tree'));
  await full.git('update-ref', 'refs/heads/main', pushed);

  const found = await answerOf(full, narrow, 'check_wiki', { kinds: ['quarantined_file'] });

  expect(found).toMatchObject({ findings: [{ path: 'notes/.gitmodules' }], total: 1 });
});
