import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countLines, type ReadWindowOptions, readWindow } from './read-window.ts';

const roomy = { maxSerialized: 40_000 };

function readAll(text: string, options: ReadWindowOptions): string[] {
  const parts: string[] = [];
  let next: { startLine?: number; startChar?: number } = {};
  for (;;) {
    const window = readWindow(text, { ...options, ...next });
    parts.push(window.content);
    expect(window.truncated).toBe(window.nextStartLine !== null);
    if (window.nextStartLine === null || window.nextStartChar === null) return parts;
    expect(window.content).not.toBe('');
    next = { startLine: window.nextStartLine, startChar: window.nextStartChar };
  }
}

test('a short page comes whole', () => {
  expect(readWindow('one\ntwo\n', roomy)).toEqual({
    content: 'one\ntwo\n',
    totalLines: 2,
    startLine: 1,
    nextStartLine: null,
    nextStartChar: null,
    truncated: false,
  });
});

test('a window has the lines asked for and says where to go on', () => {
  const window = readWindow('one\ntwo\nthree\nfour', { ...roomy, startLine: 2, maxLines: 2 });
  expect(window).toMatchObject({
    content: 'two\nthree\n',
    totalLines: 4,
    nextStartLine: 4,
    nextStartChar: 0,
  });
});

test('a window that is too small for two lines has one whole line', () => {
  const window = readWindow('one\ntwo\n', { maxSerialized: 7 });
  expect(window).toMatchObject({ content: 'one\n', nextStartLine: 2, nextStartChar: 0 });
});

test('escapes count as they do in the reply', () => {
  expect(readWindow('""""', { maxSerialized: 4 }).content).toBe('""');
});

test('a part of a page has the line numbers of the page', () => {
  const text = '# One\na\n# Two\nb\nc\n# Three\n';
  const range = { start: text.indexOf('# Two'), end: text.indexOf('# Three') };
  expect(readWindow(text, { ...roomy, range })).toMatchObject({ content: '# Two\nb\nc\n', startLine: 3 });
  expect(readWindow(text, { ...roomy, range, maxLines: 1 })).toMatchObject({
    content: '# Two\n',
    nextStartLine: 4,
  });
  expect(readWindow(text, { ...roomy, range, startLine: 5 })).toMatchObject({
    content: 'c\n',
    truncated: false,
  });
});

test('a window past the end is empty', () => {
  expect(readWindow('one\n', { ...roomy, startLine: 9 })).toMatchObject({ content: '', truncated: false });
  expect(readWindow('', roomy)).toMatchObject({ content: '', totalLines: 0, truncated: false });
});

test('a window past the end of a line continues with the next line', () => {
  expect(readWindow('one\ntwo\n', { ...roomy, startLine: 1, startChar: 99 }).content).toBe('two\n');
});

test('a character is never cut in two', () => {
  expect(readAll('🎉🎉', { maxSerialized: 3 })).toEqual(['🎉', '🎉']);
  expect(readAll('🎉🎉', { maxSerialized: 1 })).toEqual(['🎉', '🎉']);
  expect(readWindow('🎉🎉', { ...roomy, startChar: 1 }).content).toBe('🎉🎉');
});

test('an endless line of a million characters is read in parts', () => {
  const line = '日本🎉"x'.repeat(170_000);
  const parts = readAll(line, roomy);
  expect(parts.join('')).toBe(line);
  for (const part of parts) expect(JSON.stringify(part).length).toBeLessThanOrEqual(40_002);
  expect(parts.length).toBeLessThan(40);
});

test('the parts of any page give the page, each within the budget', () => {
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('\n', '\r\n', '\r', '\t', '"', '\\', '\u0001', '🎉', '日') },
    fc.string({ unit: 'binary', maxLength: 6 }),
  );
  const page = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
  const options = fc.record({
    maxSerialized: fc.integer({ min: 12, max: 80 }),
    maxLines: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(page, options, (wild, window) => {
      const text = wild.toWellFormed();
      const parts = readAll(text, window);
      expect(parts.join('')).toBe(text);
      for (const part of parts)
        expect(JSON.stringify(part).length - 2).toBeLessThanOrEqual(window.maxSerialized);
    }),
    { numRuns: 500 },
  );
});

test('a window from any start reaches the end of the page', () => {
  const text = 'one\r\ntwo 🎉\n\nlast';
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 12 }), (startLine, startChar) => {
      const { content } = readWindow(text, { ...roomy, startLine, startChar });
      expect(text.endsWith(content)).toBe(true);
    }),
  );
});

test('lines are counted as git counts them', () => {
  expect([countLines(''), countLines('a'), countLines('a\n'), countLines('a\n\n')]).toEqual([0, 1, 1, 2]);
});
