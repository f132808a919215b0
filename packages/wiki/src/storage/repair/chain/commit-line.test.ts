import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commitObject } from '../../../../test/storage/maintenance/chained-commits.ts';
import { type GitObject, type Oid, objectId } from '../../../formats/oid.ts';
import { Run } from '../../maintenance/run.ts';
import type { ObjectReader } from '../../storage.ts';
import { StorageError } from '../../storage-error.ts';
import { openCommitBook } from './commit-book.ts';
import { commitLine } from './commit-line.ts';

type Kind = 'write' | 'push' | 'side' | 'merge';
type Step = { kind: Kind; pick: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ kind: fc.constantFrom('write', 'push', 'side', 'merge'), pick: fc.nat() }),
  { minLength: 1, maxLength: 14, size: 'max' },
);

it('a line of commits has each one once, after all that it was built on', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(), async (chosen, from) => {
      const history = historyOf(chosen);
      const { end, line, writes, parentsOf } = history;
      if (end === null) return;
      const known = new Set(line.slice(0, from % line.length));
      const { commits, restsOn, hasLost } = await lineOf(history, end, known);
      const order = commits.map(({ commit }) => commit);
      const expected = ancestors(end, parentsOf, known);
      expect(order.toSorted()).toEqual([...expected.all].sort());
      expect(restsOn).toEqual(expected.known);
      expect([order.at(-1), hasLost]).toEqual([end, false]);
      for (const [at, { commit, adopted }] of commits.entries()) {
        expect(adopted).toBe(!writes.has(commit));
        const places = (parentsOf.get(commit) ?? []).map((parent) => order.indexOf(parent));
        for (const place of places) expect(place).toBeLessThan(at);
      }
    }),
  );
});

it('a merge comes directly after its parent with the most writes, or after a lost one', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(1), fc.option(fc.nat(1)), async (chosen, pick, lost) => {
      const writes: Step[] = [1, 2, 3].map(() => ({ kind: 'write', pick: 0 }));
      const history = historyOf([...writes, ...chosen, { kind: 'side', pick: 0 }, { kind: 'merge', pick }]);
      const { end, parentsOf } = history;
      if (end === null) return;
      const parents = parentsOf.get(end) ?? [];
      const weights = parents.map((parent) => writesUpTo(parent, history));
      const heaviest = parents.filter((_, at) => weights[at] === Math.max(...weights));
      const gone = lost === null || parents.length < 2 ? undefined : parents[lost];
      // Its other parent must not rest on what is lost.
      const isApart =
        gone !== undefined && parents.every((each) => each === gone || !isBefore(gone, each, history));
      if (gone !== undefined && isApart) history.objects.delete(gone);
      const { commits } = await lineOf(history, end, new Set());
      if (isApart) expect(commits.at(-2)?.commit).toBe(gone);
      else if (heaviest.length === 1) expect(commits.at(-2)?.commit).toBe(heaviest[0]);
    }),
  );
});

it('the commit of a repair comes directly after the one that it repaired, though commits before that are lost', async () => {
  const history = historyOf(
    ['write', 'write', 'write', 'write'].map((kind) => ({ kind: kind as Kind, pick: 0 })),
  );
  const [first = '', second = '', lost = '', newest = ''] = history.line;
  history.objects.delete(lost);
  const request = { id: `repair-${newest}`, digest: newest };
  const repair = history.add({ parents: [second], isWriters: true, date: 1_700_000_009, request });
  const { commits } = await lineOf(history, repair, new Set());
  expect(commits.map(({ commit }) => commit)).toEqual([first, second, lost, newest, repair]);
});

it('a lost commit that somebody restores is noticed, and read anew', async () => {
  const history = historyOf([
    { kind: 'write', pick: 0 },
    { kind: 'push', pick: 0 },
  ]);
  const [first = '', second = ''] = history.line;
  const back = history.objects.get(first);
  if (!back) throw new Error('It is there.');
  history.objects.delete(first);
  const book = openCommitBook(Run.toItsEnd(), readerOf(history));
  expect(await book.read(second)).toEqual({
    parents: [first],
    repaired: null,
    date: 1_700_000_001,
    isWriters: false,
  });
  expect([await book.read(first), await book.isAnyBack()]).toEqual([null, false]);
  history.objects.set(first, back);
  expect([await book.isAnyBack(), await book.read(first)]).toEqual([true, null]);
  expect(book.note(first, back)).toBe(true);
  expect(await book.isAnyBack()).toBe(false);
  expect(await book.read(first)).toMatchObject({ parents: [], isWriters: true });
  expect(book.note('b'.repeat(40), { type: 'blob', content: back.content })).toBe(false);
  expect(await book.read('b'.repeat(40))).toBeNull();
});

