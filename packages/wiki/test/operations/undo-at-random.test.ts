import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { inProcess } from './local-backends.ts';
import { openTestWiki, type TestWiki } from './test-wiki.ts';

/** Each line may change apart from the others: those between them stay. */
const LINES = 4;
const PAGES = ['One', 'Two', 'Three'];
/** The shared page lies at one of these. */
const PLACES = ['Shared', 'Moved', 'Deep/Moved'];

interface Step {
  isRobot: boolean;
  /** A page that both change, each in lines of their own; or one of their own, which comes and goes. */
  page: string;
  line: number;
  value: number;
  /** Others move the shared page here, instead of editing. */
  place: string | null;
}

const step: fc.Arbitrary<Step> = fc.record({
  isRobot: fc.boolean(),
  page: fc.oneof(fc.constant('Shared'), fc.constantFrom(...PAGES)),
  line: fc.nat({ max: LINES - 1 }),
  value: fc.nat({ max: 3 }),
  place: fc.option(fc.constantFrom(...PLACES), { freq: 2 }),
});

const runs = sampled(60, 6);

/** A sample this small may hold no move of an edited page. */
const movedAfterEdit: Step[] = [
  { isRobot: true, page: 'Shared', line: 0, value: 1, place: null },
  { isRobot: false, page: 'Shared', line: 0, value: 0, place: 'Deep/Moved' },
];

test('undoing what one agent did since a commit is the history without it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 5 }),
      fc.array(step, { minLength: 1, maxLength: 12 }),
      async (before, after) => {
        const wiki = await openTestWiki(inProcess, { 'Shared.md': textOf(new Map()) });
        const expected = await openTestWiki(inProcess, { 'Shared.md': textOf(new Map()) });
        for (const each of before) for (const place of [wiki, expected]) await apply(place, each);
        const since = (await wiki.head()) ?? '';
        for (const each of after) await apply(wiki, each);
        for (const each of after) if (!each.isRobot) await apply(expected, each);
        await wiki.as('Grace', null).run('undo_changes', { agent: 'robot', since });
        const trees = await Promise.all([wiki, expected].map((place) => place.git('ls-tree', '-r', 'main')));
        expect(trees[0]).toBe(trees[1]);
      },
    ),
    { numRuns: runs, examples: [[[], movedAfterEdit]] },
  );
});

async function apply(wiki: TestWiki, { isRobot, page, line, value, place }: Step): Promise<void> {
  wiki.as('Ada', isRobot ? 'robot/1' : 'other/1');
  const path = page === 'Shared' ? await placeOfShared(wiki) : `${isRobot ? 'Robot' : 'Other'} ${page}`;
  if (page === 'Shared' && !isRobot && place !== null) {
    if (place !== path) await wiki.run('move_page', { path, new_path: place });
    return;
  }
  const read = await wiki.run('read_page', { path }).catch(() => null);
  if (page !== 'Shared' && value === 0) {
    if (read !== null) await wiki.run('delete_page', { path, version: read.version });
    return;
  }
  const lines = linesIn(read?.content ?? '');
  // Those of the robot are even.
  lines.set(2 * line + (isRobot ? 0 : 1), value);
  const content = textOf(lines);
  if (content !== read?.content) await wiki.run('write_page', { path, content, version: read?.version });
}

async function placeOfShared(wiki: TestWiki): Promise<string> {
  const paths = await wiki.paths();
  return PLACES.find((place) => paths.includes(place)) ?? '';
}

function linesIn(text: string): Map<number, number> {
  return new Map([...text.matchAll(/^(\d+): (\d+)$/gm)].map(([, at, value]) => [Number(at), Number(value)]));
}

function textOf(lines: ReadonlyMap<number, number>): string {
  return Array.from(
    { length: 2 * LINES },
    (_, at) => `${at}: ${lines.get(at) ?? 0}\n\nAfter ${at}.\n\n`,
  ).join('');
}
