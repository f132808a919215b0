import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { git, temporaryDirectory } from '../../../test/native-git.ts';
import {
  type Intercept,
  interceptedFileSystem,
} from '../../../test/storage/file-systems/intercepted-file-system.ts';
import { fileSystemError } from '../../../test/storage/observed-file-system.ts';
import { nativeView, openWriter } from '../../../test/storage/writers.ts';
import type { FileSystem } from '../files/file-system.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';

it('a wiki does not count as lost if a client still remembers that it was not begun', async () => {
  const directory = nativeRepository();
  const frozen = Promise.withResolvers<void>();
  const thawed = Promise.withResolvers<void>();
  const fs = rememberingAbsence(directory, async ({ name, path }, perform) => {
    if (name === 'readdir' && path.endsWith('objects/pack')) {
      frozen.resolve();
      await thawed.promise;
    }
    return perform();
  });
  const slow = await openWriter(directory, { fs, placement: 'shared' });
  const writing = slow.put('Slow.md', 'slow');
  await frozen.promise;
  const quick = await openWriter(directory, { placement: 'shared' });
  await quick.put('Quick.md', 'quick');
  thawed.resolve();
  expect(await writing).toMatchObject({ kind: 'committed' });
  await slow.storage.settle();
  expect(nativeView(directory).pages).toEqual({ 'Old.md': 'old', 'Quick.md': 'quick', 'Slow.md': 'slow' });
});

function nativeRepository(): string {
  const directory = join(temporaryDirectory(), 'wiki.git');
  git('/', ['init', '--quiet', '--bare', '--initial-branch=main', directory]);
  const message = 'data 5\nBegin\n';
  const page = 'M 100644 inline Old.md\ndata 3\nold\n';
  const stream = `commit refs/heads/main\ncommitter A <a@example.org> 1700000000 +0000\n${message}${page}`;
  git(directory, ['fast-import', '--quiet'], Buffer.from(stream));
  return directory;
}

/** As an NFS client, which remembers for half a minute that a name was not there, until its directory is opened. */
function rememberingAbsence(root: string, intercept: Intercept): FileSystem {
  const absent = new Set<string>();
  return interceptedFileSystem(nodeFileSystem, async (call, perform) => {
    for (let path = call.path; path.length > root.length; path = dirname(path)) {
      if (absent.has(path) && !call.changes) throw fileSystemError(2, 'ENOENT');
    }
    const missing = firstMissing(root, call.path);
    if (missing !== null && !call.changes) absent.add(missing);
    const result = await intercept(call, perform);
    const opensDirectory = call.name === 'readdir' || call.name === 'open';
    for (const path of absent) if (opensDirectory && dirname(path) === call.path) absent.delete(path);
    return result;
  });
}

function firstMissing(root: string, path: string): string | null {
  let missing: string | null = null;
  for (let at = path; at.length > root.length && !existsSync(at); at = dirname(at)) missing = at;
  return missing;
}
