import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { blobOid } from '@pagetree/wiki/content-hash';
import type { Oid } from '@pagetree/wiki/contract';
import { CoarseTimes } from './coarse-times.ts';
import { codeOf, type Disk, type FileStat, isMissing, isSameStat, statOf, statusAt } from './disk.ts';
import { isBlocked, type Scan, type ScannedFile } from './scan-folder.ts';

/** The version on which both sides last agreed, and the file that had it. Null if the file is another one now. */
export interface AgreedFile {
  version: Oid;
  stat: FileStat | null;
}

/** A file whose content is known. */
export interface KnownFile extends ScannedFile {
  version: Oid;
}

/** What differs in the folder from the agreed files. */
export interface Contents {
  /** Null for a file that is gone. */
  changed: Map<string, KnownFile | null>;
  /** Files that are being written, or cannot be read: they wait. */
  waiting: Set<string>;
  /** Those that cannot be read. */
  unreadable: Set<string>;
  /** Milliseconds until some of the waiting files can be looked at again; null if none can. */
  settlesInMs: number | null;
}

interface Seen {
  stat: FileStat | null;
  sinceMs: number;
  version: Oid | null;
}

/** A file waits until it has been the same for this long: editors write in several steps. */
const SETTLED_MS = 300;
/** If as many files are gone, they wait until no other one has gone for a longer time. */
export const MANY_GONE = 20;
const MANY_SETTLED_MS = 3_000;
/** A file that is this old at the first look waits no longer. */
const OLD_MS = 2_000;

/** Finds out what files contain, and reads only those that may have changed. */
export class FolderContents {
  readonly #disk: Disk;
  readonly #root: string;
  readonly #maxBytes: number;
  /** What differed from the agreed file at the last look. */
  #seen = new Map<string, Seen>();
  readonly #times = new CoarseTimes();
  readonly #agreedBeforeMs: number;
  #isFirst = true;

  /** `agreedBeforeMs`: when the agreed files of the first look were stored. */
  constructor(disk: Disk, root: string, maxBytes: number, agreedBeforeMs: number) {
    this.#disk = disk;
    this.#root = root;
    this.#maxBytes = maxBytes;
    this.#agreedBeforeMs = agreedBeforeMs;
  }

