import { dirname } from 'node:path';
import { makeDirectory, removeFile } from '../files/directories.ts';
import { type MakeFile, removeLeftover, writeNewFile } from '../files/durable-file.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import type { ProcessLock } from '../files/process-lock.ts';
import { readTextFile } from '../files/text-file.ts';
import type { Layout } from '../layout.ts';
import type { Oid } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { readPackedRefs } from './packed-refs.ts';

/** What the branch ref holds; `damaged` where a crash left something that git would refuse. */
export type RefValue = { kind: 'commit'; commit: Oid } | { kind: 'absent' } | { kind: 'damaged' };

/**
 * Where the ref is to go, null where the wiki does not hold all of what it names now (`current`, null where that
 * is no commit). It is asked after the ref was read: who decides earlier may move it back, behind commits whose
 * packs native git is free to delete when no ref reaches them.
 */
export type RefTarget = (current: Oid | null) => Promise<Oid | null>;

/** The branch as native git sees it. It follows the chain; only adoption ever reads it. */
export interface BranchRef {
  read(): Promise<RefValue>;
  /**
   * `locked`: another process, ours or git's, is just changing it, so try again. `foreign`: it names what the
   * wiki does not hold. In both cases it stays as it is. It moves only after `durable`, which runs meanwhile.
   */
  move(target: RefTarget, durable: () => Promise<void>): Promise<'moved' | 'locked' | 'foreign'>;
  /** Writes aside, durably, that it is to hold `to`. Only beside native git. */
  prepare(to: Oid): Promise<PreparedRef>;
}

/** A value of the ref that waits for its commit to be linked. */
export interface PreparedRef {
  /** Moves the ref, at once, if it holds `from`, null if it is absent; false where it does not, or is locked. */
  moveFrom(from: Oid | null): Promise<boolean>;
  /** Takes away what is left of it: what was written, where it did not move, and what it replaced. Never fails. */
  end(): Promise<void>;
}

export interface BranchRefOptions {
  fs: FileSystem;
  layout: Layout;
  temporaryName(): string;
  makeFile: MakeFile;
  /** Git's lock of the branch; null on a shared mount, where nobody but Pagetree moves a ref. */
  lock: ProcessLock | null;
}

export function openBranchRef({ fs, layout, temporaryName, makeFile, lock }: BranchRefOptions): BranchRef {
  async function read(): Promise<RefValue> {
    try {
      const loose = await readTextFile(fs, layout.refFile);
      if (loose !== null) return parseRef(loose);
      return parseRef(
        (await readPackedRefs(fs, layout.packedRefs)).get(`refs/heads/${layout.branch}`) ?? null,
      );
    } catch (error) {
      throw fileSystemFailure(error, 'Reading the branch ref', layout.refFile);
    }
  }

  /**
   * All that takes time is done before the lock is taken: git waits for it only a tenth of a second, and then
   * refuses the push that came meanwhile.
   */
  async function move(
    target: RefTarget,
    durable: () => Promise<void>,
  ): Promise<'moved' | 'locked' | 'foreign'> {
    // Nobody locks it on a shared mount, so what it held a moment ago would tell nothing.
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

  /** To free the file that is replaced takes a disk longer than to replace it: with another name it stays meanwhile. */
  async function linkIfPossible(path: string): Promise<boolean> {
    try {
      await fs.link(layout.refFile, path);
      return true;
    } catch (error) {
      // It is packed, or there are no hard links: then that takes as long as it takes.
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

  /** By a file of our own: git's way, to write into the lock, leaves an empty ref if the lock changes hands. */
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
      // Git removes the folder of a branch such as `drafts/new` when it packs refs.
      if (errorName(error) !== 'ENOENT' || !(await makeDirectory(fs, dirname(layout.refFile)))) throw error;
      await fs.rename(temporary, layout.refFile);
    }
  }

  return { read, move, prepare };
}

/** It is replaced later, and Windows replaces no read-only file. */
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
