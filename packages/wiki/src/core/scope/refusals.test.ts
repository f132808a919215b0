import { expect, test } from 'vitest';
import { WikiError } from '../../contract/errors.ts';
import type { Input, OperationName } from '../../contract/operations.ts';
import type { Scope } from '../../contract/scope.ts';
import {
  commitReachesOut,
  namesOf,
  requireChangeable,
  requireKnownCommit,
  requireNamedInScope,
  wholeWikiOnly,
} from './refusals.ts';

const scope: Scope = { read: ['notes/', 'more/'], write: ['notes/'] };

/** The path that is refused, null if none is. */
function refused(name: OperationName, input: object, within = scope): string | null {
  try {
    requireNamedInScope(within, name, input as Input<OperationName>);
    return null;
  } catch (error) {
    if (!(error instanceof WikiError) || error.code !== 'forbidden') throw error;
    return String(error.data.path);
  }
}

test.each<[name: OperationName, input: object, refused: string | null]>([
  ['write_page', { path: 'notes/A' }, null],
  ['write_page', { path: 'more/A' }, 'more/A'],
  ['write_page', { path: 'notes' }, 'notes'],
  ['read_page', { path: 'secret/A' }, null],
  ['export_wiki', {}, null],
  ['move_page', { path: 'notes/A', new_path: 'notes/B' }, null],
  ['move_page', { path: 'notes/A', new_path: 'secret/B' }, 'secret/B'],
  ['move_page', { path: 'secret/A', new_path: 'notes/B' }, 'secret/A'],
  ['revert_commit', { commit: 'abcd' }, null],
  ['commit_changes', { changes: [{ path: 'notes/A' }, { path: 'notes/B', new_path: 'notes/C' }] }, null],
  ['commit_changes', { changes: [{ path: 'notes/A' }, { path: 'secret/B' }] }, 'secret/B'],
  ['commit_changes', { changes: [{ path: 'notes/A', new_path: 'secret/C' }] }, 'secret/C'],
  ['commit_files', { files: [{ path: 'notes/a.png' }, { path: 'notes/b.png' }] }, null],
  ['commit_files', { files: [{ path: 'notes/a.png' }, { path: 'secret/b.png' }] }, 'secret/b.png'],
  ['import_wiki', { prefix: 'notes/' }, null],
  ['import_wiki', { prefix: 'notes' }, null],
  ['import_wiki', { prefix: 'notes/Deep' }, null],
  ['import_wiki', { prefix: 'note' }, 'note/'],
  ['import_wiki', { prefix: 'secret/' }, 'secret/'],
  ['import_wiki', { prefix: '' }, ''],
  ['import_wiki', {}, ''],
])('%s of %j is refused for %j', (name, input, path) => {
  expect(refused(name, input)).toBe(path);
});

test('an import to the root is fine if everything may be written', () => {
  expect(refused('import_wiki', {}, { read: [''], write: [''] })).toBeNull();
});

test('a refusal says what was refused, and where one may write', () => {
  const refuse = (path: string) => () => requireChangeable(scope, ['notes/A', path, 'secret/Z']);
  const text = {
    happened: '"secret/A" is outside of what may be changed from here, which is "notes/".',
    now: 'Nothing was written.',
    next: 'Use a path below one of these, or ask the person who runs this server for more.',
    atTerminal: 'Use a path below one of these, or widen --scope and --write-scope.',
  };
  expect(refuse('secret/A')).toThrow(
    expect.objectContaining({ code: 'forbidden', text, data: { path: 'secret/A', scope } }),
  );
  expect(refuse('')).toThrow(/^forbidden: The root of the wiki is outside/);
  expect(refuse(`x${'y'.repeat(300)}`)).toThrow(/^forbidden: "xy{199}" is outside/);
});

test('what concerns the whole wiki names the folders that are readable', () => {
  expect(wholeWikiOnly(scope, 'A bundle')).toMatchObject({
    code: 'forbidden',
    text: {
      happened:
        'A bundle takes the whole wiki, and from here only a part may be seen or changed: only what lies in "notes/", "more/" is there, and only what lies in "notes/" may be changed.',
      now: 'Nothing was done.',
      next: 'Ask the person who runs this server to do it.',
      atTerminal: 'Do it without --scope and --write-scope.',
    },
    data: { scope },
  });
  expect(commitReachesOut(scope)).toMatchObject({
    code: 'forbidden',
    text: {
      happened: 'The commit changed more than what may be seen from here, which is "notes/", "more/".',
      now: 'Nothing was changed.',
      next: 'Bring single pages back with restore_page.',
    },
    data: { scope },
  });
  expect(namesOf(['', 'a "b"/'])).toBe('everything, "a \\"b\\"/"');
});

test('a commit is named by so many digits that it cannot be found by trying', () => {
  expect(() => requireKnownCommit('a'.repeat(9))).toThrow(
    'invalid_input: The commit id "aaaaaaaaa" is too short where only a part of the wiki may be seen. Nothing was changed. Give at least 10 of its digits, as get_history shows them.',
  );
  expect(() => requireKnownCommit('a'.repeat(10))).not.toThrow();
});
