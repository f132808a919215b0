import { describe, expect, test } from 'vitest';
import type { OperationName } from './operations.ts';
import { parseInput } from './parse-input.ts';

const OID = '1'.repeat(40);
const EDIT = { old_string: 'a', new_string: 'b' };
const PAGE = { path: 'A' };

describe('a name that models know from other servers means the argument here', () => {
  test.each<[OperationName, object, field: string, value: unknown, names: string]>([
    ['read_page', {}, 'path', 'A', 'page page_path file_path filepath old_path source from_path title'],
    ['read_pages', {}, 'paths', ['A'], 'pages page_paths file_paths'],
    ['move_page', PAGE, 'new_path', 'B', 'to_path destination target new_title new_name'],
    ['write_page', PAGE, 'content', 'x', 'text body markdown contents'],
    ['list_pages', {}, 'limit', 5, 'page_size pageSize max_results count'],
    ['search_pages', {}, 'query', 'x', 'q search pattern text'],
    ['create_wiki', { wiki: 'w' }, 'message', 'm', 'commit_message summary reason'],
    ['delete_page', PAGE, 'version', OID, 'expected_version if_match sha'],
    ['read_page', PAGE, 'start_line', 3, 'offset from_line'],
    ['read_page', PAGE, 'max_lines', 3, 'lines num_lines'],
    ['read_page', PAGE, 'at', 'yesterday', 'revision ref'],
    ['read_page', PAGE, 'wiki', 'w', 'wiki_name repository'],
    ['diff_page', PAGE, 'from', OID, 'from_commit base'],
    ['diff_page', { ...PAGE, from: OID }, 'to', OID, 'to_commit'],
    ['edit_page', { ...PAGE, edits: [EDIT] }, 'dry_run', true, 'dryRun preview'],
    ['view_commit', {}, 'commit', OID, 'commit_id revision sha'],
    ['read_page', PAGE, 'heading', 'H', 'section section_heading'],
    ['edit_section', { ...PAGE, heading: 'H', content: 'x' }, 'operation', 'append', 'action mode position'],
    ['commit_changes', { message: 'm' }, 'changes', [{ op: 'delete', ...PAGE }], 'operations actions files'],
  ])('%s with %j: %s', (name, rest, field, value, names) => {
    const meant = parseInput(name, { ...rest, [field]: value });
    for (const each of names.split(' ')) {
      expect(parseInput(name, { ...rest, [each]: value }), each).toEqual(meant);
    }
  });

  test.each([
    ['old_string', 'old_text oldText old_str oldString search'],
    ['new_string', 'new_text newText new_str newString replace'],
    ['replace_all', 'replaceAll'],
  ])('%s of an edit, in a list or beside the path', (field, names) => {
    const edit: Record<string, unknown> = { ...EDIT, replace_all: true };
    const meant = parseInput('edit_page', { ...PAGE, edits: [edit] });
    const { [field]: value, ...rest } = edit;
    for (const each of names.split(' ')) {
      const named = { ...rest, [each]: value };
      expect(parseInput('edit_page', { ...PAGE, edits: [named] }), each).toEqual(meant);
      expect(parseInput('edit_page', { ...PAGE, edits: named }), each).toEqual(meant);
      expect(parseInput('edit_page', { ...PAGE, ...named }), each).toEqual(meant);
    }
  });

  test.each([
    ['op', 'delete', {}, 'operation action type'],
    ['position', 'append', { op: 'section', heading: 'H', content: 'x' }, 'operation mode'],
    ['path', 'B', { op: 'delete' }, 'page title'],
  ])('%s of a change of a batch', (field, value, rest, names) => {
    const batchOf = (change: object) =>
      parseInput('commit_changes', { message: 'm', changes: [{ ...PAGE, ...change }] });
    const bare = field === 'path' ? { path: null } : {};
    for (const each of names.split(' ')) {
      expect(batchOf({ ...rest, ...bare, [each]: value }), each).toEqual(
        batchOf({ ...rest, [field]: value }),
      );
    }
  });
});

test('such a name counts only where it has no other meaning, and beside the argument itself it is refused', () => {
  // Here `from_path` is an argument of its own.
  expect(() => parseInput('diff_page', { from: OID, from_path: 'A' })).toThrow(
    'do not fit: path is missing.',
  );
  expect(() => parseInput('read_page', { path: 'A', page: 'B' })).toThrow('read_page takes no "page".');
  // The first of two such names counts.
  expect(() => parseInput('read_page', { title: 'A', page: 'B' })).toThrow('read_page takes no "title".');
  expect(() => parseInput('edit_page', { ...PAGE, edits: [{ ...EDIT, search: 'c' }] })).toThrow(
    'edits.0 takes no "search".',
  );
  expect(() => parseInput('list_wikis', { edits: [EDIT] })).toThrow('list_wikis takes no "edits".');
});

test('what is no list of edits or changes is refused as it was given', () => {
  expect(() => parseInput('edit_page', { ...PAGE, edits: 'a' })).toThrow(
    'edits must be a list, not a string.',
  );
  expect(() => parseInput('edit_page', PAGE)).toThrow('do not fit: edits is missing.');
  expect(() => parseInput('edit_page', { ...PAGE, edits: null })).toThrow('do not fit: edits is missing.');
  expect(() => parseInput('commit_changes', { message: 'm', changes: { op: 'delete', ...PAGE } })).toThrow(
    'changes must be a list, not an object.',
  );
});
