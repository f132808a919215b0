import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import { StorageError } from '../../../src/storage/storage-error.ts';
import { nativeView, openWriter, type Writer } from '../writers.ts';
import { DAMAGES } from './damage.ts';
import { soundWiki, WRITES } from './sound-wiki.ts';

const PLACEMENTS = ['local', 'shared'] as const;

describe.each(PLACEMENTS)('a %s wiki in which', (placement) => {
  const some = DAMAGES.filter((_, at) => at % 3 === (placement === 'local' ? 0 : 1));
  test.for(sampled(DAMAGES, some))('$name is checked, repaired and written again', async (damage) => {
    const wiki = await soundWiki(placement);
    damage.do(wiki);
    const open = () => openWriter(wiki.directory, { placement });

    const { problems } = await (await open()).storage.check();
    for (const problem of damage.problems) {
      expect(problems.map(({ text }) => text)).toContainEqual(expect.stringMatching(problem));
    }
    const report = await (await open()).storage.repair();
    if (damage.lost) expect(lostOf(report)).toEqual(damage.lost);
    if (damage.lostCommits !== undefined) expect(report.lostCommits).toHaveLength(damage.lostCommits);

    const writer = await open();
    expect((await writer.storage.check()).problems).toEqual([]);
    expect(await writer.put('After.md', 'after')).toMatchObject({ kind: 'committed' });
    await writer.storage.settle();
    const { 'After.md': after, ...pages } = nativeView(wiki.directory).pages;
    expect(after).toBe('after');
    expectWritten(pages, lostOf(report), report.lostCommits.length > 0);
    for (const [number, write] of WRITES.entries()) {
      const isLost = report.lostCommits.includes(wiki.commits[number] ?? '');
      if (!isLost) await expectNotAppliedAgain(writer, write);
    }
  });
});

function lostOf({ lost }: { lost: readonly { path: string; kept: string }[] }): Record<string, string> {
  return Object.fromEntries(lost.map(({ path, kept }) => [path, kept]));
}

/** Each page is one of its versions, and the newest one unless it is named. */
function expectWritten(
  pages: Record<string, string>,
  lost: Record<string, string>,
  someUnknown: boolean,
): void {
  for (const name of ['A.md', 'B.md', 'C.md']) {
    const versions = WRITES.filter(({ page }) => page === name).map(({ text }) => text.trimEnd());
    if (lost[name] === 'nothing') expect(pages[name]).toBeUndefined();
    else if (lost[name] === 'older version' || someUnknown) expect(versions).toContain(pages[name]);
    else expect(pages[name]).toBe(versions.at(-1));
  }
}

/** A client whose answer was lost repeats its write: it is in the wiki, or nobody knows. */
async function expectNotAppliedAgain({ put }: Writer, { page, text, requestId }: (typeof WRITES)[number]) {
  const outcome = await put(page, text, { requestId }).catch((error: unknown) => error);
  if (outcome instanceof StorageError) expect(outcome.code).toBe('write_state_unknown');
  else expect(outcome).toMatchObject({ kind: 'repeated' });
}
