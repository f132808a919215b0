import { dirname, join } from 'node:path';
import { fileSystemFailure } from '../storage-error.ts';
import { makeDirectory, removeFile } from './directories.ts';
import { removeLeftover } from './durable-file.ts';
import { errorName, type FileSystem } from './file-system.ts';
import { type Host, type ProcessIdentity, randomName } from './host.ts';
import { readTextFile } from './text-file.ts';

/**
 * A lock file that other programs respect because it exists, and that names the process of ours that holds
 * it.
 */
export interface ProcessLock {
  /**
   * Returns false if another process holds the lock. First removes a lock whose process has certainly ended.
   * All methods throw StorageError.
   */
  take(): Promise<boolean>;
  release(): Promise<void>;
  /** Makes `name` another link to this process's record: a file that names its maker and costs no inode. */
  sign(name: string): Promise<void>;
  /** Removes this process's record. The lock must not be used afterwards. */
  close(): Promise<void>;
}

export interface ProcessLockOptions {
  fs: FileSystem;
  host: Host;
  path: string;
  /** A directory with one name for each dead lock that was removed. */
  claims: string;
  temporaryName(): string;
}

/**
 * The lock is a hard link to this process's record. It is complete from its first moment, so no process finds
 * a lock without an owner. A process can leave at most one dead lock, so the record's nonce identifies that
 * lock.
 */
export function openProcessLock({ fs, host, path, claims, temporaryName }: ProcessLockOptions): ProcessLock {
  const own = JSON.stringify({ ...host.self, nonce: randomName(host) } satisfies LockRecord);
  let record: Promise<string> | null = null;

  async function take(): Promise<boolean> {
    try {
      return (await signAs(path)) || ((await removeDead()) && (await signAs(path)));
    } catch (error) {
      throw fileSystemFailure(error, 'Locking the branch', path);
    }
  }

  async function release(): Promise<void> {
    try {
      await fs.unlink(path);
    } catch (error) {
      throw fileSystemFailure(error, 'Unlocking the branch', path);
    }
  }

  async function sign(name: string): Promise<void> {
    try {
      await signAs(name);
    } catch (error) {
      throw fileSystemFailure(error, 'Writing to the wiki', name);
    }
  }

  /** Makes `name` a link to the record. Returns false if it exists and belongs to another process. */
  async function signAs(name: string, repair = true): Promise<boolean> {
    record ??= makeRecord();
    const used = record;
    try {
      await signBy(await used, name);
      return true;
    } catch (error) {
      const errno = errorName(error);
      if (errno === 'EEXIST') return (await readTextFile(fs, name)) === own;
      if (errno !== 'ENOENT' || !repair) throw error;
    }
    // The record was swept away as an old temporary file, or a directory is missing: copies leave out empty
    // ones.
    if (record === used) record = null;
    for (const file of [temporaryName(), name]) await makeDirectory(fs, dirname(file));
    return signAs(name, false);
  }

  function makeRecord(): Promise<string> {
    const made = writeRecord(temporaryName());
    // The caller that awaits it gets the error. The next one tries again.
    made.catch(() => {
      if (record === made) record = null;
    });
    return made;
  }

  async function signBy(recordFile: string, name: string): Promise<void> {
    try {
      await fs.link(recordFile, name);
    } catch (error) {
      if (!NO_HARD_LINKS.has(errorName(error) ?? '')) throw error;
      await writeRecord(name);
    }
  }

  async function writeRecord(name: string): Promise<string> {
    const file = await fs.open(name, 'wx', 0o644);
    try {
      try {
        await file.write(new TextEncoder().encode(own));
        // Without the sync a power cut could leave an empty lock, which has no owner and would stay.
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      // Without an owner it would lock out everybody for ever.
      await removeLeftover(fs, name);
      throw error;
    }
    return name;
  }

  /**
   * Removes the lock of a dead process and returns whether it is gone. A process that found the lock dead may
   * freeze, and by the time it thaws the name may be a living process's lock. So only one of the processes
   * that found it dead may remove it: the one that made the claim named after that lock. If that one died
   * too, the next generation of claims decides.
   */
  async function removeDead(): Promise<boolean> {
    const text = await readTextFile(fs, path);
    if (text === null) return true;
    const owner = parseRecord(text);
    if (owner === null || !(await host.isDead(owner))) return false;
    for (let generation = 0; ; generation += 1) {
      const claim = join(claims, `${owner.nonce}.${generation}`);
      if (await signAs(claim)) break;
      const claimant = parseRecord((await readTextFile(fs, claim)) ?? '');
      if (claimant === null || !(await host.isDead(claimant))) return false;
    }
    if ((await readTextFile(fs, path)) === text) {
      const aside = temporaryName();
      await fs.rename(path, aside);
      await removeFile(fs, aside);
    }
    return true;
  }

  async function close(): Promise<void> {
    const file = record;
    record = null;
    try {
      // The record may have been swept away as an old temporary file.
      if (file) await removeFile(fs, await file);
    } catch (error) {
      throw fileSystemFailure(error, 'Removing the record of a lock', path);
    }
  }

  return { take, release, sign, close };
}

interface LockRecord extends ProcessIdentity {
  nonce: string;
}

/** The last one: the directory lies on another disk than the wiki's own. */
const NO_HARD_LINKS = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'EMLINK', 'EXDEV']);

/** Null if the text is not the record of one of our processes: git's own lock is empty or holds a commit. */
export function parseRecord(text: string): LockRecord | null {
  const identity: (ProcessIdentity & { nonce?: unknown }) | null = parseIdentity(text);
  if (identity === null || typeof identity.nonce !== 'string') return null;
  return { ...identity, nonce: identity.nonce };
}

/** Null if the text does not name a process. */
export function parseIdentity(text: string): ProcessIdentity | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON: the lock of another program.
    return null;
  }
  return isIdentity(value) ? value : null;
}

function isIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  const texts = [fields.hostname, fields.boot, fields.namespace, fields.started];
  return texts.every((text) => typeof text === 'string') && typeof fields.pid === 'number';
}
