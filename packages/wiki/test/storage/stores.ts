import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { GitObject } from '../../src/formats/oid.ts';
import { type EncodedPack, encodePack } from '../../src/formats/packs/pack.ts';
import { nodeFileSystem } from '../../src/storage/files/node-file-system.ts';
import { ObjectStore } from '../../src/storage/objects/object-store.ts';
import { landPack } from '../../src/storage/packs/land-pack.ts';
import { type FileSystemCall, observedFileSystem } from './observed-file-system.ts';

export const LARGE_CACHE = 2 ** 25;
export const NO_CACHE = 0;

/** A store that closes its files when the test ends. */
export function openStore(
  directory: string,
  { cacheBytes = LARGE_CACHE, fs = nodeFileSystem, shared = false } = {},
): ObjectStore {
  const store = new ObjectStore({ fs, gitDirectory: directory, cacheBytes, shared });
  onTestFinished(() => store.close());
  return store;
}

/** A store, and the calls of the file system that it makes. */
export function countingStore(directory: string, cacheBytes: number, shared = false) {
  const calls: FileSystemCall[] = [];
  const fs = observedFileSystem(nodeFileSystem, (call) => {
    calls.push(call);
  });
  return { store: openStore(directory, { cacheBytes, fs, shared }), calls };
}

/** Lands blobs of these texts as one pack. */
export async function land(directory: string, name: string, texts: readonly string[]): Promise<EncodedPack> {
  const objects = texts.map((text): GitObject => ({ type: 'blob', content: Buffer.from(text) }));
  const pack = encodePack(objects);
  await landPack(nodeFileSystem, join(directory, 'objects/pack'), name, pack);
  return pack;
}

/** The one pack of a repository and its index. */
export function packFiles(directory: string): [pack: string, index: string] {
  const packs = join(directory, 'objects/pack');
  const name = readdirSync(packs).find((file) => file.endsWith('.pack')) ?? '';
  return [join(packs, name), join(packs, name.replace(/pack$/, 'idx'))];
}

/** Replaces a file that may be read-only. */
export function overwrite(path: string, bytes: Uint8Array): void {
  rmSync(path);
  writeFileSync(path, bytes);
}