it('of many lost objects the first twenty are looked at again, also by later calls of the run', async () => {
  const history = historyOf([{ kind: 'write', pick: 0 }]);
  const [object] = history.objects.values();
  const lost = Array.from({ length: 30 }, (_, at) => String(at).padStart(40, 'a'));
  const run = Run.toItsEnd();
  const first = openCommitBook(run, readerOf(history));
  for (const oid of lost.slice(0, 15)) first.noteLost(oid);
  const later = openCommitBook(run, readerOf(history));
  for (const oid of lost.slice(15)) later.noteLost(oid);
  const isBack = async (at: number) => {
    const oid = lost[at] ?? '';
    history.objects.set(oid, object as GitObject);
    const found = await later.isAnyBack();
    history.objects.delete(oid);
    return found;
  };
  expect([await isBack(14), await isBack(19), await isBack(20), await isBack(29)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('lost commits are in the line of those that name them, as commits of writers', async () => {
  const history = historyOf(
    ['push', 'write', 'push', 'push'].map((kind) => ({ kind: kind as Kind, pick: 0 })),
  );
  const [, lost = '', third = '', end = ''] = history.line;
  history.objects.delete(lost);
  const { commits, hasLost } = await lineOf(history, end, new Set());
  expect(commits).toEqual([
    { commit: lost, adopted: false },
    { commit: third, adopted: true },
    { commit: end, adopted: true },
  ]);
  expect(hasLost).toBe(true);
});

it('the commit of a repair comes directly after the commit that it repaired', async () => {
  const history = historyOf([
    { kind: 'write', pick: 0 },
    { kind: 'write', pick: 0 },
  ]);
  const [first = '', second = ''] = history.line;
  const request = { id: `repair-${second}`, digest: second };
  const repair = history.add({ parents: [first], isWriters: true, date: 1_700_000_009, request });
  const { commits } = await lineOf(history, repair, new Set());
  expect(commits.map(({ commit }) => commit)).toEqual([first, second, repair]);
});

it('the commit of a repair rests on the commit that it repaired if that has its name', async () => {
  const history = historyOf([
    { kind: 'write', pick: 0 },
    { kind: 'write', pick: 0 },
  ]);
  const [first = '', second = ''] = history.line;
  const request = { id: `repair-${second}`, digest: second };
  const repair = history.add({ parents: [first], isWriters: true, date: 1_700_000_009, request });
  const { commits, restsOn } = await lineOf(history, repair, new Set([first, second]));
  expect([commits, restsOn]).toEqual([[{ commit: repair, adopted: false }], new Set([first, second])]);
});

it.each([0, 1])('a merge comes after its first parent if both have as many writes (%i)', async (pick) => {
  const history = historyOf([
    { kind: 'write', pick: 0 },
    { kind: 'side', pick: 0 },
    { kind: 'push', pick: 0 },
    { kind: 'merge', pick },
  ]);
  const end = history.end ?? '';
  const { commits } = await lineOf(history, end, new Set());
  expect(commits.at(-2)?.commit).toBe(history.parentsOf.get(end)?.[0]);
});

/** A branch of writes and pushes, beside which commits are made that merges bring in. */
function historyOf(chosen: readonly Step[]) {
  const objects = new Map<Oid, GitObject>();
  const parentsOf = new Map<Oid, readonly Oid[]>();
  const [line, sides]: [Oid[], Oid[]] = [[], []];
  const writes = new Set<Oid>();
  const add = (spec: Parameters<typeof commitObject>[0]) => {
    const object = commitObject(spec);
    const commit = objectId('commit', object.content);
    objects.set(commit, object);
    parentsOf.set(commit, spec.parents);
    return commit;
  };
  for (const [at, { kind, pick }] of chosen.entries()) {
    const chosenOf = (commits: readonly Oid[]) =>
      commits.slice(pick % Math.max(1, commits.length)).slice(0, 1);
    const parents = {
      side: chosenOf([...parentsOf.keys()]),
      merge: inTurn([...new Set([...line.slice(-1), ...chosenOf(sides)])], pick),
      write: line.slice(-1),
      push: line.slice(-1),
    }[kind];
    const commit = add({ parents, isWriters: kind === 'write', date: 1_700_000_000 + at });
    (kind === 'side' ? sides : line).push(commit);
    if (kind === 'write') writes.add(commit);
  }
  return { objects, parentsOf, line, writes, end: line.at(-1) ?? null, add };
}

type History = ReturnType<typeof historyOf>;

/** Native git puts the branch of the person who merges first. */
function inTurn(parents: readonly Oid[], pick: number): readonly Oid[] {
  return pick % 2 === 0 ? parents : parents.toReversed();
}

function lineOf(history: History, newest: Oid, known: ReadonlySet<Oid>) {
  return commitLine(openCommitBook(Run.toItsEnd(), readerOf(history)), newest, known);
}

function readerOf({ objects }: History): ObjectReader {
  return {
    async read(oid) {
      const object = objects.get(oid);
      if (object === undefined) throw new StorageError('missing_object', oid);
      return object;
    },
  };
}

function isBefore(commit: Oid, later: Oid, { parentsOf }: History): boolean {
  return ancestors(later, parentsOf, new Set()).all.has(commit);
}

/** The most writes in a row of parents up to this commit. */
function writesUpTo(commit: Oid, history: History): number {
  const before = (history.parentsOf.get(commit) ?? []).map((parent) => writesUpTo(parent, history));
  return Math.max(0, ...before) + (history.writes.has(commit) ? 1 : 0);
}

function ancestors(newest: Oid, parentsOf: ReadonlyMap<Oid, readonly Oid[]>, known: ReadonlySet<Oid>) {
  const found = { all: new Set([newest]), known: new Set<Oid>() };
  for (const commit of found.all)
    for (const parent of parentsOf.get(commit) ?? [])
      (known.has(parent) ? found.known : found.all).add(parent);
  return found;
}
