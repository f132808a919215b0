import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { damageInPack, onlyPack, swapBaseOfFolder } from '../../../test/damaged-packs.ts';
import { longHistory, manyCommits } from '../../../test/fetched-histories.ts';
import { git } from '../../../test/native-git.ts';
import { objectId } from '../../formats/oid.ts';
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
