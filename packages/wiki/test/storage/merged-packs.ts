import { createHash } from 'node:crypto';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect } from 'vitest';
import { noise } from '../../../../labs/noise.ts';
import { objectId } from '../../src/formats/oid.ts';
import { type EncodedPack, encodePack } from '../../src/formats/packs/pack.ts';
import { encodePackIndex } from '../../src/formats/packs/pack-index.ts';
import type { FileSystem } from '../../src/storage/files/file-system.ts';
import { nodeFileSystem } from '../../src/storage/files/node-file-system.ts';
import { nodeHost } from '../../src/storage/files/node-host.ts';
import { openPackMerger, type PackMerger } from '../../src/storage/packs/merging/pack-merger.ts';
import { bareRepository, git } from '../native-git.ts';
import { livePacks } from './packs.ts';

/** A repository of packs that are merged, with a clock that a test moves. */
export interface MergedPacks {
  directory: string;
  /** `objects/pack`. */
  packs: string;
  clock: { ms: number };
  /** For each merge the names of the packs that it replaced, and that of the new one. */
  merges: { name: string; replaced: readonly string[] }[];
  open(options?: { fs?: FileSystem; shared?: boolean; beforeRetiring?: () => Promise<void> }): PackMerger;
  /** Lands a pack of one small blob, with so many bytes behind it that are no object. */
  land(padding?: number): { name: string; pack: EncodedPack };
  /** Puts a file beside the packs, at the time of the clock. */
  write(file: string, bytes: Uint8Array | string): void;
  /** The names of the packs that git sees. */
  live(): string[];
  sizes(): number[];
  /** Fails unless native git reads all blobs that were landed. */
  expectAll(): void;
}

export function mergedPacks(): MergedPacks {
  const directory = bareRepository();
  const packs = join(directory, 'objects/pack');
  const clock = { ms: Date.parse('2030-01-01T00:30:00Z') };
  const merges: MergedPacks['merges'] = [];
  const oids: string[] = [];
  return {
    directory,
    packs,
    clock,
    merges,
    open: ({ fs = nodeFileSystem, shared = false, beforeRetiring = async () => undefined } = {}) =>
      openPackMerger({
        fs,
        host: { ...nodeHost(), now: () => clock.ms },
        directory: packs,
        shared,
        beforeRetiring,
        objects: { replacePacks: async (name, replaced) => void merges.push({ name, replaced }) },
      }),
    land(padding = 0) {
      const content = noise(30);
      const name = noise(20).toString('hex');
      const pack = padded(encodePack([{ type: 'blob', content }]), padding);
      writeFileSync(join(packs, `pack-${name}.pack`), pack.packBytes);
      writeFileSync(join(packs, `pack-${name}.idx`), pack.indexBytes);
      oids.push(objectId('blob', content));
      return { name, pack };
    },
    write(file, bytes) {
      writeFileSync(join(packs, file), bytes);
      utimesSync(join(packs, file), clock.ms / 1_000, clock.ms / 1_000);
    },
    live: () => livePacks(directory).map((file) => file.slice('pack-'.length, -'.pack'.length)),
    sizes: () => livePacks(directory).map((file) => statSync(join(packs, file)).size),
    expectAll() {
      const found = git(directory, ['cat-file', '--batch-check=%(objecttype)'], oids.join('\n')).split('\n');
      expect(found).toEqual(oids.length === 0 ? [''] : oids.map(() => 'blob'));
      expect(readdirSync(packs).filter((file) => file.endsWith('.tmp'))).toEqual([]);
    },
  };
}

function padded(pack: EncodedPack, bytes: number): EncodedPack {
  if (bytes === 0) return pack;
  const entry = Buffer.concat([pack.packBytes.subarray(12, -20), Buffer.alloc(bytes)]);
  const places = pack.oids.map((oid) => ({ oid, offset: 12, crc32: crc32(entry) }));
  const body = Buffer.concat([pack.packBytes.subarray(0, 12), entry]);
  const checksum = createHash('sha1').update(body).digest();
  return {
    ...pack,
    packBytes: Buffer.concat([body, checksum]),
    indexBytes: encodePackIndex(places, checksum),
  };
}
