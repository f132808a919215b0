import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
import { aliasesOf, findFrontmatter, readFrontmatter, supersededBy, tagsOf } from './frontmatter.ts';

const read = (text: string) => readFrontmatter(text, findFrontmatter(text));
const bodyOf = (text: string) => text.slice(findFrontmatter(text)?.end ?? 0);

describe('frontmatter', () => {
  test('is what stands between two lines of three dashes at the very start', () => {
    expect(read('---\ntitle: A\n---\nbody')).toEqual({ data: { title: 'A' }, problem: null });
    expect(bodyOf('---\r\ntitle: A\r\n---\r\nbody')).toBe('body');
    expect(bodyOf('---\n---\nbody')).toBe('body');
    expect(bodyOf('---\na: 1\n---')).toBe('');
  });

  test('goes on over lines that only begin with dashes', () => {
    expect(bodyOf('---\na: 1\n---- x\nb: 2\n--- x\n---\nbody')).toBe('body');
  });

  test.each([
    ['- a\n', 'it is not a list of `key: value`', 2],
    ['text\n', 'it is not a list of `key: value`', 2],
    ['a: 1\n--- b\n', 'it holds several documents', 2],
    ['b: 1\na: [1\n--- b\n', /^Flow sequence [^:]* end with a \]$/, 4],
    ['m:\n  x: 1\n  x: 2\nm: 2\n', 'Map keys must be unique', 4],
    ['m: 1\nm:\n  x: 1\n  x: 2\n', 'Map keys must be unique', 3],
    ['? [1]\n: {a: 1, a: 2}\n', 'Map keys must be unique', 3],
    ['? {a: 1, a: 2}\n: 1\n', 'Map keys must be unique', 2],
    ['l:\n- {a: 1}\n- {a: 1,\n  a: 2}\n', 'Map keys must be unique', 5],
  ])('that is no list of keys reports why, and the first line where it is not: %j', (yaml, reason, line) => {
    const expected = reason instanceof RegExp ? expect.stringMatching(reason) : reason;
    expect(read(`---\n${yaml}---\n`)).toEqual({ data: {}, problem: { line, reason: expected } });
  });

  test('may have lists for keys, and the times of YAML 1.1', () => {
    expect(read('---\n? [1]\n: 1\n? [2]\n: 2\n---\n').data).toEqual({ '[ 1 ]': 1, '[ 2 ]': 2 });
    expect(read('---\n%YAML 1.1\n--- # c\nd: 2024-05-01\n---\n').data).toEqual({
      d: '2024-05-01T00:00:00.000Z',
    });
  });

  test.each([
    '\n---\na: 1\n---\n',
    '---\na: 1\n',
    '--- a\nb: 1\n---\n',
    '----\na: 1\n---\n',
    'text',
    '',
    '---',
  ])('is not what only looks like it: %j', (text) => {
    expect(findFrontmatter(text)).toBeNull();
    expect(read(text)).toEqual({ data: {}, problem: null });
  });

  test('gives JSON values only', () => {
    const text = '---\ndate: 2024-05-01\nn: .nan\nempty:\n1: one\n---\n';
    expect(read(text).data).toEqual({ date: '2024-05-01', n: 'NaN', empty: null, '1': 'one' });
  });

  test('that is invalid reads as none and reports the line of the page', () => {
    const { data, problem } = read('---\ntitle: A\ntags: [a, b\nx: 1\n---\nbody\n');
    expect(data).toEqual({});
    expect(problem?.line).toBeGreaterThanOrEqual(3);
    expect(problem?.line).toBeLessThanOrEqual(5);
    expect(read('---\na: 1\na: 2\n---\n').problem).toEqual({ line: 3, reason: 'Map keys must be unique' });
    expect(read('---\n- a\n---\n').problem?.reason).toBe('it is not a list of `key: value`');
  });

  test.each([
    [
      'aliases that multiply',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghij'].map((key, i) => `${key}: &${key} [${Array(9).fill(`*${'abcdefghij'[i]}`)}]`).join('\n')}`,
    ],
    ['an alias within itself', 'a: &a [*a]'],
    ['nesting without end', `a: ${'['.repeat(20_000)}`],
    ['sheer size', `a: ${'x'.repeat(200_000)}`],
    ['very many values', `a: [${'1,'.repeat(20_000)}]`],
  ])('is bounded: %s', (_name, yaml) => {
    const text = `---\n${yaml}\n---\n`;
    expect(idleCpuMsOf(() => expect(read(text).problem).not.toBeNull())).toBeLessThan(2_000);
  });

  test('cannot reach the prototype of an object', () => {
    const { data } = read('---\n__proto__: {polluted: true}\n---\n');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  });

  test('never throws, and what it gives is JSON', () => {
    const piece = fc.constantFrom(
      'a',
      ': ',
      '\n',
      '- ',
      '&a ',
      '*a',
      '[',
      ']',
      '{',
      '}',
      '"',
      '|',
      '#',
      '  ',
      '!!x ',
      '?',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const { data } = read(`---\n${pieces.join('')}\n---\n`);
        expect(JSON.parse(JSON.stringify(data))).toEqual(data);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('tags are a list or a string, with or without #', () => {
  expect(tagsOf({ tags: ['#a', 'b', 2024, 'b', { c: 1 }] })).toEqual(['a', 'b', '2024']);
  expect(tagsOf({ tags: 'a, b c', tag: 'd' })).toEqual(['a', 'b', 'c', 'd']);
  expect(tagsOf({ tags: null })).toEqual([]);
  expect(tagsOf({ tags: ['C#', '', ' a '], tag: 'b, #c' })).toEqual(['C#', 'a', 'b', 'c']);
});

test('aliases are a list or one string', () => {
  expect(aliasesOf({ aliases: ['One', 'Smith, John'] })).toEqual(['One', 'Smith, John']);
  expect(aliasesOf({ alias: 'Smith, John' })).toEqual(['Smith, John']);
  expect(aliasesOf({ aliases: [' One', 'E\u0301', '', ' '], alias: 'One' })).toEqual(['One', '\u00c9']);
});

test.each([
  ['New', 'New'],
  [' [[New]] ', '[[New]]'],
  [['New', 'Other'], 'New'],
  [[['New']], 'New'],
  [2024, '2024'],
  [{ a: 1 }, null],
  [['', 'Other'], null],
  ['', null],
  [' ', null],
  [undefined, null],
  ['x'.repeat(1_000), 'x'.repeat(1_000)],
  ['x'.repeat(1_001), null],
])('a page is superseded by the first name in %j', (written, name) => {
  expect(supersededBy({ superseded_by: written })).toBe(name);
});

test('YAML of errors alone takes a moment, as the first of them decides', () => {
  const text = `---\n${'}'.repeat(29_000)}\n---\n`;
  const used = idleCpuMsOf(() => {
    expect(readFrontmatter(text, findFrontmatter(text))).toMatchObject({ data: {}, problem: { line: 2 } });
  });
  expect(used).toBeLessThan(200);
});

test('YAML of too many parts is not interpreted', () => {
  const text = (keys: number) => `---\n${'a:\n'.repeat(keys)}---\n`;
  expect(read(text(9_000)).problem?.reason).toBe('it has over 20000 keys, values and marks');
  expect(read(text(4_000)).problem?.reason).toBe('Map keys must be unique');
});

test.each([
  ['lists deep in one another', `? {x: ${'['.repeat(500)}${']'.repeat(500)}}\n: 1\n`],
  ['maps deep in one another', `? ${'{a: '.repeat(500)}${'}'.repeat(500)}\n: 1\n`],
  [
    'many keys',
    Array.from({ length: 250 }, (_, at) => `? {${at}: ${'['.repeat(45)}${']'.repeat(45)}}\n: 1\n`).join(''),
  ],
])('keys that are maps take a moment: %s', (_, yaml) => {
  // The library takes 300 ms and 2 s for these.
  const used = idleCpuMsOf(() => expect(read(`---\n${yaml}---\n`).problem).not.toBeNull());
  expect(used).toBeLessThan(150);
});

test('a placeholder of a template is a key that is a map', () => {
  expect(read('---\ntitle: {{title}}\n---\n').problem).toBeNull();
});
