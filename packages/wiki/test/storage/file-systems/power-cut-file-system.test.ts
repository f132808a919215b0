import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { syncDirectory } from '../../../src/storage/files/durable-file.ts';
import type { FileSystem } from '../../../src/storage/files/file-system.ts';
import { nodeFileSystem } from '../../../src/storage/files/node-file-system.ts';
import { temporaryDirectory } from '../../native-git.ts';
import type { Disk, Loss } from './disk.ts';
import { powerCutFileSystem } from './power-cut-file-system.ts';

const ALL_CHANGES = { keepsChange: () => true };
const NO_CHANGES = { keepsChange: () => false };

let root: string;
let fs: FileSystem;
let disk: Disk;

beforeEach(() => {
  root = temporaryDirectory();
  writeFileSync(join(root, 'old'), 'old');
  ({ fs, disk } = powerCutFileSystem(nodeFileSystem, root));
});

function contentAfter(loss: Loss, name: string): string | null {
  const directory = join(temporaryDirectory(), 'after');
  disk.writeAfter(loss, directory);
  const path = join(directory, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

async function write(name: string, sync: boolean): Promise<void> {
  const file = await fs.open(join(root, name), 'w');
  await file.write(Buffer.from('text'));
  if (sync) await file.sync();
  await file.close();
}

test('a synced file in an unsynced directory is either gone or complete', async () => {
  await write('file', true);
  expect(contentAfter({ ...NO_CHANGES, unsyncedBytes: 'lost' }, 'file')).toBe(null);
  expect(contentAfter({ ...ALL_CHANGES, unsyncedBytes: 'lost' }, 'file')).toBe('text');
  await syncDirectory(fs, root);
  expect(contentAfter({ ...NO_CHANGES, unsyncedBytes: 'lost' }, 'file')).toBe('text');
});

test('an unsynced file may be empty, zeros, partial or complete', async () => {
  await write('file', false);
  const contents = (['lost', 'zeroed', 'half', 'kept'] as const).map((unsyncedBytes) =>
    contentAfter({ ...ALL_CHANGES, unsyncedBytes }, 'file'),
  );
  expect(contents).toEqual(['', '\0\0\0\0', 'te', 'text']);
});

test('a rename is undone as a whole, and is safe when one of its directories was synced', async () => {
  await fs.mkdir(join(root, 'folder'));
  await syncDirectory(fs, root);
  await fs.rename(join(root, 'old'), join(root, 'folder/new'));
  const loss = { ...NO_CHANGES, unsyncedBytes: 'lost' } as const;
  expect([contentAfter(loss, 'old'), contentAfter(loss, 'folder/new')]).toEqual(['old', null]);
  await syncDirectory(fs, join(root, 'folder'));
  expect([contentAfter(loss, 'old'), contentAfter(loss, 'folder/new')]).toEqual([null, 'old']);
});

test('of two changes the later may be kept and the earlier lost', async () => {
  await write('file', true);
  await fs.unlink(join(root, 'old'));
  const onlyTheSecond = { keepsChange: (step: number) => step === 2, unsyncedBytes: 'kept' } as const;
  expect(['old', 'file'].map((name) => contentAfter(onlyTheSecond, name))).toEqual([null, null]);
  expect(['old', 'file'].map((name) => contentAfter({ ...NO_CHANGES, unsyncedBytes: 'kept' }, name))).toEqual(
    ['old', null],
  );
});
