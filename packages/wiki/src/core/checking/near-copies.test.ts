import { expect, test } from 'vitest';
import { atOnce } from '../../scheduling/in-turns.ts';
import { pageSketchSteps } from '../text/resemblance.ts';
import { nearCopies } from './near-copies.ts';

/** Words that no other seed has in the same order. */
function prose(seed: number, count: number): string[] {
  return Array.from(
    { length: count },
    (_, at) => `w${(seed * 7_919 + at * at * 31 + at * seed * 17) % 4_001}`,
  );
}

function pageOf(path: string, words: readonly string[], version = path) {
  return { path, version, size: words.join(' ').length, sketch: atOnce(pageSketchSteps(words)) };
}

function snapshotOf(texts: Readonly<Record<string, string>>) {
  let bytesRead = 0;
  return {
    blob: async (version: string) => {
      bytesRead += texts[version]?.length ?? 0;
      return Buffer.from(texts[version] ?? '');
    },
    bytesRead: () => bytesRead,
  };
}

test('the texts decide, and not the samples that the index keeps', async () => {
  const template = prose(1, 100);
  const texts = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`${at}`, [...template, ...prose(at + 2, 60)].join(' ')]),
  );
  texts.copy = `${texts[7]} and one thing more`;
  const pages = Object.entries(texts).map(([path, text]) => pageOf(path, text.split(' ')));
  const found = await nearCopies(snapshotOf(texts), pages, undefined);
  expect(found.map(({ path, detail }) => `${path}: ${detail}`)).toEqual([
    expect.stringMatching(/^7: Nearly the same text as copy \(9\d % alike\)$/),
    expect.stringMatching(/^copy: Nearly the same text as 7 \(9\d % alike\)$/),
  ]);
});

test('reads no more than its bytes, and then takes only samples that are nearly the same', async () => {
  const words = prose(1, 400);
  const versions = [words, words.with(200, 'other'), words.with(40, 'other').with(300, 'other'), words];
  const texts = Object.fromEntries(versions.map((each, at) => [`${at}`, each.join(' ')]));
  const pages = versions.map((each, at) => pageOf(`P${at}`, each, `${at}`));
  const snapshot = snapshotOf(texts);
  const size = texts[0]?.length ?? 0;
  const found = await nearCopies(snapshot, pages, undefined, 2 * size + 100);
  expect(snapshot.bytesRead()).toBeLessThanOrEqual(2 * size + 100);
  expect(found.map(({ path }) => path)).toEqual(expect.arrayContaining(['P0', 'P1', 'P3']));
  expect(await nearCopies(snapshot, pages.slice(1, 2), undefined)).toEqual([]);
});

test('of thousands of equal pages each is compared with a few, other calls have their turns, and a call can be cancelled', async () => {
  const words = prose(1, 200);
  const sketch = atOnce(pageSketchSteps(words));
  let compared = 0;
  const pages = Array.from({ length: 5_000 }, (_, at) => ({
    path: `P${String(at).padStart(4, '0')}`,
    get version() {
      compared += 1 / 2;
      return 'same';
    },
    size: 1_000,
    sketch,
  }));
  const snapshot = snapshotOf({ same: words.join(' ') });
  const found = await nearCopies(snapshot, pages, undefined);
  expect(compared).toBeLessThan(10 * 5_000);
  expect(found).toHaveLength(5_000);
  expect(found[4_999]?.detail).toBe(
    'Nearly the same text as P0000 (100 % alike), P0001 (100 % alike), P0002 (100 % alike) and more',
  );
  const ended = new AbortController();
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
    if (turns === 2) ended.abort();
  }, 1);
  const many = Array.from({ length: 200 }, () => pages).flat();
  await expect(nearCopies(snapshot, many, ended.signal)).rejects.toThrow(/^busy: The call was cancelled/);
  clearInterval(ticking);
});
