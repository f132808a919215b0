import { createCipheriv } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bareRepository, git, gitBytes } from '../../../test/native-git.ts';
import { type GitObject, objectId } from '../oid.ts';
import { encodeDelta } from './delta-encoder.ts';
import { GrowingPack } from './growing-pack.ts';
import { encodePack, PACK_HEADER_BYTES, parsePackHeader } from './pack.ts';
import { PackBuilder } from './pack-builder.ts';
import { entryHeader } from './pack-entry.ts';
import { encodePackIndex, type IndexEntry } from './pack-index.ts';
import { packLevels } from './pack-levels.ts';

const versions = Array.from({ length: 60 }, (_, at) =>
  Buffer.from(`${'A line that every version has.\n'.repeat(20)}${'more '.repeat(at)}\n`),
);
const oids = versions.map((content) => objectId('blob', content));

test('native git reads every version out of a pack whose versions rest on others far before them', () => {
  const builder = new PackBuilder();
  for (const [at, content] of versions.entries()) {
    const baseAt = at % 7 === 0 ? null : at - (at % 7 === 1 ? 1 : (at % 7) - 1);
    const base = baseAt === null ? null : versions[baseAt];
    const delta = base ? encodeDelta(base, content, 1000) : null;
    if (delta === null) builder.addWhole(oids[at] ?? '', 'blob', content.length, deflateSync(content));
    else builder.addDelta(oids[at] ?? '', oids[baseAt ?? 0] ?? '', delta.length, deflateSync(delta));
  }
  const { packBytes, indexBytes } = builder.finish();
  const { directory, index } = indexedByGit(packBytes);
  expect(index).toEqual(Buffer.from(indexBytes));
  expect(contentsByGit(directory)).toEqual(versions.map(String));
});

test('native git reads a pack that grew beyond its room, in parts and with the entries of another one', async () => {
  const [taken = [], appended = []] = [versions.slice(0, 20), versions.slice(20)];
  const other = encodePack(taken.map((content): GitObject => ({ type: 'blob', content })));
  const head = Buffer.from('some bytes before the pack\n');
  const growing = new GrowingPack(40, head);
  growing.take(other.packBytes.subarray(PACK_HEADER_BYTES, -20), taken.length);
  const entries: IndexEntry[] = other.objects.map(({ oid, offset }, at) => {
    const end = other.objects[at + 1]?.offset ?? other.packBytes.length - 20;
    return { oid, offset, crc32: crc32(other.packBytes.subarray(offset, end)) };
  });
  for (const [at, content] of appended.entries()) {
    const [header, bytes] = [entryHeader('blob', content.length), deflateSync(content)];
    const offset = growing.begin(header);
    growing.append(bytes.subarray(0, 5));
    growing.append(bytes.subarray(5));
    expect(growing.length).toBe(offset + header.length + bytes.length);
    expect(growing.crc32).toBe(crc32(Buffer.concat([header, bytes])));
    entries.push({ oid: oids[20 + at] ?? '', offset, crc32: growing.crc32 });
  }
  const { bytes, checksum } = await growing.finish(() => undefined);
  expect(Buffer.from(bytes.subarray(0, head.length))).toEqual(head);
  const packBytes = bytes.subarray(head.length);
  expect(Buffer.from(checksum)).toEqual(Buffer.from(packBytes.subarray(-20)));
  const { directory, index } = indexedByGit(packBytes);
  expect(index).toEqual(Buffer.from(encodePackIndex(entries, checksum)));
  expect(contentsByGit(directory)).toEqual(versions.map(String));
});

test('a pack of many megabytes is hashed whole, with a pause after each piece', async () => {
  const content = Buffer.alloc(9_000_000, 'text ');
  const growing = new GrowingPack(content.length + 100);
  growing.begin(entryHeader('blob', content.length));
  growing.append(deflateSync(content, { level: 0 }));
  let pauses = 0;
  const { bytes } = await growing.finish(async () => {
    pauses += 1;
  });
  expect(pauses).toBe(3);
  const { directory } = indexedByGit(bytes);
  expect(git(directory, ['cat-file', '-s', objectId('blob', content)])).toBe('9000000');
});

test('only a whole pack of version 2 is read as a small pack', () => {
  const { packBytes } = encodePack([]);
  expect([packBytes.length, parsePackHeader(packBytes)]).toEqual([32, 0]);
  expect(parsePackHeader(encodePack([{ type: 'blob', content: Buffer.from('a') }]).packBytes)).toBe(1);
  for (let length = 0; length < 32; length += 1)
    expect(parsePackHeader(packBytes.subarray(0, length))).toBeNull();
  const changed = (at: number, byte: number) =>
    parsePackHeader(Buffer.from(packBytes).fill(byte, at, at + 1));
  expect([0, 1, 2, 3].map((at) => changed(at, 0x78))).toEqual([null, null, null, null]);
  expect([changed(7, 3), changed(4, 1)]).toEqual(['unknown version', 'unknown version']);
  expect(changed(8, 1)).toBe(2 ** 24);
});

test('a large pack is compressed well for its first megabytes, and pictures not at all', () => {
  const levelOf = packLevels();
  const text = Buffer.alloc(500_000, 'a page with words ');
  const picture = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(
    Buffer.alloc(300_000),
  );
  expect([levelOf('commit', text), levelOf('tree', text), levelOf('tag', text)]).toEqual([1, 1, 1]);
  expect(Array.from({ length: 20 }, () => levelOf('blob', picture))).toEqual(Array(20).fill(0));
  // 1,500,000 bytes of 4,000,000 are seen.
  expect(Array.from({ length: 7 }, () => levelOf('blob', text))).toEqual([6, 6, 6, 6, 6, 1, 1]);
});

/** A repository with this pack, and the index that native git makes of it. */
function indexedByGit(packBytes: Uint8Array): { directory: string; index: Buffer } {
  const directory = bareRepository();
  const packs = join(directory, 'objects/pack');
  mkdirSync(packs, { recursive: true });
  const path = join(packs, 'pack-written.pack');
  writeFileSync(path, packBytes);
  git(directory, ['index-pack', '--strict', path]);
  git(directory, ['verify-pack', path]);
  return { directory, index: readFileSync(path.replace(/pack$/, 'idx')) };
}

/** The versions as native git reads them. */
function contentsByGit(directory: string): string[] {
  const output = gitBytes(directory, ['cat-file', '--batch'], { input: `${oids.join('\n')}\n` });
  let at = 0;
  return versions.map(() => {
    const lineEnd = output.indexOf('\n', at);
    const size = Number(output.toString('latin1', at, lineEnd).split(' ')[2]);
    at = lineEnd + 1 + size + 1;
    return output.toString('utf8', lineEnd + 1, lineEnd + 1 + size);
  });
}
