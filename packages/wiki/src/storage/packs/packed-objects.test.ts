import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { noise } from '../../../../../labs/noise.ts';
import { damageInPack, onlyPack, swapBaseOfFolder } from '../../../test/damaged-packs.ts';
import { longHistory, manyCommits } from '../../../test/fetched-histories.ts';
import { bareRepository, git } from '../../../test/native-git.ts';
import { objectId } from '../../formats/oid.ts';
import { packHeader } from '../../formats/packs/pack.ts';
import { entryHeader, referenceHeader } from '../../formats/packs/pack-entry.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { openPackedEntries } from './packed-entries.ts';

test.each([0, 50])('reads every object of a pack with chains of %d deltas', async (depth) => {
  const { directory } = longHistory();
  git(directory, ['repack', '-adfq', `--depth=${depth}`]);
  const objects = await openObjects(directory);
  const oids = allOids(directory);
  expect(await Promise.all(oids.map(objects.idOf))).toEqual(oids);
  expect(await objects.idOf('f'.repeat(40))).toBeNull();
});

test('reads nothing that is damaged or rests on what is, and everything else', async () => {
  const { directory, tip } = longHistory();
  const oids = allOids(directory);
  const lost = damageInPack(directory, git(directory, ['rev-parse', `${tip}:notes/page-7.md`]));
  expect(lost.size).toBeGreaterThan(5);
  const objects = await openObjects(directory);
  const read = await Promise.all(oids.map(objects.idOf));
  expect(read).toEqual(oids.map((oid) => (lost.has(oid) ? null : oid)));
});

test('reads no folder whose delta names another base, though nothing else is wrong with it', async () => {
  const { directory } = manyCommits(200);
  const folder = swapBaseOfFolder(directory);
  const objects = await openObjects(directory);
  expect(await objects.idOf(folder)).toBeNull();
});

test('reads nothing of a pack that is gone', async () => {
  const { directory, tip } = longHistory();
  const objects = await openObjects(directory);
  rmSync(onlyPack(directory));
  expect(await objects.idOf(tip)).toBeNull();
});

test('leaves an object to other readers whose delta takes more memory than a walk may', async () => {
  const directory = bareRepository();
  const base = Buffer.from('x');
  const content = Buffer.alloc(14_000_000, 'x');
  // One byte of the base for each three of the delta.
  const copies = Buffer.alloc(3 * content.length, Buffer.from([0x91, 0, 1]));
  const delta = Buffer.concat([Buffer.from([1]), sizeOf(content.length), copies]);
  const filling = noise(300_000);
  const baseOid = objectId('blob', base);
  const entries = Buffer.concat([
    ...[packHeader(3), entryHeader('blob', base.length), deflateSync(base)],
    ...[referenceHeader(baseOid, delta.length), deflateSync(delta)],
    ...[entryHeader('blob', filling.length), deflateSync(filling)],
  ]);
  git(
    directory,
    ['index-pack', '--stdin'],
    Buffer.concat([entries, createHash('sha1').update(entries).digest()]),
  );
  const objects = await openObjects(directory);
  expect(await objects.idOf(baseOid)).toBe(baseOid);
  expect(await objects.idOf(objectId('blob', content))).toBeNull();
});

/** A length as a delta declares it. */
function sizeOf(length: number): Uint8Array {
  const bytes: number[] = [];
  let left = length;
  for (; left > 0x7f; left >>>= 7) bytes.push((left & 0x7f) | 0x80);
  return Buffer.from([...bytes, left]);
}

async function openObjects(directory: string) {
  const objects = (await openPackedEntries(nodeFileSystem, dirname(onlyPack(directory)))).objects();
  return {
    /** By the content. */
    idOf: async (oid: string) => {
      const object = await objects.read(oid);
      return object && objectId(object.type, object.content);
    },
  };
}

function allOids(directory: string): string[] {
  return git(directory, ['rev-list', '--all', '--objects', '--no-object-names']).split('\n');
}
