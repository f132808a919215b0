import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import { temporaryDirectory } from '../../native-git.ts';
import { nativeView, newWiki, openWriter } from '../writers.ts';
import { copyInRandomOrder } from './copy-in-random-order.ts';

const PAGES = 12;
const WRITES_BEFORE = 40;
const WRITES_PER_TIDYING = 15;
const STEPS_PER_WRITE = 3;
const CASES = (['local', 'shared'] as const).flatMap((placement) =>
  sampled([1, 2, 3, 4], [1]).map((seed) => ({ placement, seed })),
);

test.for(CASES)(
  'a copy of a $placement wiki made while it was written and tidied is repaired (order $seed)',
  async ({ placement, seed }, { annotate }) => {
    const { copy, versions, before } = await copyOfABusyWiki(placement, randomNumbers(seed));
    const open = () => openWriter(copy, { placement });

    const { problems } = await (await open()).storage.check();
    const report = await (await open()).storage.repair();
    if (problems.length === 0) expect(report.commit).toBeNull();
    const writer = await open();
    expect((await writer.storage.check()).problems).toEqual([]);
    expect(await writer.put('After.md', 'after')).toMatchObject({ kind: 'committed' });
    await writer.storage.settle();

    const { 'After.md': after, ...pages } = nativeView(copy).pages;
    expect(after).toBe('after');
    for (const [page, text] of Object.entries(pages)) expect(versions.get(page)).toContain(text);
    // The end may name commits that came later than the files that were copied, but none of before.
    const missing = [...before].filter(([page, count]) => {
      const found = versions.get(page)?.indexOf(pages[page] ?? '') ?? -1;
      return found < count - 1;
    });
    expect(missing).toEqual([]);
    await annotate(
      `${problems.length} problems, ${report.lost.length} pages and ${report.lostCommits.length} commits lost`,
    );
  },
);

/** Texts by page, the oldest first; and how many there were of each before the copy began. */
async function copyOfABusyWiki(placement: 'local' | 'shared', random: () => number) {
  const directory = await newWiki({ shared: placement === 'shared' });
  const versions = new Map<string, string[]>();
  const { storage, put } = await openWriter(directory, { placement });
  let writes = 0;

  async function write(): Promise<void> {
    writes += 1;
    const page = `Page ${writes % PAGES}.md`;
    const text = `Version ${writes} of ${page}`;
    versions.set(page, [...(versions.get(page) ?? []), text]);
    await put(page, text);
    if (writes % WRITES_PER_TIDYING === 0) await storage.tidy();
  }

  while (writes < WRITES_BEFORE) await write();
  const before = new Map([...versions].map(([page, texts]) => [page, texts.length]));
  const copy = join(temporaryDirectory(), 'copy.git');
  let steps = 0;
  await copyInRandomOrder(directory, copy, random, async () => {
    steps += 1;
    if (steps % STEPS_PER_WRITE === 0) await write();
  });
  return { copy, versions, before };
}

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
