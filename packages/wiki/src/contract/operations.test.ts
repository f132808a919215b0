import { expect, test } from 'vitest';
import { operationNames, operations } from './operations.ts';

const writes = operationNames.filter((name) => operations[name].effect === 'write');
const hinted = (hint: 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint') =>
  operationNames.filter((name) => operations[name].hints[hint]);

test('clients learn of each operation whether it only reads', () => {
  expect(hinted('readOnlyHint')).toEqual(operationNames.filter((name) => !writes.includes(name)));
  expect(hinted('openWorldHint')).toEqual([]);
});

test('clients learn which writes replace or remove something', () => {
  expect(hinted('destructiveHint')).toEqual([
    ...['write_page', 'edit_page', 'edit_section', 'update_frontmatter', 'move_page', 'delete_page'],
    ...[
      'commit_changes',
      'restore_page',
      'revert_commit',
      'put_attachment',
      'delete_attachment',
      'import_wiki',
    ],
    ...['undo_changes', 'fix_link', 'commit_files', 'set_remote'],
  ]);
});

test('clients learn which operations may be repeated: each that only reads, and two writes', () => {
  expect(hinted('idempotentHint').filter((name) => writes.includes(name))).toEqual([
    'sync_wiki',
    'maintain_wiki',
  ]);
  expect(hinted('idempotentHint')).toEqual(expect.arrayContaining(hinted('readOnlyHint')));
});

test.each(operationNames)('clients learn each of four things about %s', (name) => {
  expect(operations[name].hints).toEqual({
    readOnlyHint: expect.any(Boolean),
    destructiveHint: expect.any(Boolean),
    idempotentHint: expect.any(Boolean),
    openWorldHint: false,
  });
});

test.each(operationNames)('%s has a title, and says in sentences what it does', (name) => {
  const { title, description } = operations[name];
  expect(title).toMatch(/^[A-Z][\w ]+$/);
  expect(description).toMatch(/^[A-Z`].{20,}\.$/s);
});
