import { type ParsedCommit, parseCommit } from '../../../formats/commit.ts';
import type { GitObject, Oid } from '../../../formats/oid.ts';
import { requestOf } from '../../commits/request-trailers.ts';
import type { Run } from '../../maintenance/run.ts';
import type { ObjectReader } from '../../storage.ts';
import { isLost, isTooLarge } from '../../storage-error.ts';
import { readCommit, repairedBy } from '../stored-commit.ts';

/** The part of a commit that says where in the chain it may have been. */
export interface BookedCommit {
  parents: readonly Oid[];
  /** The end of the chain after which this commit of a repair came; null if it is no repair. */
  repaired: Oid | null;
  /** Seconds since 1970. */
  date: number;
  /** True if a writer of the wiki made it, false if native git did. */
  isWriters: boolean;
}

/**
 * The commits that a run has read, so that each is read once in the run. Calls that come later decide from
 * the book: they repeat the decision, and not the reading.
 */
export interface CommitBook {
  /** Null if the commit is lost. Makes a step after each commit that is new in the book. Throws OutOfTime. */
  read(commit: Oid): Promise<BookedCommit | null>;
  /** Notes an object that was read elsewhere. Returns true if it is a commit. */
  note(oid: Oid, object: GitObject): boolean;
  /** Notes one of the first objects that could not be read: it may be a commit, and is looked at again. */
  noteLost(oid: Oid): void;
  /** True if one of the first lost objects can be read again. */
  isAnyBack(): Promise<boolean>;
}

export function openCommitBook(run: Run, objects: ObjectReader): CommitBook {
  const oids = run.list(BOOK);
  const notes = run.slot<number[]>(BOOK, []).value;
  const places = placesIn(notes);

  function positionOf(oid: Oid): number {
    oids.add(oid);
    return oids.positionOf(oid) as number;
  }

  const isLostAt = (place: number) => ((notes[place + 1] ?? 0) & IS_LOST) !== 0;
  /** A pack may be lost with all its objects. */
  let lostNoted = Math.min(LOOKED_AT_AGAIN, [...places.values()].filter(isLostAt).length);

  function enter(oid: Oid, text: ParsedCommit | null): void {
    const position = positionOf(oid);
    const place = places.get(position);
    // A lost commit may be back: then the last note counts.
    if (place !== undefined && (text === null || !isLostAt(place))) return;
    const { flags, date, before } = contentOf(text);
    places.set(position, notes.length);
    notes.push(position, flags, date, before.length);
    for (const other of before) notes.push(positionOf(other));
  }

  /** Null for a lost commit, undefined for one that is not in the book. */
  function find(commit: Oid): BookedCommit | null | undefined {
    const position = oids.positionOf(commit);
    const place = position === null ? undefined : places.get(position);
    if (place === undefined) return undefined;
    const [, flags = 0, date = 0, count = 0] = notes.slice(place, place + HEAD);
    if (flags & IS_LOST) return null;
    const before = notes.slice(place + HEAD, place + HEAD + count).map((at) => oids.at(at) as Oid);
    const repaired = flags & IS_REPAIR ? (before.shift() ?? null) : null;
    return { parents: before, repaired, date, isWriters: (flags & IS_WRITERS) !== 0 };
  }

  return {
    async read(commit) {
      const known = find(commit);
      if (known !== undefined) return known;
      enter(commit, await readCommit(objects, commit));
      await run.step();
      return find(commit) ?? null;
    },
    note(oid, { type, content }) {
      if (type === 'commit') enter(oid, parseCommit(content));
      return type === 'commit';
    },
    noteLost(oid) {
      if (lostNoted === LOOKED_AT_AGAIN) return;
      lostNoted += 1;
      enter(oid, null);
    },
    async isAnyBack() {
      const lost = [...places].filter(([, place]) => isLostAt(place));
      for (const [position] of lost.slice(0, 2 * LOOKED_AT_AGAIN)) {
        if (await isThere(objects, oids.at(position) as Oid)) return true;
      }
      return false;
    },
  };
}

/** False for an object that is lost, or too large for a commit. */
async function isThere(objects: ObjectReader, oid: Oid): Promise<boolean> {
  try {
    await objects.read(oid);
    return true;
  } catch (error) {
    if (!isLost(error) && !isTooLarge(error)) throw error;
    return false;
  }
}

/** Forgets the book, as it is no longer true. */
export function forgetCommits(run: Run): void {
  run.clear(BOOK, []);
  run.slot<number[]>(BOOK, []).value = [];
}

/**
 * All commits directly before this one: its parents, and for the commit of a repair the one after which it
 * came.
 */
export function bookedBefore({ parents, repaired }: BookedCommit): readonly Oid[] {
  return repaired === null ? parents : [repaired, ...parents];
}

function contentOf(text: ParsedCommit | null): { flags: number; date: number; before: readonly Oid[] } {
  if (text === null) return { flags: IS_LOST, date: 0, before: [] };
  const repaired = repairedBy(text);
  const flags = (requestOf(text) ? IS_WRITERS : 0) | (repaired === null ? 0 : IS_REPAIR);
  const before = repaired === null ? text.parents : [repaired, ...text.parents];
  return { flags, date: text.committer.seconds || 0, before };
}

/** By the position of a commit's oid: where its note begins. */
function placesIn(notes: readonly number[]): Map<number, number> {
  const places = new Map<number, number>();
  for (let place = 0; place < notes.length; place += HEAD + (notes[place + 3] ?? 0)) {
    places.set(notes[place] as number, place);
  }
  return places;
}

/**
 * A note is the position of the commit's oid, its flags, its date, and the number of the commits before it;
 * then the positions of their oids.
 */
const HEAD = 4;
const [IS_WRITERS, IS_REPAIR, IS_LOST] = [1, 2, 4];
const BOOK = 'book of commits';
/**
 * The number of lost objects of a search, and of lost commits that others name, that are looked at again. Restored data
 * comes as files with many objects each.
 */
const LOOKED_AT_AGAIN = 20;
