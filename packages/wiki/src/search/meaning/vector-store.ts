import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessFailed } from '../sqlite/unless-failed.ts';
import { decodeVectors, encodeVectors, nameOf, type VectorsByVersion } from './vector-file.ts';

/**
 * The vectors of one model, in files that never change and are named by the checksum of their bytes: several processes
 * share them without a lock, and a damaged file counts as missing.
 */
export interface VectorStore {
  /** The vectors in files that other processes, or an earlier one, saved since the last call. */
  load(): Promise<VectorsByVersion>;
  /** Saves vectors in a file of their own. */
  save(vectors: VectorsByVersion): Promise<void>;
  /** True if there are so many files that one with all vectors should take their place. */
  readonly isScattered: boolean;
  /** Replaces the files that were loaded or saved here by one. */
  replace(vectors: VectorsByVersion): Promise<void>;
}

export interface VectorStoreOptions {
  /** The directory of the vectors of all models. */
  directory: string;
  model: string;
  /** True if nothing may be written. */
  readOnly: boolean;
  /** True if other users get no rights to the files. */
  isPrivate: boolean;
  /** A file name that no other process or call uses. */
  randomFileName(): string;
}

export function openVectorStore(options: VectorStoreOptions): VectorStore {
  const { readOnly, isPrivate, randomFileName } = options;
  const model = createHash('sha256').update(options.model).digest('hex').slice(0, 16);
  const directory = join(options.directory, `${FORMAT}-${model}`);
  const known = new Set<string>();

  async function load(): Promise<VectorsByVersion> {
    const names = (await unlessFailed(() => readdir(directory))) ?? [];
    const loaded: VectorsByVersion = new Map();
    for (const name of names) {
      if (known.has(name) || !FILE_NAME.test(name)) continue;
      const bytes = await unlessFailed(() => readFile(join(directory, name)));
      if (bytes === null) continue;
      known.add(name);
      if (nameOf(bytes) !== name) continue;
      for (const [version, vectors] of decodeVectors(bytes)) loaded.set(version, vectors);
    }
    return loaded;
  }

  /** A full disk is no reason to fail: the vectors are in memory, and can be made again. */
  async function save(vectors: VectorsByVersion): Promise<string | null> {
    if (readOnly || vectors.size === 0) return null;
    const bytes = encodeVectors(vectors);
    const name = nameOf(bytes);
    return unlessFailed(async () => {
      await mkdir(directory, { recursive: true, mode: isPrivate ? 0o700 : 0o777 });
      const temporary = join(directory, `new-${randomFileName()}`);
      await writeFile(temporary, bytes, { mode: isPrivate ? 0o600 : 0o666 });
      await rename(temporary, join(directory, name));
      known.add(name);
      return name;
    });
  }

  return {
    load,
    get isScattered() {
      return known.size > MAX_FILES;
    },
    save: async (vectors) => void (await save(vectors)),
    async replace(vectors) {
      const before = [...known];
      const saved = await save(vectors);
      if (saved === null) return;
      for (const name of before) {
        if (name === saved) continue;
        known.delete(name);
        await unlessFailed(() => rm(join(directory, name), { force: true }));
      }
    },
  };
}

/** Increment it with every change of the files, and of the texts from which vectors are made. */
const FORMAT = 1;
const FILE_NAME = /^[0-9a-f]{64}$/;
const MAX_FILES = 16;
