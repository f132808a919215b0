import { describe, expect, test } from 'vitest';
import { idleCpuMsOf } from '../../test/machine-speed.ts';
import { WikiError } from './errors.ts';
import { limits } from './limits.ts';
import { type OperationName, operationNames } from './operations.ts';
import { parseChange, parseInput, parseOperationName } from './parse-input.ts';

test.each<[OperationName, unknown, string]>([
  ['read_page', {}, 'path is missing'],
  ['read_page', null, 'path is missing'],
  ['read_page', { path: '' }, 'path must not be empty'],
  ['read_page', { path: 5 }, 'path must be a string, not 5'],
  ['read_page', { path: true }, 'path must be a string, not true'],
  ['read_page', { path: null }, 'path is missing'],
  ['edit_page', { path: 'A', edits: [null] }, 'edits.0 must be an object, not null'],
  [
    'edit_page',
    { path: 'A', edits: [{ old_string: 'a', new_string: null }] },
    'edits.0.new_string is missing',
  ],
  [
    'commit_changes',
    { message: 'm', changes: [{ op: 'edit', path: 'A', edits: [{ old_string: null, new_string: 'b' }] }] },
    'changes.0.edits.0.old_string is missing',
  ],
  ['read_page', ['Home'], 'read_page must be an object, not a list'],
  ['read_page', { path: 'Home', start_line: 0 }, 'start_line must be at least 1'],
  ['read_page', { path: 'Home', start_line: 1.5 }, 'start_line must be a whole number, not 1.5'],
  ['read_page', { path: 'Home', start_line: '1' }, 'start_line must be a number, not a string'],
  ['read_page', { path: 'Home', mode: 'all' }, 'mode must be one of "content", "outline", "metadata"'],
  ['read_page', { path: 'Home', lang: 'en' }, 'read_page takes no "lang"'],
  ['read_page', { path: 'Home', old_string: 'a' }, 'read_page takes no "old_string"'],
  ['read_page', { undefined: 'Home' }, 'path is missing; read_page takes no "undefined"'],
  [
    'edit_page',
    { path: 'A', edits: [{ old_string: 'a', undefined: 'b' }] },
    'edits.0.new_string is missing; edits.0 takes no "undefined"',
  ],
  [
    'read_page',
    {
      path: 'Home',
      ...Object.fromEntries([...'abcdefgh', 'x'.repeat(100)].reverse().map((key) => [key, 1])),
    },
    `read_page takes no "${'x'.repeat(80)}…", "h", "g", "f", "e", "d", "c", "b", …`,
  ],
  ['put_attachment', { path: 'a.png', content: '%' }, 'content must be Base64'],
  [
    'commit_changes',
    { message: 'm', changes: [{ path: 'A' }, null] },
    'changes.0.op is missing; it is one of "write", "append", "edit", "section", "move", "merge", "delete"; changes.1 must be an object, not null',
  ],
  [
    'read_page',
    { path: 'Home', at: 'HEAD' },
    'at must be a commit id (in full or its first 4 or more digits; a year is a date), or a date like 2026-10-05, yesterday or 3 days ago',
  ],
  ['read_pages', { paths: [] }, 'paths must not be empty'],
  ['read_pages', { paths: 'Home' }, 'paths must be a list, not a string'],
  ['read_pages', { paths: Array(21).fill('Home') }, 'paths must have at most 20 items'],
  ['get_history', { limit: 1000 }, 'limit must be at most 200'],
  [
    'write_page',
    { path: 'A', content: 'x', message: 'm'.repeat(2_001) },
    'message must have at most 2000 characters',
  ],
  ['write_page', { path: 'A', content: 'x', allow_shrink: 1 }, 'allow_shrink must be true or false, not 1'],
  ['update_frontmatter', { path: 'A', set: 'a: 1' }, 'set must be an object, not a string'],
  ['update_frontmatter', { path: 'A', set: { '': 1 } }, 'set."" cannot be a key'],
  [
    'edit_page',
    { path: 'A', edits: [{ old_string: '', new_string: 'b', count: 2 }] },
    'edits.0.old_string must not be empty; edits.0 takes no "count"',
  ],
])('%s with %j: %s', (name, input, reasons) => {
  expect(happened(name, input)).toBe(`The arguments of ${name} do not fit: ${reasons}.`);
});

test('null counts as a missing argument, as some clients must send every argument', () => {
  const given = { path: 'Home', at: null, heading: null, start_line: null };
  expect(parseInput('read_page', given)).toEqual(parseInput('read_page', { path: 'Home' }));
  const change = { op: 'append', path: 'Log', content: 'x' };
  const changes = [{ ...change, new_path: null, edits: null, version: null }];
  expect(parseInput('commit_changes', { message: 'm', changes }).changes).toEqual([change]);
  expect(parseInput('update_frontmatter', { path: 'A', set: { due: null } }).set).toEqual({ due: null });
  expect(parseInput('read_page', { path: null, page: 'Home' })).toMatchObject({ path: 'Home' });
});

test('null counts as a missing argument inside edits and inside changes of a batch too', () => {
  const given = [
    { old_string: 'a', new_string: 'b', replace_all: null },
    { old_string: null, old_text: 'a', new_string: 'b' },
    { old_string: 'a', new_string: 'b', count: null },
  ];
  const edit = { old_string: 'a', new_string: 'b' };
  const { edits } = parseInput('edit_page', { path: 'A', edits: [edit, edit, edit] });
  expect(parseInput('edit_page', { path: 'A', edits: given }).edits).toEqual(edits);
  const changes = [{ op: 'edit', path: 'A', edits: given }];
  expect(parseInput('commit_changes', { message: 'm', changes }).changes).toEqual([
    { op: 'edit', path: 'A', edits },
  ]);
});

