import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { nativeWiki } from '../../../test/storage/native-wiki.ts';
import { packFiles } from '../../../test/storage/stores.ts';
import {
  encodePackIndex,
  guessPackIndex,
  indexedObjects,
  isWholeIndex,
  parsePackIndex,
} from './pack-index.ts';

/** An index of native git with the entries that git shows of it, within a larger buffer. */
function nativeIndex() {
  const directory = nativeWiki(8);
  git(directory, ['repack', '-adq']);
  const [, path] = packFiles(directory);
  const bytes = readFileSync(path);
  const shown = git(directory, ['show-index'], bytes).split('\n').filter(Boolean);
  const entries = shown.map((line) => {
    const [, offset, oid, crc] = /^(\d+) (\w{40}) \((\w{8})\)$/.exec(line) ?? [];
    return { oid, crc32: Number.parseInt(crc ?? '', 16), offset: Number(offset) };
  });
  return { bytes: Buffer.concat([Buffer.alloc(5), bytes, Buffer.alloc(5)]).subarray(5, -5), entries };
}

test('every object in an index of native git is found at its offset, and a cut index is refused', () => {
  const { bytes, entries } = nativeIndex();
  expect(entries.length).toBeGreaterThan(20);
  expect(parsePackIndex(bytes)).toEqual(entries);
  expect(guessPackIndex(bytes)).toEqual(entries);
  const [oidsAt, trailerAt] = [8 + 1024, bytes.length - 40];
  const edges = [0, 7, 8, oidsAt, trailerAt, bytes.length].flatMap((at) => [at - 1, at, at + 1]);
  for (const length of edges.filter((each) => each >= 0 && each < bytes.length)) {
    const cut = bytes.subarray(0, length);
    expect(indexedObjects(cut)).toBe(length < oidsAt ? null : entries.length);
    expect(parsePackIndex(cut)).toBeNull();
    expect(isWholeIndex(cut)).toBe(false);
    expect(guessPackIndex(cut)).toHaveLength(length < trailerAt ? 0 : entries.length);
  }
});

test('an index that is damaged anywhere, or goes on behind its end, is not whole', () => {
  const { bytes, entries } = nativeIndex();
  expect(isWholeIndex(bytes)).toBe(true);
  expect(isWholeIndex(sealed(bytes.subarray(0, -20)))).toBe(true);
  expect(isWholeIndex(sealed(bytes))).toBe(false);
  for (let at = 0; at < bytes.length; at += at < 8 ? 1 : 7) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 4;
    expect(isWholeIndex(damaged), `byte ${at}`).toBe(false);
    // Another signature or version: the rest would mean something else.
    if (at >= 8) continue;
    expect(parsePackIndex(sealed(damaged.subarray(0, -20)))).toBeNull();
    expect(guessPackIndex(damaged)).toEqual(entries);
  }
});

test('an index without objects is valid', () => {
  const empty = encodePackIndex([], Buffer.alloc(20, 7));
  expect(empty).toHaveLength(8 + 1024 + 40);
  expect(isWholeIndex(empty)).toBe(true);
  const unsigned = Buffer.concat([Buffer.alloc(8), empty.subarray(8, -20)]);
  expect(isWholeIndex(sealed(unsigned))).toBe(false);
  expect([parsePackIndex(empty), guessPackIndex(empty), guessPackIndex(new Uint8Array())]).toEqual([
    [],
    [],
    [],
  ]);
});

function sealed(body: Uint8Array): Buffer {
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}
