import fs from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../wiki/test/native-git.ts';
import { nodeDisk } from './folder/disk.ts';
import { FolderScan } from './folder/scan-folder.ts';
import { FolderWatches } from './watch-folders.ts';

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
  await expect.poll(() => changes, { timeout: 60_000 }).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  changes = 0;
  fs.writeFileSync(join(folder, 'Tea.md'), 'tea\n');
  await expect.poll(() => changes, { timeout: 60_000 }).toBeGreaterThan(0);
});