test('an error names up to eight wrong fields, and says what the operation takes', () => {
  const error = errorOf(() => parseInput('get_links', { path: 5, x: 1 }));
  expect(error).toMatchObject({
    code: 'invalid_input',
    text: {
      happened:
        'The arguments of get_links do not fit: path must be a string, not 5; get_links takes no "x".',
      now: 'Nothing was read or changed.',
      next: 'get_links takes wiki, path. Call it again with these corrected.',
      atTerminal: 'Correct that and run the command again; --help shows the options.',
    },
    data: { fields: ['path', ''] },
  });
  const { data } = errorOf(() => parseInput('read_pages', { paths: Array(20).fill(5) }));
  expect(data.fields).toEqual(Array.from({ length: 8 }, (_, at) => `paths.${at}`));
  expect(errorOf(() => parseInput('read_pages', { paths: [''] })).data.fields).toEqual(['paths.0']);
});

test('an error in a change of a batch names the fields of such a change', () => {
  expect(parseChange('append_to_page', { path: 'A', content: 'x' })).toEqual(
    parseInput('append_to_page', { path: 'A', content: 'x' }),
  );
  const error = errorOf(() => parseChange('append_to_page', { path: 'A' }));
  expect(error.text).toMatchObject({
    happened: 'The arguments of append_to_page do not fit: content is missing.',
    next: 'A change of this kind takes path, content, create, version.',
  });
});

test('a name that is no operation is refused with those that are', () => {
  expect(parseOperationName('read_page')).toBe('read_page');
  expect(errorOf(() => parseOperationName(`r${'x'.repeat(100)}`))).toMatchObject({
    code: 'invalid_input',
    text: {
      happened: `There is no operation "r${'x'.repeat(79)}".`,
      now: `The operations are ${operationNames.join(', ')}.`,
      next: 'Call one of these.',
    },
  });
  expect(operationNames.slice(0, 2)).toEqual(['read_page', 'read_pages']);
});

test('arguments may nest 64 deep and hold 10,000 values, and no more', () => {
  const nested = (depth: number) => {
    let value: unknown = 1;
    for (let at = 0; at < depth; at += 1) value = { a: value };
    return () => parseInput('update_frontmatter', { path: 'A', set: value });
  };
  const wide = (count: number) => () =>
    parseInput('update_frontmatter', { path: 'A', set: { a: Array(count).fill(1) } });
  expect(nested(64)().path).toBe('A');
  expect(errorOf(nested(65)).text).toEqual({
    happened: 'The arguments of update_frontmatter are nested over 64 deep.',
    now: 'Nothing was read or changed.',
    next: 'Call it again with values that nest less.',
  });
  // The characters of a text are no values.
  expect(happened('read_page', 'x'.repeat(20_000))).toContain('read_page must be an object, not a string');
  // The path, the set and the list are values too.
  expect(wide(9_997)().path).toBe('A');
  expect(errorOf(wide(9_998))).toMatchObject({
    code: 'invalid_input',
    text: {
      happened: 'The arguments of update_frontmatter hold too many values.',
      next: 'Call it again with fewer values.',
    },
  });
});

function errorOf(parse: () => unknown): WikiError {
  try {
    parse();
  } catch (error) {
    if (error instanceof WikiError) return error;
    throw error;
  }
  throw new Error('It fits.');
}

function happened(name: OperationName, input: unknown): string {
  return errorOf(() => parseInput(name, input)).text.happened;
}

test('arguments nested deeper than the stack allows are refused in plain words', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 1_000_000; depth += 1) deep = depth % 2 === 0 ? [deep] : { a: deep };
  for (const raw of [{ path: 'A', set: { a: deep } }, { path: deep }, deep])
    expect(() => parseInput('update_frontmatter', raw)).toThrow(
      /^invalid_input: The arguments of update_frontmatter are nested over 64 deep\. /,
    );
});

describe('more values than any call needs', () => {
  const many = 400_000;
  const rows = {
    'update_frontmatter with a long list': [
      'update_frontmatter',
      () => ({ path: 'A', set: { a: list(many, () => ({ a: 1 })) } }),
    ],
    'update_frontmatter with many keys': ['update_frontmatter', () => ({ path: 'A', set: keys(many) })],
    'read_page with arguments that it does not know': ['read_page', () => keys(many)],
    'commit_changes with too many changes': [
      'commit_changes',
      () => ({ message: 'm', changes: list(many, () => ({ op: 'delete', path: 'A' })) }),
    ],
  } as const;

  test.each(Object.entries(rows))('are refused at once: %s', (_, [name, make]) => {
    const raw = make();
    const parse = () =>
      expect(() => parseInput(name, raw)).toThrow(
        /^invalid_input: The arguments of \w+ hold too many values\. /,
      );
    expect(idleCpuMsOf(parse)).toBeLessThan(10 * USUAL_MS);
  });

  test('a full batch is not too many', () => {
    const edits = list(limits.editsMost, () => ({ old_string: 'a', new_string: 'b', replace_all: true }));
    const changes = list(limits.changesMost, () => ({ op: 'edit', path: 'A', edits }));
    expect(parseInput('commit_changes', { message: 'm', changes }).changes).toHaveLength(limits.changesMost);
  });

  function list<Value>(length: number, make: () => Value): Value[] {
    return Array.from({ length }, make);
  }

  function keys(count: number): Record<string, number> {
    return Object.fromEntries(list(count, () => 0).map((value, at) => [`k${at}`, value]));
  }
});

/** The processor time of the slowest of them on an idle machine. */
const USUAL_MS = 100;
