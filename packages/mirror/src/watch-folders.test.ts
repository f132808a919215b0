import fs from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../wiki/test/native-git.ts';
import { nodeDisk } from './folder/disk.ts';
import { FolderScan } from './folder/scan-folder.ts';
import { FolderWatches } from './watch-folders.ts';

/** Watches a folder with another one in it. */
async function watchNotes() {
  const root = temporaryDirectory();
  const changed: string[] = [];
  const watches = new FolderWatches({
    ...{ root, watch: fs.watch, isRecursive: false, failed: (reason) => expect.fail(reason) },
    changed: (path) => changed.push(path),
  });
  onTestFinished(() => watches.close());
  fs.mkdirSync(join(root, 'notes'));
  const scan = new FolderScan(nodeDisk, root);
  await scan.walk();
  watches.update(scan.folders);
  return { root, watches, scan, changed };
}

test('a folder that was removed and made again is watched again', async () => {
  const root = temporaryDirectory();
  let changes = 0;
  const watches = new FolderWatches({
    ...{ root, watch: fs.watch, isRecursive: false, failed: (reason) => expect.fail(reason) },
    changed: () => {
      changes += 1;
    },
  });
  onTestFinished(() => watches.close());
  const folder = join(root, 'notes');
  fs.mkdirSync(folder);
  const scan = new FolderScan(nodeDisk, root);
  await scan.walk();
  watches.update(scan.folders);
  fs.rmdirSync(folder);
  fs.mkdirSync(folder);
  await scan.walk();
  watches.update(scan.folders);
  await expect.poll(() => changes).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  changes = 0;
  fs.writeFileSync(join(folder, 'Tea.md'), 'tea\n');
  await expect.poll(() => changes).toBeGreaterThan(0);
});

test('where a watch begins is looked at once more: a save may have come before it', async () => {
  const { watches, scan, changed } = await watchNotes();
  expect(changed).toEqual(['', 'notes']);
  watches.update(scan.folders);
  expect(changed).toEqual(['', 'notes']);
});

test('a hint is the path in the folder, and temporary files give none', async () => {
  const { root, changed } = await watchNotes();
  changed.length = 0;
  for (const name of ['.Tea.md.swp', 'Tea.tmp', '.Tea.md.icloud', 'Tea.md']) {
    fs.writeFileSync(join(root, 'notes', name), '');
  }
  await expect.poll(() => changed.includes('notes/Tea.md')).toBe(true);
  expect(new Set(changed)).toEqual(new Set(['notes/.Tea.md.icloud', 'notes/Tea.md']));
});

test('hints that the system drops, as there are too many of temporary files, make all be looked at', async () => {
  const { root, changed } = await watchNotes();
  changed.length = 0;
  // Linux keeps 16,384, and counts the same one in a row once.
  const names = ['one.tmp', 'other.tmp'].map((name) => join(root, name));
  for (const name of names) fs.writeFileSync(name, '');
  for (let times = 0; times < 9_000; times += 1) for (const name of names) fs.utimesSync(name, times, times);
  fs.writeFileSync(join(root, 'Tea.md'), 'tea\n');
  await expect.poll(() => changed).not.toEqual([]);
});
