import { operationNames, type Wiki } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { sampled } from '../../../labs/sample.ts';
import { Chance } from '../../wiki/test/git-input/mutations.ts';
import { zipOf } from '../../wiki/test/operations/archives.ts';
import { type Decision, limitToRights } from '../src/limit-to-rights.ts';
import { parseAccess } from '../src/parse-access.ts';
import { rightsOf } from '../src/rights.ts';
import { KINDS, VARIANTS } from './matrix/calls.ts';
import { type Cell, check, expected, type Views } from './matrix/cell.ts';
import { pairsIn, pairwise, shuffled } from './matrix/pairs.ts';
import {
  ACCESS,
  CONFIGURED_DEFAULT,
  DEFAULT_OF,
  MAY,
  NOWHERE,
  PEOPLE,
  type PersonName,
  PLACES,
  WIKIS,
} from './matrix/people.ts';
import { behindFunction } from './matrix/two-functions.ts';
import { EVERYTHING, openWorld, type Shown } from './matrix/worlds.ts';
import { SEED } from './matrix-config.ts';

const people = Object.keys(PEOPLE) as PersonName[];
const named = [...WIKIS, NOWHERE, null] as const;
const wheres = people.flatMap((person) => named.map((wiki) => ({ person, wiki })));
const chance = new Chance(SEED);
const cells = pairwise([wheres, VARIANTS, PLACES, KINDS], chance).map(
  ([where, variant, place, kind], number): Cell => ({ ...where, variant, place, kind, number }),
);
const taken = sampled(cells, sampleOf(shuffled(cells, chance)));

/** One cell of each operation for administrators and each person, and others. */
function sampleOf(shuffledCells: readonly Cell[]): Cell[] {
  const ofAdministrators = shuffledCells.filter(
    ({ variant, wiki }) => variant.needs === 'administer' && wiki !== null,
  );
  const keyOf = ({ person, variant }: Cell) => `${person} ${variant.name}`;
  const one = new Map(ofAdministrators.map((cell) => [keyOf(cell), cell])).values();
  return [...new Set([...one, ...shuffledCells.slice(0, 100)])];
}

test('the matrix has 2,000 cells and more, every operation, and each pair of any two of what differs', () => {
  expect(cells.length).toBeGreaterThanOrEqual(2_000);
  expect(new Set(VARIANTS.map(({ name }) => name))).toEqual(new Set(operationNames));
  const rows = cells.map(({ person, wiki, variant, place, kind }) => [
    wheres.findIndex((where) => where.person === person && where.wiki === wiki),
    ...[VARIANTS.indexOf(variant), PLACES.indexOf(place), KINDS.indexOf(kind)],
  ]);
  const sizes = [wheres.length, VARIANTS.length, PLACES.length, KINDS.length];
  const pairs = sizes.flatMap((size, at) => sizes.slice(at + 1).map((other) => size * other));
  expect(new Set(rows.flatMap(pairsIn)).size).toBe(pairs.reduce((sum, count) => sum + count));
});

const WAYS = ['in one process', 'through two functions'] as const;
type Way = (typeof WAYS)[number];

test.each(people.flatMap((person) => WAYS.map((way) => [person, way] as const)))(
  `%s can do what they may, and cannot tell that the rest exists, %s (seed ${SEED})`,
  async (person, way) => {
    const views = await openViews(person, way);
    const own = taken.filter((cell) => cell.person === person && isAsked(cell, way));
    // Calls that change nothing come first: later ones that are allowed change what these would find.
    const changes = (cell: Cell) => expected(cell) === 'allowed' && cell.variant.needs !== 'read';
    for (const cell of [...own.filter((cell) => !changes(cell)), ...own.filter(changes)]) {
      const { variant, number, wiki, place, kind } = cell;
      try {
        await check(cell, views);
      } catch (error) {
        const what = `cell ${number}: ${variant.name} ${variant.input} in ${wiki}, ${place} ${kind}, must be ${expected(cell)}`;
        throw new Error(what, { cause: error });
      }
    }
  },
);

/** A sample asks each cell in one way. */
function isAsked({ number }: Cell, way: Way): boolean {
  return sampled(true, WAYS[number % WAYS.length] === way);
}

async function openViews(person: PersonName, way: Way): Promise<Views> {
  const parsed = parseAccess(ACCESS);
  if (parsed.kind === 'mistake') throw new Error(parsed.sentence);
  const rights = rightsOf(PEOPLE[person], parsed.access);
  const decisions: Decision[] = [];
  const limited = (wiki: Wiki, decided: (decision: Decision) => void) =>
    limitToRights(wiki, rights, { person: PEOPLE[person], defaultWiki: CONFIGURED_DEFAULT, decided });
  const shown = WIKIS.flatMap((wiki) => {
    const may = MAY[person][wiki];
    return may === undefined ? [] : [[wiki, may.read]];
  });
  const full = await openWorld(EVERYTHING, CONFIGURED_DEFAULT);
  const asked =
    way === 'in one process'
      ? full.wiki
      : await behindFunction(full.wiki, PEOPLE[person], rights, CONFIGURED_DEFAULT);
  const bare = await openWorld(Object.fromEntries(shown) as Shown, DEFAULT_OF[person]);
  return {
    full,
    bare,
    ofFull: limited(asked, (decision) => decisions.push(decision)),
    ofBare: limited(bare.wiki, () => undefined),
    decisions,
    zip: await zipOf({ 'Imported.md': 'imported\n' }),
  };
}
