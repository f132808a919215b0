import { expect, test } from 'vitest';
import type { Scope } from '../../../../src/contract/scope.ts';
import { openScopedWiki } from './model-wiki.ts';
import { stateOf } from './wiki-state.ts';

/** Messages of commits that a wiki with a scope and its model made, each with the ids of its own commits. */

const SCOPE: Scope = { read: ['in/'], write: ['in/'] };
const FILES = { 'in/Tea.md': 'tea\n', 'in/Plan.md': 'a plan\n', 'out/Zebra.md': 'zebra\n' };

test('a restore and undos name commits', async () => {
  const wiki = await openScopedWiki(FILES, SCOPE);
  for (const path of ['in/Tea', 'out/Zebra'])
    await wiki.call('everybody', { name: 'append_to_page', input: { path, content: 'More.' } });
  const [, before] = (await stateOf(wiki)).commits;
  const compared = await wiki.compare(
    [],
    [
      ({ commits }) => ({ name: 'restore_page', input: { path: 'in/Tea', commit: commits.at(-1) } }),
      () => ({ name: 'undo_changes', input: { author: 'Grace', since: before } }),
      ({ commits: [commit] }) => ({ name: 'undo_changes', input: { commit } }),
    ],
  );
  expect(compared).toEqual(['restore_page', 'undo_changes', 'undo_changes']);
  await wiki.close();
});

test('an undo of a commit that changed something elsewhere says that it undoes a part', async () => {
  const wiki = await openScopedWiki(FILES, SCOPE);
  const changes = ['in/Tea', 'out/Zebra'].map((path) => ({ op: 'append', path, content: 'More.' }));
  await wiki.call('everybody', { name: 'commit_changes', input: { message: 'Both', changes } });
  const [, before] = (await stateOf(wiki)).commits;
  const undone = { author: 'Grace', since: before };
  const compared = await wiki.compare(
    [],
    [
      ({ commits: [commit] }) => ({ name: 'undo_changes', input: { commit } }),
      () => ({ name: 'append_to_page', input: { path: 'in/Plan', content: 'More.' } }),
      () => ({ name: 'undo_changes', input: undone }),
      ({ commits: [commit] }) => ({ name: 'view_commit', input: { commit } }),
      () => ({ name: 'undo_changes', input: { ...undone, dry_run: true } }),
    ],
  );
  expect(compared).toEqual(['undo_changes', 'append_to_page', 'undo_changes', 'view_commit', 'undo_changes']);
  await wiki.close();
});
