import { type FileStat, isSameStat } from './disk.ts';

interface Noted {
  stat: FileStat;
  sinceMs: number;
  isSure: boolean;
}

/**
 * Finds files whose status may be the same after another save. Some disks store times only to 1 or 2 s, so a status that was
 * taken right after a save says little. Git calls such files racily clean.
 */
export class CoarseTimes {
  readonly #noted = new Map<string, Noted>();

  /**
   * @param seenMs when this status was seen first, if it was not noted yet.
   * @returns milliseconds until the file must be read again; null if it need not.
   */
  leftMs(key: string, stat: FileStat, seenMs: number, nowMs: number): number | null {
    // Only such disks have whole seconds.
    if (stat.mtimeMs % 1_000 !== 0) return null;
    let noted = this.#noted.get(key);
    if (noted === undefined || !isSameStat(noted.stat, stat)) {
      noted = { stat, sinceMs: seenMs, isSure: seenMs - stat.mtimeMs > MAX_SKEW_MS };
      this.#noted.set(key, noted);
    }
    // The clock may have been put back.
    noted.sinceMs = Math.min(noted.sinceMs, nowMs);
    return noted.isSure ? null : Math.max(0, noted.sinceMs + COARSEST_MS - nowMs);
  }

  /** The file was read after that time. */
  settle(key: string): void {
    const noted = this.#noted.get(key);
    if (noted !== undefined) noted.isSure = true;
  }
}

/** FAT has the coarsest times. */
const COARSEST_MS = 2_000;
/** The disk may be one of the network, with a clock of its own. */
const MAX_SKEW_MS = 86_400_000;
