import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareRepository, git } from '../../../test/native-git.ts';
import { land } from '../../../test/storage/stores.ts';
import { encodeMultiPackIndex, HEADER_BYTES, parseHeader, type SourceIndex } from './multi-pack-index.ts';

test('it is byte for byte the one that native git writes, for any number of packs', async () => {
  const directory = bareRepository();
  mkdirSync(join(directory, 'objects/pack'), { recursive: true });
  for (const [at, name] of ['c', 'a', 'f'].entries()) {
    const texts = Array.from({ length: 1 + 40 * at }, (_, number) => `The text ${number} of ${name}`);
    await land(directory, name.repeat(40), texts);
    let pauses = 0;
    const bytes = await encodeMultiPackIndex(indexesOf(directory), () => {
      pauses += 1;
      return undefined;
    });
    expect(pauses).toBe(256);
    expect(Buffer.from(bytes).equals(writtenByGit(directory)), `${at + 1} packs`).toBe(true);
  }
});

test('an object in several packs is found in the first of them, and each object once', async () => {
  const directory = bareRepository();
  mkdirSync(join(directory, 'objects/pack'), { recursive: true });
  const shared = Array.from({ length: 300 }, (_, at) => `shared ${at}`);
  await land(directory, 'b'.repeat(40), ['only in b', ...shared]);
  await land(directory, 'a'.repeat(40), [...shared, 'only in a']);
  await land(directory, 'c'.repeat(40), shared.slice(100));
  const all = indexesOf(directory);
  for (const order of ['bac', 'cab']) {
    const indexes = [...order].flatMap((letter) =>
      all.filter(({ pack }) => pack.startsWith(`pack-${letter}`)),
    );
    const bytes = Buffer.from(await encodeMultiPackIndex(indexes, () => undefined));
    expect(shownEntries(bytes)).toEqual(expectedEntries(directory, indexes));
  }
});

test('a multi-pack index that is cut, or has a damaged header, is refused', async () => {
  const directory = bareRepository();
  mkdirSync(join(directory, 'objects/pack'), { recursive: true });
  await land(directory, 'a'.repeat(40), ['one', 'two']);
  const native = writtenByGit(directory);
  const inside = Buffer.concat([Buffer.alloc(3), native]).subarray(3);
  expect(HEADER_BYTES).toBeGreaterThanOrEqual(12 + 12 * 5);
  const header = parseHeader(inside.subarray(0, HEADER_BYTES));
  // PNAM holds one name of 49 bytes with its end, padded to 52.
  const positions = { PNAM: 72, OIDF: 124, OIDL: 124 + 1024, OOFF: 124 + 1024 + 40, end: 124 + 1024 + 56 };
  expect(header).toEqual({
    PNAM: { from: positions.PNAM, to: positions.OIDF },
    OIDF: { from: positions.OIDF, to: positions.OIDL },
    OIDL: { from: positions.OIDL, to: positions.OOFF },
    OOFF: { from: positions.OOFF, to: positions.end },
  });
  for (let length = 0; length < 72; length += 1) expect(parseHeader(inside.subarray(0, length))).toBeNull();
  expect(parseHeader(inside.subarray(0, 72))).toEqual(header);
  for (const at of [0, 1, 2, 3, 4, 5]) {
    const damaged = Buffer.from(native);
    damaged[at] = (damaged[at] ?? 0) ^ 2;
    expect(parseHeader(damaged)).toBeNull();
  }
  const none = Buffer.concat([native.subarray(0, 6), Buffer.from([0]), native.subarray(7)]);
  expect([parseHeader(none), parseHeader(none.subarray(0, 24)), parseHeader(none.subarray(0, 23))]).toEqual([
    {},
    {},
    null,
  ]);
});

function indexesOf(directory: string): SourceIndex[] {
  const packs = join(directory, 'objects/pack');
  return readdirSync(packs)
    .filter((file) => file.endsWith('.idx'))
    .map((file) => ({ pack: file.slice(0, -4), bytes: readFileSync(join(packs, file)) }));
}

function writtenByGit(directory: string): Buffer {
  const path = join(directory, 'objects/pack/multi-pack-index');
  git(directory, ['multi-pack-index', 'write']);
  const bytes = readFileSync(path);
  rmSync(path);
  return bytes;
}

/** The oids in their order, each with its pack and offset, read as gitformat-pack(5) describes it. */
function shownEntries(bytes: Buffer): string[] {
  const chunk = (id: string) => {
    const at = bytes.indexOf(id, 12, 'latin1');
    return [Number(bytes.readBigUInt64BE(at + 4)), Number(bytes.readBigUInt64BE(at + 16))] as const;
  };
  const [namesAt, namesEnd] = chunk('PNAM');
  const [oidsAt, oidsEnd] = chunk('OIDL');
  const [offsetsAt, offsetsEnd] = chunk('OOFF');
  expect(offsetsEnd - offsetsAt).toBe(((oidsEnd - oidsAt) / 20) * 8);
  expect(bytes.length).toBe(offsetsEnd + 20);
  const names = bytes.toString('latin1', namesAt, namesEnd).split('\0').filter(Boolean);
  expect(bytes.readUInt32BE(8)).toBe(names.length);
  expect(names).toEqual(names.toSorted());
  return Array.from({ length: (oidsEnd - oidsAt) / 20 }, (_, at) => {
    const place = offsetsAt + at * 8;
    const oid = bytes.toString('hex', oidsAt + at * 20, oidsAt + (at + 1) * 20);
    return `${oid} ${names[bytes.readUInt32BE(place)]} ${bytes.readUInt32BE(place + 4)}`;
  });
}

function expectedEntries(directory: string, indexes: readonly SourceIndex[]): string[] {
  const found = new Map<string, string>();
  for (const { pack, bytes } of indexes) {
    for (const line of git(directory, ['show-index'], bytes).split('\n').filter(Boolean)) {
      const [offset, oid = ''] = line.split(' ');
      if (!found.has(oid)) found.set(oid, `${oid} ${pack}.idx ${offset}`);
    }
  }
  return [...found.values()].sort();
}
