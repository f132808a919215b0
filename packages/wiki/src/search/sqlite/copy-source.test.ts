import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as sqlite from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/native-git.ts';
import { copySource } from './copy-source.ts';
import { openSnapshots, type Snapshots } from './snapshots.ts';

const DEFECT = new TypeError('snapshots is not a function');
const noRoom = () => Promise.reject(Object.assign(new Error('full'), { errno: -28, code: 'ENOSPC' }));
const nothing = async () => undefined;
const never = async () => false;
const defect = () => Promise.reject(DEFECT);

test('a snapshot that cannot be read is skipped, but a defect in our code is reported', async () => {
  const full = openSource({ list: noRoom });
  await (await full.begin(0, never)).close();
  await expect(openSource({ list: defect }).begin(0, never)).rejects.toBe(DEFECT);
});

test('an index without a directory is made in memory, and a defect is reported', async () => {
  const file = join(temporaryDirectory(), 'file');
  await writeFile(file, '');
  const copy = await openSource({}, { directory: join(file, 'below') }).begin(1, never);
  await copy.close();
  const randomName = () => {
    throw DEFECT;
  };
  await expect(openSource({}, { randomName }).begin(1, never)).rejects.toBe(DEFECT);
});

test('a snapshot that cannot be written is skipped, and a defect is reported', async () => {
  const many = { list: async () => [], save: noRoom };
  const full = openSource(many);
  const copy = await full.begin(1, never);
  fill(copy.database.sqlite);
  await full.advanced(copy);
  await expect(openSource({ ...many, save: defect }).advanced(copy)).rejects.toBe(DEFECT);
  await copy.close();
});

test('a damaged snapshot is ignored, and a defect while it is read is reported', async () => {
  const directory = temporaryDirectory();
  const snapshot = { name: 'damaged', commit: 'a'.repeat(40), position: 1, checksum: '' };
  await writeFile(join(directory, snapshot.name), 'not what zstd writes');
  const snapshots = openSnapshots({ directory, randomName: String, now: Date.now });
  expect(await snapshots.load(snapshot, join(directory, 'to'))).toBe(false);
  expect(await snapshots.load({ ...snapshot, name: 'gone' }, join(directory, 'to'))).toBe(false);
  await expect(snapshots.load({ ...snapshot, name: '\0' }, join(directory, 'to'))).rejects.toThrow(TypeError);
});

function openSource(
  snapshots: Partial<Snapshots>,
  options: { directory?: string; randomName?: () => string } = {},
) {
  const names = [1, 2, 3, 4, 5, 6].values();
  return copySource({
    directory: temporaryDirectory(),
    sqlite,
    snapshots: {
      list: async () => [],
      load: async () => false,
      save: nothing,
      removeUnfinished: nothing,
      ...snapshots,
    },
    readOnly: false,
    randomName: () => `copy-${names.next().value}`,
    now: Date.now,
    took: () => {},
    ...options,
  });
}

/** An index of so many commits that a snapshot is due. */
function fill(database: sqlite.DatabaseSync): void {
  const commit = 'a'.repeat(40);
  database.exec(`
    INSERT INTO state VALUES ('commit', '${commit}');
    INSERT INTO commits VALUES (100, x'${commit}', x'', 1, 1, 0, 0, '', NULL, 0, 0, NULL);`);
}
