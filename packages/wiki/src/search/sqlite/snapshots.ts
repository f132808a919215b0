import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { Oid } from '../../contract/ids.ts';
import { indexFormat } from './schema.ts';
import { unlessFailed } from './unless-failed.ts';

/** An index in a file that never changes, named after its commit and the checksum of its bytes. */
export interface Snapshot {
  name: string;
  commit: Oid;
  /** The number of commits it contains; the progress of an unfinished build. */
  position: number;
  checksum: string;
}

/** `unfinished`: an index whose build has not ended. It answers nothing, and another process can continue it. */
export type SnapshotKind = 'whole' | 'unfinished';

/** The snapshots beside one wiki, from which processes without an index start. */
export interface Snapshots {
  /**
   * The snapshots that this format can read, the most complete one first; empty if the directory is missing.
   */
  list(kind: SnapshotKind): Promise<Snapshot[]>;
  /** Writes the index to `file`. Returns false if the snapshot is gone or does not match its name. */
  load(snapshot: Snapshot, file: string): Promise<boolean>;
  /** Adds the index in `file`, which must not change, and removes snapshots that are no longer needed. */
  save(file: string, saved: Pick<Snapshot, 'commit' | 'position'>, kind: SnapshotKind): Promise<void>;
  /** Removes the snapshots of unfinished builds, which a whole one makes useless. */
  removeUnfinished(): Promise<void>;
}

export interface SnapshotsOptions {
  directory: string;
  /** True if other users get no rights to the snapshots. */
  isPrivate?: boolean;
  /** A name that no other process or call uses. */
  randomName(): string;
  /** Milliseconds since 1970. */
  now(): number;
}

export function openSnapshots({
  directory,
  isPrivate = false,
  randomName,
  now,
}: SnapshotsOptions): Snapshots {
  async function list(kind: SnapshotKind): Promise<Snapshot[]> {
    const names = await readdir(directory).catch(absent);
    const snapshots = (names ?? []).flatMap((name) => parseName(name, kind) ?? []);
    return snapshots.sort((a, b) => b.position - a.position || (a.name < b.name ? -1 : 1));
  }

  async function removeUnfinished(): Promise<void> {
    for (const { name } of await list('unfinished')) await rm(join(directory, name), { force: true });
  }

  return {
    list,
    removeUnfinished,

    async load({ name, checksum }, file) {
      const hash = createHash('sha256');
      // If it is gone or damaged, or the disk is full, the caller can do without it.
      const unpacked = await unlessFailed(async () => {
        await pipeline(
          chunksOf(join(directory, name), hash),
          createZstdDecompress({ chunkSize: chunkBytes }),
          createWriteStream(file, { mode: 0o600 }),
        );
        return shortChecksum(hash);
      });
      return unpacked === checksum;
    },

    async save(file, saved, kind) {
      await mkdir(directory, { recursive: true, mode: isPrivate ? 0o700 : 0o777 });
      const temporary = join(directory, `${temporaryPrefix}${randomName()}`);
      const hash = createHash('sha256');
      try {
        await pipeline(
          createReadStream(file, { highWaterMark: chunkBytes }),
          createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: LEVELS[kind] } }),
          hashing(hash),
          createWriteStream(temporary, { mode: isPrivate ? 0o600 : 0o666 }),
        );
        await syncFile(temporary);
        const name = nameOf(saved, kind, shortChecksum(hash));
        await rename(temporary, join(directory, name));
        const others = (await list(kind)).filter((other) => other.name !== name);
        for (const old of others.slice(KEPT_OTHERS)) await rm(join(directory, old.name), { force: true });
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      if (kind === 'whole') await removeUnfinished();
      await removeAbandoned(directory, now());
    },
  };
}

/** Another process may still be reading the one that was newest before. */
const KEPT_OTHERS = 1;
/** An unfinished build is written often and read once: in half the time it gets an eighth larger. */
const LEVELS = { whole: 3, unfinished: 1 } satisfies Record<SnapshotKind, number>;
/** Node's own, of 16 KB for what is unpacked, takes twice as long: each goes through a thread. */
const chunkBytes = 1_048_576;
const temporaryPrefix = 'new-';
/** An incomplete file of this age was left by a process that died. */
const abandonedMs = 3_600_000;

function nameOf(
  { commit, position }: Pick<Snapshot, 'commit' | 'position'>,
  kind: SnapshotKind,
  checksum: string,
): string {
  return `${indexFormat}-${MARKS[kind]}${String(position).padStart(9, '0')}-${commit}-${checksum}`;
}

/** Processes from before there were unfinished ones do not take them for whole. */
const MARKS = { whole: '', unfinished: 'unfinished-' } satisfies Record<SnapshotKind, string>;

function parseName(name: string, kind: SnapshotKind): Snapshot | null {
  const match = /^(\d+)-(unfinished-)?(\d{9,})-([0-9a-f]{40})-([0-9a-f]{32})$/.exec(name);
  if (match === null || Number(match[1]) !== indexFormat || (match[2] ?? '') !== MARKS[kind]) return null;
  const [, , , position = '', commit = '', checksum = ''] = match;
  return { name, commit, position: Number(position), checksum };
}

/**
 * The chunks of a file, each valid until the next one is asked for: `pipeline` asks when a chunk that is larger than the
 * buffer of the stream has been taken. Reads one while the one before is being taken. Two buffers do: new ones for all
 * chunks, beside those that the stream makes, would have V8 collect garbage several times.
 */
async function* chunksOf(path: string, hash: Hash): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  let [free, full] = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)];
  let reading = file.read(free, 0, chunkBytes);
  try {
    for (;;) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return;
      [free, full] = [full, free];
      reading = file.read(free, 0, chunkBytes);
      // Awaited after the chunk is taken.
      reading.catch(() => {});
      const chunk = full.subarray(0, bytesRead);
      hash.update(chunk);
      yield chunk;
    }
  } finally {
    await reading.catch(() => {});
    await file.close();
  }
}

function hashing(hash: Hash): Transform {
  return new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
}

function shortChecksum(hash: Hash): string {
  return hash.digest('hex').slice(0, 32);
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes incomplete files and those of older formats. */
async function removeAbandoned(directory: string, now: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const format = /^(\d+)-/.exec(name)?.[1];
    const isOlder = format !== undefined && Number(format) < indexFormat;
    if (!isOlder && !name.startsWith(temporaryPrefix)) continue;
    const path = join(directory, name);
    const status = await stat(path).catch(absent);
    if (isOlder || (status !== null && now - status.mtimeMs > abandonedMs)) await rm(path, { force: true });
  }
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
