import { join } from 'node:path';
import { blobOid } from '@pagetree/wiki/content-hash';
import type { Oid } from '@pagetree/wiki/contract';
import { refusalAsFile } from '@pagetree/wiki/file-names';
import { codeOf, type Disk, type FileStat, isMissing, isSameStat, statOf } from './disk.ts';

/** A text that a person saved into a file while, or after, the mirror replaced it. */
export interface LateSave {
  key: string;
  /** The version that the file had when the person began, or the text that was taken in before. */
  base: Oid | Uint8Array;
  content: Uint8Array;
  /** The conflict copy of what was taken in before. */
  copy: Copy | null;
  /** Milliseconds since it was found. */
  waitedMs: number;
}

/** A file that keeps a text of the person beside another one. */
export interface Copy {
  name: string;
  version: Oid;
}

interface Kept {
  name: string;
  key: string;
  version: Oid;
  stat: FileStat;
  sinceMs: number;
  /** The text of the version; null if the wiki has it. */
  text: Uint8Array | null;
  copy: Copy | null;
  lateSinceMs: number | null;
}

/**
 * Second names of files that were replaced. A program that has such a file open writes into it without noticing: its text
 * is found here. They stay until it has not written for some seconds, and over a crash.
 */
export class KeptLinks {
  readonly #disk: Disk;
  readonly #folder: string;
  #kept: Kept[] = [];
  #count = 0;

  /** `folder` is on the same file system as the files. */
  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
    disk.mkdirSync(folder, { recursive: true });
  }

  /**
   * Gives the file at a path a second name, and looks whether it is the expected version.
   * @returns its status; 'changed' if it is not that version; null where the file system has no links.
   */
  keep(place: string, key: string, version: Oid, nowMs: number): FileStat | 'changed' | null {
    this.#count += 1;
    const name = join(this.#folder, `${nowMs}-${this.#count}`);
    this.#disk.writeFileSync(`${name}.json`, JSON.stringify({ key, version }));
    try {
      this.#disk.linkSync(place, name);
    } catch (error) {
      this.#forget(name);
      if (isMissing(error)) return 'changed';
      if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'].includes(codeOf(error))) {
        return blobOid(this.#disk.readFileSync(place)) === version ? null : 'changed';
      }
      throw error;
    }
    const stat = this.#statOf(name);
    const isExpected = stat !== null && blobOid(this.#disk.readFileSync(name)) === version;
    if (!isExpected || !isSameStat(this.#statOf(name), stat)) {
      this.#forget(name);
      return 'changed';
    }
    this.#kept.push({ name, key, version, stat, sinceMs: nowMs, ...NOTHING_TAKEN });
    return stat;
  }

  /** Takes the second name back, if the file was not replaced. */
  release(stat: FileStat): void {
    for (const { name } of this.#kept.filter((each) => each.stat === stat)) this.#forget(name);
    this.#kept = this.#kept.filter((each) => each.stat !== stat);
  }

  /** Gives the text of a version that the wiki does not have, and the conflict copy that has it. */
  hold(version: Oid, text: Uint8Array, copy: Copy | null): void {
    for (const kept of this.#kept) if (kept.version === version) Object.assign(kept, { text, copy });
  }

  get isEmpty(): boolean {
    return this.#kept.length === 0;
  }

  /**
   * The texts that were written into replaced files. Each is found again until `done` says that it was taken in, with the
   * conflict copy that has it, if one does.
   */
  *late(nowMs: number): Generator<LateSave & { done(copy: Copy | null): void }> {
    for (const kept of [...this.#kept]) {
      // The clock may have been put back.
      kept.sinceMs = Math.min(kept.sinceMs, nowMs);
      const changed = this.#changed(kept);
      if (changed !== null) {
        const { content } = changed;
        kept.lateSinceMs = Math.min(kept.lateSinceMs ?? nowMs, nowMs);
        const { key, text, version, copy, lateSinceMs } = kept;
        const done = (copy: Copy | null) => {
          // The program may go on writing.
          const taken = { ...changed, text: content, version: blobOid(content), copy, sinceMs: nowMs };
          Object.assign(kept, taken, { lateSinceMs: null });
        };
        yield { key, base: text ?? version, content, copy, waitedMs: nowMs - lateSinceMs, done };
      } else if (nowMs - kept.sinceMs > KEPT_MS) {
        this.#forget(kept.name);
        this.#kept = this.#kept.filter((each) => each !== kept);
      }
    }
  }

  /** Takes up what a process that crashed left. */
  recover(nowMs: number): void {
    for (const file of this.#disk.readdirSync(this.#folder)) {
      const name = join(this.#folder, file.replace(/\.json$/, ''));
      if (file.endsWith('.json')) this.#recoverOne(name, nowMs);
      else if (!this.#isThere(`${name}.json`)) this.#disk.unlinkSync(name);
    }
  }

  #recoverOne(name: string, nowMs: number): void {
    const stat = this.#statOf(name);
    const sidecar = parse(this.#disk.readFileSync(`${name}.json`, 'utf8'));
    if (stat === null || sidecar === null) this.#forget(name);
    // Its status of then is not known: any difference in the text counts.
    else
      this.#kept.push({ ...sidecar, name, stat: { ...stat, mtimeMs: -1 }, sinceMs: nowMs, ...NOTHING_TAKEN });
  }

  #changed({ name, stat: before, version }: Kept): { content: Uint8Array; stat: FileStat } | null {
    const stat = this.#statOf(name);
    if (stat === null || (stat.size === before.size && stat.mtimeMs === before.mtimeMs)) return null;
    const content = this.#disk.readFileSync(name);
    return blobOid(content) === version ? null : { content, stat };
  }

  #statOf(name: string): FileStat | null {
    try {
      return statOf(this.#disk.lstatSync(name));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  #isThere(name: string): boolean {
    return this.#statOf(name) !== null;
  }

  #forget(name: string): void {
    for (const each of [name, `${name}.json`]) {
      try {
        this.#disk.unlinkSync(each);
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    }
  }
}

const NOTHING_TAKEN = { text: null, copy: null, lateSinceMs: null };

/** An editor that has a file open saves it some time later, but mostly opens it again for that. */
const KEPT_MS = 3_000;

/**
 * Null for a file that was cut by a power cut: then nothing was replaced yet. Null too for a key that this mirror cannot
 * have written, as it would lead out of the folder.
 */
function parse(text: string): { key: string; version: Oid } | null {
  try {
    const { key, version } = JSON.parse(text) as { key?: unknown; version?: unknown };
    if (typeof key !== 'string' || typeof version !== 'string') return null;
    return refusalAsFile(key) === null ? { key, version } : null;
  } catch {
    return null;
  }
}
