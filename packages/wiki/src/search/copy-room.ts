import type { StandingIndex } from './standing-index.ts';

/** The room on disk for the working copies of all wikis of a process. */
export interface CopyRoom {
  /** Called when the copy of an index has this size. Drops others if that is too much. */
  took(standing: StandingIndex, bytes: number): void;
  /** The same for an index of a past commit, which never takes the room of one of the newest. */
  tookForPast(standing: StandingIndex, bytes: number): void;
  /** True if a copy of a past commit, as large as this copy, can stand beside all copies of the newest. */
  fitsBeside(newest: StandingIndex, bytes: number): boolean;
  left(standing: StandingIndex): void;
}

export function openCopyRoom(mostBytes: number): CopyRoom {
  // The first one in each map is the one whose index moved on longest ago.
  const [newest, past] = [new Map<StandingIndex, number>(), new Map<StandingIndex, number>()];
  const bytesOf = (copies: Map<StandingIndex, number>) =>
    copies.values().reduce((sum, each) => sum + each, 0);

  function insert(copies: Map<StandingIndex, number>, standing: StandingIndex, bytes: number): void {
    copies.delete(standing);
    copies.set(standing, bytes);
  }

  function makeRoom(copies: Map<StandingIndex, number>, latest: StandingIndex | null): void {
    for (const standing of copies.keys()) {
      if (bytesOf(newest) + bytesOf(past) <= mostBytes || standing === latest) return;
      copies.delete(standing);
      // Not awaited: it may be at work, and even be waiting for this one.
      void standing.release();
    }
  }

  return {
    took(standing, bytes) {
      insert(newest, standing, bytes);
      makeRoom(past, null);
      makeRoom(newest, standing);
    },
    tookForPast(standing, bytes) {
      insert(past, standing, bytes);
      makeRoom(past, null);
    },
    fitsBeside(standing, bytes) {
      const others = bytesOf(newest) - (newest.get(standing) ?? 0);
      return others + 2 * bytes <= mostBytes;
    },
    left(standing) {
      newest.delete(standing);
      past.delete(standing);
    },
  };
}
