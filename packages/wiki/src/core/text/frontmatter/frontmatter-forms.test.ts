import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { findFrontmatter, MAX_YAML_CHARACTERS, readFrontmatter } from './frontmatter.ts';
import { editFrontmatter } from './frontmatter-edit.ts';

const BODY = '# Body\r\n---\nx: y\n---\n';

test.each([
  ['nothing but a null', '~\n', { a: 1 }, [], 'a: 1\n'],
  ['a null under a comment', '# why\n~\n', { a: 1 }, [], '# why\na: 1\n'],
  ['an indented key below a comment', '# c\n  a: 1\n', { b: 2 }, [], '# c\n  a: 1\n  b: 2\n'],
  ['a comment alone', '# why\n', { a: 1 }, [], '# why\na: 1\n'],
  [
    'keys that are indented',
    '  a: 1\n  # c\n  b: [2]\n',
    { c: { d: [1] } },
    ['a'],
    '  # c\n  b: [2]\n  c:\n    d:\n      - 1\n',
  ],
  [
    'a value of an indented key',
    '  a: 1 # c\n  b: 2\n',
    { a: { d: 'x\n\ny' } },
    [],
    '  a: # c\n    d: |-\n      x\n\n      y\n  b: 2\n',
  ],
  ['a blank before the colon', 'a : 1 # c\nb:   2\n', { a: 2 }, [], 'a : 2 # c\nb:   2\n'],
  ['keys in quotes', '"a": 1\n\'b\': 2\n', { a: 2 }, ['b'], '"a": 2\n'],
  ['a key after a question mark', '? a # x: y\n: 1\nb: 2\n', { a: 2 }, [], 'a: 2\nb: 2\n'],
  ['a removed key after a question mark', '? a # x: y\n: 1\nb: 2\n', {}, ['a'], 'b: 2\n'],
  ['a key with an anchor', '&k a: 1\nb:   2\n', {}, ['a'], 'b: 2\n'],
  ['a map in braces', '{\n  a: 1,\n  b: 2\n}\n', { a: 3, c: 4 }, ['b'], '{a: 3, c: 4}\n'],
  [
    'a key that is written twice, as a number and as a text',
    '1: a\n"1": b\n',
    { '1': 'c' },
    [],
    '1: a\n"1": c\n',
  ],
  [
    'lines with both endings',
    'a: 1\r\nb: 2\nc: 3\n',
    { b: 'x\ny', d: 4 },
    [],
    'a: 1\r\nb: |-\n  x\n  y\nc: 3\nd: 4\n',
  ],
  ['a long text', 'a: |\n  x\n\n\nb: 1\n', { a: 'y' }, [], 'a: y\n\n\nb: 1\n'],
  ['text that looks like the end', 'a: 1\n', { b: 'x\n---\ny' }, [], 'a: 1\nb: |-\n  x\n  ---\n  y\n'],
])('an edit keeps the rest of frontmatter in the form of %s', (_, yaml, set, unset, wanted) => {
  expect(edited(yaml, set, unset)).toEqual({ ok: true, text: `---\n${wanted}---\n${BODY}` });
});

test.each([
  ['of an anchor that another key needs', 'a: &x one\nb: *x\n', { a: 'two' }, [], /Unresolved alias/],
  ['of a key whose anchor another key needs', '&k a: 1\nb: *k\n', {}, ['a'], /Unresolved alias/],
  ['of an anchor in braces', '{ a: &x 1, b: *x }\n', { a: 2 }, [], /Unresolved alias/],
  [
    'that gives another anchor to an alias',
    'z: &x 0\na: &x 1\nb: *x\n',
    { a: 2 },
    [],
    /^other keys would change with this one$/,
  ],
  [
    'of a key that comes from another one',
    '%YAML 1.1\n--- # c\n<<: {a: 1}\nb: 2\n',
    {},
    ['a'],
    /^other keys would/,
  ],
  ['of a key that is written twice', '1: a\n"1": b\n', {}, ['1'], /^other keys would/],
  [
    'that makes it too long',
    'a: 1\n',
    { b: 'x'.repeat(MAX_YAML_CHARACTERS - 7) },
    [],
    /^it has over 30000 characters$/,
  ],
])('a change %s is refused, and reported as such', (_, yaml, set, unset, reason) => {
  expect(edited(yaml, set, unset)).toEqual({
    ok: false,
    problem: { line: expect.any(Number), reason: expect.stringMatching(reason) },
  });
});

