import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/native-git.ts';
import { faultyFileSystem } from '../../../test/storage/file-systems/faulty-file-system.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { OidList } from './oid-list.ts';
import { NOT_SOUND, PACKED_OBJECTS, SOUND } from './run.ts';
import { countOf, encodeRun, type KeptRun, readRun } from './run-file.ts';

const oid = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));
const runs: fc.Arbitrary<KeptRun> = fc
  .record({
    began: fc.nat(),
    place: fc.nat(),
    slots: fc.dictionary(fc.string(), fc.record({ value: fc.jsonValue() }), { noNullPrototype: true }),
    lists: fc.dictionary(
      fc.string().map((name) => `list ${name}`),
      fc.array(oid),
      { noNullPrototype: true },
    ),
  })
  .map(({ began, place, slots, lists }) => {
    const named = Object.entries(lists).map(([name, oids]) => [name, listOf(oids)]);
    return { began, place, memory: { slots, lists: Object.fromEntries(named) } };
  });

it('a run comes back with everything that it found', async () => {
  const path = join(temporaryDirectory(), 'check');
  await fc.assert(
    fc.asyncProperty(runs, async (kept) => {
      writeFileSync(path, encodeRun(kept));
      expect(factsOf(await readRun(nodeFileSystem, path))).toEqual(factsOf(kept));
    }),
  );
});

it('a kept run is thrown away if any of its bytes changed or is missing', async () => {
  const path = join(temporaryDirectory(), 'check');
  const slots = { problems: { value: ['a page is missing'] } };
  const lists = { [SOUND]: listOf(['12'.repeat(20), '34'.repeat(20)]), empty: listOf([]) };
  const whole = Buffer.from(encodeRun({ began: 5, place: 7, memory: { slots, lists } }));
  const read = (bytes: Uint8Array) => {
    writeFileSync(path, bytes);
    return readRun(nodeFileSystem, path);
  };
  expect(await read(whole)).not.toBeNull();
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect([at, await read(changed), await read(whole.subarray(0, at))]).toEqual([at, null, null]);
  }
});

it('a run that another format kept is thrown away, and a disk that fails is reported', async () => {
  const path = join(temporaryDirectory(), 'check');
  expect(await readRun(nodeFileSystem, path)).toBeNull();
  const whole = encodeRun({ began: 5, place: 7, memory: { slots: {}, lists: {} } });
  const content = Buffer.from(whole.subarray(0, -20)).toString();
  for (const format of ['2', '1', '3']) {
    const other = Buffer.from(content.replace('"format":2', `"format":${format}`));
    writeFileSync(path, Buffer.concat([other, createHash('sha1').update(other).digest()]));
    expect((await readRun(nodeFileSystem, path)) === null).toBe(format !== '2');
  }
  const failing = faultyFileSystem(nodeFileSystem, { error: 'EIO', at: 1, moment: 'before' });
  await expect(readRun(failing, path)).rejects.toThrow('EIO');
});

it('a run counts the objects that it read, and never more than there are', () => {
  const countWith = (slots: KeptRun['memory']['slots'], sound: number, unsound: number) => {
    const lists = { [SOUND]: listOf(numbered(sound)), [NOT_SOUND]: listOf(numbered(unsound)) };
    return countOf({ began: 1, place: 2, memory: { slots, lists } });
  };
  const packed = (value: unknown) => ({ [PACKED_OBJECTS]: { value } });
  expect(countOf({ began: 1, place: 2, memory: { slots: {}, lists: {} } })).toEqual({ read: 0, total: 0 });
  expect(countWith(packed(90), 30, 4)).toEqual({ read: 34, total: 90 });
  expect(countWith(packed(20), 30, 4)).toEqual({ read: 34, total: 34 });
  expect(countWith(packed(null), 30, 4)).toEqual({ read: 34, total: 0 });
});

function listOf(oids: readonly string[]): OidList {
  const list = new OidList();
  for (const each of oids) list.add(each);
  return list;
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${at}`.padStart(40, '0'));
}

function factsOf(kept: KeptRun | null) {
  if (kept === null) return null;
  const lists = Object.entries(kept.memory.lists).map(([name, list]) => [name, [...list]]);
  // JSON knows no negative zero.
  const slots: unknown = JSON.parse(JSON.stringify(kept.memory.slots));
  return { began: kept.began, place: kept.place, slots, lists: Object.fromEntries(lists) };
}
