import { dirname } from 'node:path';
import type { Oid } from '../../formats/oid.ts';
import { makeDirectory, removeFile } from '../files/directories.ts';
import { type MakeFile, removeLeftover, writeNewFile } from '../files/durable-file.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import type { ProcessLock } from '../files/process-lock.ts';
import { readTextFile } from '../files/text-file.ts';
import { isMissing } from '../files/unless-gone.ts';
import type { Layout } from '../layout.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { readPackedRef } from './packed-refs.ts';

/** The value of the branch ref; `damaged` if a crash left something that git would refuse. */
export type RefValue = { kind: 'commit'; commit: Oid } | { kind: 'absent' } | { kind: 'damaged' };

/**
 * Returns the new target of the ref, or null if the wiki does not hold everything that the ref names now
 * (`current`, null if that is no commit). Called after the ref was read. An earlier decision could move the
 * ref back, behind commits whose packs native git may delete when no ref reaches them.
 */
export type RefTarget = (current: Oid | null) => Promise<Oid | null>;

/** The branch as native git sees it. It follows the chain; only adoption ever reads it. */
export interface BranchRef {
  read(): Promise<RefValue>;
  /**
   * `locked`: another process, ours or git's, is changing the ref, so try again. `foreign`: the ref names a
   * commit that the wiki does not hold. In both cases the ref stays as it is. It moves only after `durable`,
   * which runs meanwhile.
   */
  move(target: RefTarget, durable: () => Promise<void>): Promise<'moved' | 'locked' | 'foreign'>;
  /** Writes durably to a file aside that the ref is to hold `to`. Used only beside native git. */
  prepare(to: Oid): Promise<PreparedRef>;
}

/** A value for the ref that waits until its commit is linked. */
export interface PreparedRef {
  /**
   * Moves the ref at once if it holds `from`, or if it is absent and `from` is null. Returns false if it does
   * not, or if it is locked.
   */
  moveFrom(from: Oid | null): Promise<boolean>;
  /** Removes the leftovers: the new value if the ref did not move, and the old one if it did. Never fails. */
  end(): Promise<void>;
}

export interface BranchRefOptions {
  fs: FileSystem;
  layout: Layout;
  temporaryName(): string;
  makeFile: MakeFile;
  /** Git's lock of the branch; null on a shared mount, where only Pagetree moves a ref. */
  lock: ProcessLock | null;
}

export function openBranchRef({ fs, layout, temporaryName, makeFile, lock }: BranchRefOptions): BranchRef {
  async function read(): Promise<RefValue> {
    try {
      const loose = await readTextFile(fs, layout.refFile);
      if (loose !== null) return parseRef(loose);
      return parseRef(await readPackedRef(fs, layout.packedRefs, `refs/heads/${layout.branch}`));
    } catch (error) {
      throw fileSystemFailure(error, 'Reading the branch ref', layout.refFile);
    }
  }

  /**
   * Everything that takes time is done before the lock is taken: git waits for the lock only a tenth of a
   * second, and then refuses a push that arrived meanwhile.
   */
  async function move(
    target: RefTarget,
    durable: () => Promise<void>,
  ): Promise<'moved' | 'locked' | 'foreign'> {
    // On a shared mount nobody locks the ref, so an earlier value would prove nothing.
    const before = lock === null ? null : await read();
    const current = before?.kind === 'commit' ? before.commit : null;
    const to = await target(current);
    if (to === null) return 'foreign';
    if (to === current) return 'moved';
    const [temporary] = await Promise.all([writeTemporary(to), durable()]);
    return moving(async () => {
      if (lock === null || before === null) await renameInto(temporary);
      else if (!(await renameUnderLock(lock, temporary, before))) {
        await removeFile(fs, temporary);
        return 'locked';
      }
      return 'moved';
    });
  }

  async function prepare(to: Oid): Promise<PreparedRef> {
    const temporary = await writeTemporary(to);
    let left = [temporary];
    return {
      async moveFrom(from) {
        if (lock === null) return false;
        const before: RefValue = from === null ? { kind: 'absent' } : { kind: 'commit', commit: from };
        const replaced = temporaryName();
        if (await linkIfPossible(replaced)) left.push(replaced);
        const moved = await moving(() => renameUnderLock(lock, temporary, before));
        if (moved) left = left.slice(1);
        return moved;
      },
      async end() {
        await Promise.all(left.map((path) => removeLeftover(fs, path)));
      },
    };
  }

  /**
   * Freeing a replaced file takes a disk longer than replacing it. With a second name its content stays
   * meanwhile.
   */
  async function linkIfPossible(path: string): Promise<boolean> {
    try {
      await fs.link(layout.refFile, path);
      return true;
    } catch (error) {
      // The ref is packed, or there are no hard links: then the replacement takes the longer time.
      if (errorName(error) === null) throw error;
      return false;
    }
  }

  async function writeTemporary(commit: Oid): Promise<string> {
    const temporary = temporaryName();
    await writeNewFile(fs, temporary, new TextEncoder().encode(`${commit}\n`), REF_MODE, makeFile);
    return temporary;
  }

  async function moving<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw fileSystemFailure(error, 'Moving the branch ref', layout.refFile);
    }
  }

  /**
   * Renames a file of our own. Git's way, writing into the lock, leaves an empty ref if the lock changes
   * hands.
   */
  async function renameUnderLock(held: ProcessLock, temporary: string, before: RefValue): Promise<boolean> {
    if (!(await held.take())) return false;
    try {
      const second = await read();
      const same = isSameRef(second, before);
      if (same) await renameInto(temporary);
      return same;
    } finally {
      await held.release();
    }
  }

  async function renameInto(temporary: string): Promise<void> {
    try {
      await fs.rename(temporary, layout.refFile);
    } catch (error) {
      // Git removes the directory of a branch such as `drafts/new` when it packs refs.
      if (!isMissing(error) || !(await makeDirectory(fs, dirname(layout.refFile)))) throw error;
      await fs.rename(temporary, layout.refFile);
    }
  }

  return { read, move, prepare };
}

/** The file is replaced later, and Windows replaces no read-only file. */
export const REF_MODE = 0o644;

function isSameRef(one: RefValue, other: RefValue): boolean {
  return one.kind === 'commit' && other.kind === 'commit'
    ? one.commit === other.commit
    : one.kind === other.kind;
}

function parseRef(text: string | null): RefValue {
  if (text === null) return { kind: 'absent' };
  const commit = text.trimEnd();
  return /^[0-9a-f]{40}$/.test(commit) ? { kind: 'commit', commit } : { kind: 'damaged' };
}
