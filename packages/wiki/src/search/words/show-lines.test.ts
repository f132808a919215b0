import { expect, test } from 'vitest';
import type { Oid } from '../../contract/ids.ts';
import { createPacer } from '../pacer.ts';
import { searchPattern } from './show-lines.ts';

function searching(texts: string[], query: string, signal?: AbortSignal, maxMs?: number) {
  const pages = texts.map((text, page) => ({
    path: `P${page}`,
    title: '',
    blob: String(page),
    size: text.length,
    supersededBy: null,
  }));
  const blob = async (oid: Oid) => Buffer.from(texts[Number(oid)] ?? '');
  const rest = { commit: '', mode: 'regex', prefix: '', contextLines: 0, offset: 0, limit: 9 } as const;
  return searchPattern(pages, { ...rest, query }, { blob, pacer: createPacer(signal) }, maxMs);
}

/** Some 30 µs a character. */
const slow = '(?:a?){500}a{500}';
const page = `${'a'.repeat(1_400)}\n`.repeat(1_000);

test('an expression that repeats too much is refused before anything is searched', async () => {
  const search = searching(['y'], '(?i)(?:\\p{L}\\p{M}*){1,1000}y');
  await expect(search).rejects.toThrow(
    /^invalid_input: The regular expression repeats too much: .* 4002 instructions; the most is 2000\. Nothing was searched\. /,
  );
});

test('an expression that takes too long is stopped within a page, and the answer says how far it came', async () => {
  const { rows, total, partly } = await searching(
    [`${'a'.repeat(500)}\n`, page, 'a'.repeat(500)],
    slow,
    undefined,
    300,
  );
  // How much of the second page comes first depends on the machine.
  expect(rows[0]?.path).toBe('P0');
  expect(total).toBe(rows.length);
  expect(rows.map(({ path }) => path)).not.toContain('P2');
  expect(partly).toMatchObject({ searched: 1, cutLines: 0 });
});

test('only a part of an endless line is searched, and the answer says so', async () => {
  const found = await searching([`b${'a'.repeat(1_000_000)}b`, 'b'], 'b$');
  expect(found.rows.map(({ path }) => path)).toEqual(['P1']);
  expect(found.partly).toMatchObject({ searched: 2, cutLines: 1 });
  expect(found.partly?.longestLine).toBeGreaterThan(100_000);
});

test('a search yields within a page, and ends when it is cancelled', async () => {
  const ended = new AbortController();
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
    if (turns === 3) ended.abort();
  }, 1);
  await expect(searching([page], slow, ended.signal)).rejects.toThrow(/^busy: The call was cancelled/);
  clearInterval(ticking);
  expect(turns).toBe(3);
});