test('frontmatter is written only as long as it can be read again', () => {
  const value = 'x'.repeat(MAX_YAML_CHARACTERS - 'b: \n'.length);
  expect(editFrontmatter('', { set: { b: value }, unset: [] })).toMatchObject({ ok: true });
  expect(editFrontmatter('', { set: { b: `${value}x` }, unset: [] })).toMatchObject({ ok: false });
});

test.each(['\n', '', '# why\n', '{ a:   1 }\n', '  a:   1\n', '~\n'])(
  'a key that is not in %j is removed without a change of any byte',
  (yaml) => {
    const text = `---  \n${yaml}--- \n${BODY}`;
    expect(editFrontmatter(text, { set: {}, unset: ['b', 'toString'] })).toEqual({ ok: true, text });
  },
);

test('the lines around frontmatter keep their blanks, and go with its last key', () => {
  const text = (yaml: string) => `--- \n${yaml}---\t\n`;
  const change = (set: object, unset: string[]) =>
    editFrontmatter(text('\na: 1\n'), { set: { ...set }, unset });
  expect(change({ a: 2 }, [])).toEqual({ ok: true, text: text('\na: 2\n') });
  expect(change({}, ['a'])).toEqual({ ok: true, text: '' });
});

/** Lines of one key each, in a form that people and programs write. */
const FORMS = [
  (key: string) => `${key}: plain  # c\n`,
  (key: string) => `"${key}" :  'it''s'\n`,
  (key: string) => `# before\n${key}: [1, {x: "y"}]\n`,
  (key: string) => `${key}:\n- one # c\n-   two\n`,
  (key: string) => `${key}: |  # c\n   text\n\n     more\n`,
  (key: string) => `${key}: >-\n  folded\n  text\n`,
  (key: string) => `${key}: "two\n  lines"\n\n`,
  (key: string) => `${key}:\n`,
  (key: string) => `${key}: !!str 1\n`,
  (key: string) => `${key}: &${key} {}   # c\n`,
  (key: string) => `${key}:\n    deep:\n        er: 1\n`,
];
const key = fc.constantFrom<string>('a', 'b', 'c', 'd', 'e');
const value = fc.oneof(
  fc.constantFrom('x', 'a\nb\n', '', ' y', '# no', '[[L]]', '- z', 'true', '---\n'),
  fc.jsonValue({ maxDepth: 2 }).map((each) => JSON.parse(JSON.stringify(each))),
);

test('an edit of keys changes only their lines, in every form of frontmatter', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.record({ key, form: fc.nat(FORMS.length - 1) }), { selector: (each) => each.key }),
      fc.dictionary(key, value, { noNullPrototype: true }),
      fc.array(key, { maxLength: 2 }),
      fc.constantFrom('\n', '\r\n'),
      (lines, set, unset, ending) => {
        fc.pre(unset.every((each) => !Object.hasOwn(set, each)));
        const blocks = lines.map((each) => ({ key: each.key, text: FORMS[each.form]?.(each.key) ?? '' }));
        const yaml = blocks.map(({ text }) => text).join('');
        const page = `---\n${yaml}---\nbody\n`.replaceAll('\n', ending);
        const outcome = editFrontmatter(page, { set, unset });
        if (!outcome.ok) throw new Error(JSON.stringify(outcome.problem));
        const before: Record<string, unknown> = parse(yaml) ?? {};
        const kept = Object.entries(before).filter(([each]) => !unset.includes(each));
        expect(readBack(outcome.text)).toEqual({ ...Object.fromEntries(kept), ...set });
        const untouched = blocks.filter((block) => !(block.key in set || unset.includes(block.key)));
        let at = 0;
        for (const { text } of untouched) {
          const found = outcome.text.indexOf(text.replaceAll('\n', ending), at);
          expect(found, text).not.toBe(-1);
          at = found + text.length;
        }
        expect(outcome.text.endsWith(`body${ending}`)).toBe(true);
        expect(outcome.text.replaceAll(ending, '').includes('\n')).toBe(false);
      },
    ),
    { numRuns: 100 },
  );
});

function edited(yaml: string, set: Record<string, unknown>, unset: readonly string[]) {
  return editFrontmatter(`---\n${yaml}---\n${BODY}`, { set, unset });
}

function readBack(text: string): Record<string, unknown> {
  return readFrontmatter(text, findFrontmatter(text)).data;
}
