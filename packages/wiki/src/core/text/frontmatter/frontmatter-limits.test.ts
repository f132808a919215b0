import { expect, test, vi } from 'vitest';
import { Lexer } from 'yaml';
import { findFrontmatter, MAX_YAML_CHARACTERS, readFrontmatter } from './frontmatter.ts';

/** Each limit lets the largest frontmatter through that keeps to it, and refuses the next one with its own reason. */
test.each([
  ['characters', long(MAX_YAML_CHARACTERS), long(MAX_YAML_CHARACTERS + 1), 'it has over 30000 characters'],
  ['tokens', ofTokens(20_000), ofTokens(20_001), 'it has over 20000 keys, values and marks'],
  ['values', ofValues(10_000), ofValues(10_001), 'it has over 10000 values'],
  ['lists in lists', nested(50), nested(51), 'it is nested over 50 deep'],
  ['maps in maps', nestedMaps(50), nestedMaps(51), 'it is nested over 50 deep'],
  ['maps in keys', `? ${nestedMaps(49)}: 1\n`, `? ${nestedMaps(50)}: 1\n`, 'it is nested over 50 deep'],
  [
    'lists that an alias puts into a list',
    `a: &a ${lists(49)}\nb: [*a]\n`,
    `a: &a ${lists(50)}\nb: [*a]\n`,
    'it is nested over 50 deep',
  ],
  [
    'maps that an alias puts into a map',
    `a: &a ${maps(48)}\nb: {c: *a}\n`,
    `a: &a ${maps(49)}\nb: {c: *a}\n`,
    'it is nested over 50 deep',
  ],
  [
    'keys that are lists',
    listKeys(100),
    listKeys(101),
    'it has over 100 keys that are lists, maps or aliases',
  ],
])('a page keeps its frontmatter up to the limit of %s', (_, within, over, reason) => {
  const { data, problem } = read(within);
  expect(problem).toBeNull();
  expect(Object.keys(data).length).toBeGreaterThan(0);
  expect(read(over)).toEqual({ data: {}, problem: { line: 2, reason } });
});

test('few aliases are counted by the library, and many by us', () => {
  const aliases = (count: number) => `a: &a 1\nb: [${'*a,'.repeat(count)}]\n`;
  expect(read(aliases(99)).problem).toBeNull();
  expect(read(aliases(1_000)).problem?.reason).toMatch(/^Excessive alias count/);
  expect(read(aliases(1_001)).problem?.reason).toBe('it has over 1000 aliases');
});

test('a page with a placeholder as a key writes no warning with its text to the log', () => {
  const warnings = vi.spyOn(process, 'emitWarning');
  try {
    expect(read('? [secret]\n: 1\n').data).toEqual({ '[ secret ]': 1 });
    expect(warnings).not.toHaveBeenCalled();
  } finally {
    warnings.mockRestore();
  }
});

function read(yaml: string) {
  const text = `---\n${yaml}---\n`;
  return readFrontmatter(text, findFrontmatter(text));
}

function long(characters: number): string {
  return `a: ${'x'.repeat(characters - 'a: \n'.length)}\n`;
}

/** As many tokens as this by the library's own count: items of a list, and blank lines for the rest. */
function ofTokens(count: number): string {
  const withLines = (lines: number) => `a: [${'1,'.repeat(6_600)}]\n${'\n'.repeat(lines)}`;
  const lines = count - [...new Lexer().lex(withLines(0))].length;
  expect([...new Lexer().lex(withLines(lines))]).toHaveLength(count);
  return withLines(lines);
}

/** The map, 99 of `a`, a list of 99 times these in `b`, and the list `c` with the rest. */
function ofValues(count: number): string {
  const rest = count - 1 - 99 - (1 + 99 * 99) - 1;
  return `a: &a [${'1,'.repeat(98)}]\nb: [${'*a,'.repeat(99)}]\nc: [${'1,'.repeat(rest)}]\n`;
}

function nested(depth: number): string {
  return `a: ${lists(depth)}\n`;
}

function nestedMaps(depth: number): string {
  return `${maps(depth)}\n`;
}

function lists(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

function maps(depth: number): string {
  return `${'{a: '.repeat(depth)}1${'}'.repeat(depth)}`;
}

function listKeys(count: number): string {
  return Array.from({ length: count }, (_, at) => `? [${at}]\n: 1\n`).join('');
}