  async compare(scan: Scan, agreed: Map<string, AgreedFile>, nowMs: number): Promise<Contents> {
    const contents: Contents = {
      changed: new Map(),
      waiting: new Set(),
      unreadable: new Set(),
      settlesInMs: null,
    };
    const seen = new Map<string, Seen>();
    for (const [key, file] of scan.files) {
      if (await this.#isAgreed(contents, key, file, agreed, nowMs)) continue;
      const now = this.#look(key, file.stat, nowMs);
      seen.set(key, now);
      if (wait(contents, key, now, nowMs)) continue;
      now.version ??= await this.#versionOf(file);
      if (now.version === UNREADABLE) contents.unreadable.add(key);
      else if (now.version === CHANGED) wait(contents, key, { ...now, sinceMs: nowMs }, nowMs);
      else contents.changed.set(key, { ...file, version: now.version });
      if (!contents.changed.has(key)) now.version = null;
    }
    for (const key of contents.unreadable) contents.waiting.add(key);
    for (const key of agreed.keys()) {
      if (!scan.files.has(key) && !isBlocked(scan, key)) seen.set(key, this.#look(key, null, nowMs));
    }
    settleGone(contents, seen, agreed, nowMs);
    for (const key of scan.blocked.keys()) contents.waiting.add(key);
    this.#seen = seen;
    this.#isFirst = false;
    return contents;
  }

  async #isAgreed(
    contents: Contents,
    key: string,
    file: ScannedFile,
    agreed: Map<string, AgreedFile>,
    nowMs: number,
  ): Promise<boolean> {
    const known = agreed.get(key);
    if (known === undefined || !isSameStat(known.stat, file.stat)) return false;
    const seenMs = this.#isFirst ? this.#agreedBeforeMs : nowMs;
    const leftMs = this.#times.leftMs(key, file.stat, seenMs, nowMs);
    if (leftMs === 0) {
      if ((await this.#versionOf(file)) !== known.version) {
        agreed.set(key, { version: known.version, stat: null });
        return false;
      }
      this.#times.settle(key);
    } else if (leftMs !== null) contents.settlesInMs = Math.min(contents.settlesInMs ?? leftMs, leftMs);
    return true;
  }

  /** `stat` is null for a file that is gone. */
  #look(key: string, stat: FileStat | null, nowMs: number): Seen {
    const before = this.#seen.get(key);
    const isSame = stat === null ? before?.stat === null : isSameStat(before?.stat, stat);
    // If the clock was put back, the wait begins anew.
    if (before !== undefined && isSame) return { ...before, sinceMs: Math.min(before.sinceMs, nowMs) };
    const isOld = this.#isFirst && stat !== null && nowMs - Math.max(stat.mtimeMs, stat.ctimeMs) > OLD_MS;
    return { stat, sinceMs: isOld ? 0 : nowMs, version: null };
  }

  /** The keys of the files that differed from the agreed ones at the last look. */
  unsettled(): Iterable<string> {
    return this.#seen.keys();
  }

  /** Lets a file that the mirror wrote itself be looked at without a wait. */
  settle(key: string, stat: FileStat, version: Oid): void {
    this.#seen.set(key, { stat, sinceMs: 0, version });
  }

  /** The bytes of a file that has this version; null if it is another one by now. */
  read({ path, stat, version }: KnownFile): Uint8Array | null {
    const content = this.#read(path, stat);
    return typeof content !== 'string' && blobOid(content) === version ? content : null;
  }

  async #versionOf({ path, stat }: ScannedFile): Promise<Oid> {
    await setImmediate();
    if (stat.size > this.#maxBytes) return TOO_LARGE;
    const content = this.#read(path, stat);
    return typeof content === 'string' ? content : blobOid(content);
  }

  #read(path: string, stat: FileStat): Uint8Array | typeof CHANGED | typeof UNREADABLE {
    const place = join(this.#root, path);
    try {
      const content = this.#disk.readFileSync(place);
      const status = statusAt(this.#disk, place);
      return status?.isFile() === true && isSameStat(statOf(status), stat) ? content : CHANGED;
    } catch (error) {
      if (isMissing(error)) return CHANGED;
      if (REFUSALS.includes(codeOf(error))) return UNREADABLE;
      throw error;
    }
  }
}

/** These stand for the version of a file that is larger than any that the wiki takes, and of those that are not known. */
export const TOO_LARGE = 'too large';
const CHANGED = 'changed';
const UNREADABLE = 'unreadable';
const REFUSALS = ['EACCES', 'EPERM', 'EBUSY', 'EISDIR', 'EIO', 'ELOOP'];

/**
 * Decides which files are gone. Many that are gone, and not moved, may be the beginning: a folder that is being removed
 * or unmounted still has its mark for a while.
 */
function settleGone(
  contents: Contents,
  seen: ReadonlyMap<string, Seen>,
  agreed: ReadonlyMap<string, AgreedFile>,
  nowMs: number,
): void {
  const gone = [...seen].filter(([, { stat }]) => stat === null);
  const lastMs = gone.reduce((last, [, { sinceMs }]) => Math.max(last, sinceMs), 0);
  // A file that came long before, and is not agreed as the wiki refuses it, is none that moved.
  const fresh = [...seen].filter(
    ([key, { stat, sinceMs }]) => stat !== null && !agreed.has(key) && sinceMs > lastMs - MANY_SETTLED_MS,
  );
  const isMany = gone.length - fresh.length >= MANY_GONE;
  for (const [key, one] of gone) {
    const isWaiting = isMany
      ? wait(contents, key, { ...one, sinceMs: lastMs }, nowMs, MANY_SETTLED_MS)
      : wait(contents, key, one, nowMs);
    if (!isWaiting) contents.changed.set(key, null);
  }
}

/** True if a file has not been the same for long enough. */
function wait(
  contents: Contents,
  key: string,
  { sinceMs }: Seen,
  nowMs: number,
  settledMs = SETTLED_MS,
): boolean {
  const leftMs = sinceMs + settledMs - nowMs;
  if (leftMs <= 0) return false;
  contents.waiting.add(key);
  contents.settlesInMs = Math.min(contents.settlesInMs ?? leftMs, leftMs);
  return true;
}
