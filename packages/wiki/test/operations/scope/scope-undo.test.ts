import { expect, test } from 'vitest';
import type { Scope } from '../../../src/contract/scope.ts';
import { inProcess } from '../local-backends.ts';
import { answerOf, ask, elsewhere, grown, narrow, wider } from './scope-wiki.ts';

test('undo_changes takes back the part of a commit that lies here, and says nothing else of the rest', async () => {
  const full = await grown(inProcess, elsewhere);
  const { commit: since } = await full.run('append_to_page', { path: 'notes/B', content: 'early' });
  const before = await full.content('notes/A');
  await full.run('commit_changes', {
    message: 'Hidden aim',
    changes: [
      { op: 'append', path: 'secret/Zebra', content: 'hidden text' },
      { op: 'append', path: 'notes/A', content: 'more' },
      { op: 'append', path: 'notes/B', content: 'more' },
    ],
  });
  const commit = (await full.head()) ?? '';
  await full.as('Bob', null).run('append_to_page', { path: 'notes/B', content: 'and more' });
  for (const asked of [{ commit }, { agent: 'test', since }]) {
    const seen = await answerOf(full, narrow, 'undo_changes', { ...asked, dry_run: true });
    expect(seen).toMatchObject({
      leaves_out_files: true,
      commits: [{ commit }],
      files: [
        { path: 'notes/B', state: 'conflict' },
        { path: 'notes/A', state: 'undone' },
      ],
    });
    expect(JSON.stringify(seen)).not.toMatch(/hidden|"secret/i);
  }
  const refused = await ask(full, narrow, 'undo_changes', { commit });
  expect(refused).toMatchObject({ code: 'version_conflict' });
  await answerOf(full, narrow, 'undo_changes', { commit, leave: ['notes/B'] });
  expect([await full.content('notes/A'), await full.content('secret/Zebra')]).toEqual([
    before,
    `${elsewhere['secret/Zebra.md']}hidden text\n`,
  ]);
  const message = await full.git('log', '-1', '--format=%B');
  expect(message).toContain(`This reverts a part of commit ${commit}.`);
  expect(message).not.toMatch(/hidden|secret/i);
});

test.each([
  ['120000', 'secret/link', true],
  ['120000', 'notes/link', false],
  ['100644', 'secret/.gitmodules', true],
])('undo_changes says whether it leaves something out (%s %s)', async (mode, path, leavesOut) => {
  const full = await grown(inProcess, elsewhere);
  const blob = await full.git('rev-parse', 'HEAD:Home.md');
  await full.git('read-tree', 'HEAD');
  for (const entry of [`100644,${blob},notes/B.md`, `${mode},${blob},${path}`])
    await full.git('update-index', '--add', '--cacheinfo', entry);
  const tree = await full.git('write-tree');
  const commit = await full.git('commit-tree', '-m', 'Pushed', '-p', 'HEAD', tree);
  await full.git('update-ref', 'refs/heads/main', commit);
  const seen = await answerOf(full, narrow, 'undo_changes', { commit, dry_run: true });
  expect(seen).toMatchObject({
    leaves_out_files: leavesOut,
    files: [{ path: 'notes/B', state: 'undone' }],
  });
});

test('undo_changes keeps a page that came from elsewhere, and brings back one that went there', async () => {
  const full = await grown(inProcess, elsewhere);
  const came = await full.run('move_page', { path: 'secret/A', new_path: 'notes/Came' });
  const went = await full.run('move_page', { path: 'notes/Deep/C', new_path: 'secret/Went' });
  const refused = await ask(full, narrow, 'undo_changes', { commit: came.commit });
  expect(refused).toMatchObject({
    code: 'version_conflict',
    text: { happened: expect.stringContaining('"notes/Came" may have come from') },
  });
  expect(JSON.stringify(refused)).not.toMatch(/zebra|secret/i);
  await answerOf(full, narrow, 'undo_changes', { commit: went.commit });
  expect(await full.paths()).toEqual(expect.arrayContaining(['notes/Came', 'notes/Deep/C', 'secret/Went']));
});

test('undo_changes knows no commit that changed nothing here', async () => {
  const full = await grown(inProcess, elsewhere);
  const { commit } = await full.run('append_to_page', { path: 'secret/A', content: 'more' });
  expect(await ask(full, narrow, 'undo_changes', { commit })).toMatchObject({ code: 'not_found' });
});

test('with folders to change, undo_changes takes back what lies in them, and keeps the rest', async () => {
  const full = await grown(inProcess, elsewhere);
  const since = (await full.head()) ?? '';
  const before = await full.content('notes/Deep/C');
  const changes = ['wide/D', 'notes/Deep/C'].map((path) => {
    return { op: 'append' as const, path, content: 'more' };
  });
  await full.run('commit_changes', { message: 'Both', changes });
  await full.run('append_to_page', { path: 'wide/D', content: 'alone' });
  const asked = { agent: 'test', since };
  const seen = await answerOf(full, wider, 'undo_changes', { ...asked, dry_run: true });
  expect(seen).toMatchObject({
    leaves_out_files: true,
    commits: [{ message: 'Both' }],
    files: [{ path: 'notes/Deep/C', state: 'undone' }],
  });
  await answerOf(full, wider, 'undo_changes', asked);
  expect(await full.content('notes/Deep/C')).toBe(before);
  expect(await full.content('wide/D')).toContain('more\nalone');
});

test('under a scope, undo_changes follows a page only to where it may change it', async () => {
  const full = await grown(inProcess, elsewhere);
  const edited = await full.run('append_to_page', { path: 'notes/Deep/C', content: 'more' });
  await full.as('Bob', null).run('move_page', { path: 'notes/Deep/C', new_path: 'notes/Deep/E' });
  const at = (scope: Scope) =>
    answerOf(full, scope, 'undo_changes', { commit: edited.commit, dry_run: true });
  expect(await at(narrow)).toMatchObject({ files: [{ path: 'notes/Deep/E', state: 'undone' }] });
  await full.run('move_page', { path: 'notes/Deep/E', new_path: 'secret/Zebra/E' });
  const seen = await at(narrow);
  expect(seen).toMatchObject({ files: [{ path: 'notes/Deep/C', state: 'conflict' }] });
  expect(JSON.stringify(seen)).not.toMatch(/zebra|secret/i);
  await full.run('move_page', { path: 'secret/Zebra/E', new_path: 'wide/E' });
  expect(await at(wider)).toMatchObject({ files: [{ path: 'notes/Deep/C', state: 'conflict' }] });
});
