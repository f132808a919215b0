import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noise } from '../../../../../labs/noise.ts';
import { bareRepository, git } from '../../../test/native-git.ts';
import { countingFileSystem } from '../../../test/storage/file-systems/counting-file-system.ts';
import { faultyFileSystem } from '../../../test/storage/file-systems/faulty-file-system.ts';
import { nativeWiki } from '../../../test/storage/native-wiki.ts';
import { fileSystemError, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { land, NO_CACHE, openStore } from '../../../test/storage/stores.ts';
import type { FileSystem } from '../files/file-system.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { ObjectStore } from './object-store.ts';

test.each(['packed', 'loose'])(
  'an object that seems gone at any call of a first read is searched again: %s',
  async (kind) => {
    const gitDirectory = nativeWiki(5);
    git(gitDirectory, ['repack', '-a', '-d', '-q']);
    if (kind === 'loose') {
      const loose = git(gitDirectory, ['commit-tree', '-p', 'main', '-m', 'loose', 'main^{tree}']);
      git(gitDirectory, ['update-ref', 'refs/heads/main', loose]);
    }
    const oid = git(gitDirectory, ['rev-parse', 'main']);
    let at = 0;
    for (let more = true; more; at += 1) {
      const faulty = faultyFileSystem(nodeFileSystem, { error: 'ESTALE', moment: 'before', at });
      const { fs, calls } = countingFileSystem(faulty);
      const store = new ObjectStore({ fs, gitDirectory, cacheBytes: 1_000_000 });
      const [read] = await Promise.allSettled([store.read(oid)]);
      // To list a directory is refused as it is: only of a pack can somebody have made another.
      if (calls[at]?.name !== 'readdir') expect(read.status, calls[at]?.path).toBe('fulfilled');
      more = calls.length > at;
      await store.close();
    }
    expect(at).toBeGreaterThan(3);
  },
);

test('a loose object whose file is stale until its directory is opened is read then', async () => {
  const directory = bareRepository();
  const oid = git(directory, ['hash-object', '-w', '--stdin'], 'loose');
  const folder = join(directory, 'objects', oid.slice(0, 2));
  let isStale = true;
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name === 'open' && path === folder) isStale = false;
    if (isStale && name === 'read' && path.startsWith(folder)) throw fileSystemError(116, 'ESTALE');
  });
  const store = openStore(directory, { fs, cacheBytes: NO_CACHE });
  expect(Buffer.from((await store.read(oid)).content).toString()).toBe('loose');
  expect(isStale).toBe(false);
  await store.close();
});

test('an object is found if git packs it between the search of the packs and of the loose objects', async () => {
  const directory = bareRepository();
  const oid = git(directory, ['hash-object', '-w', '--stdin'], 'loose at first');
  const loose = join(directory, 'objects', oid.slice(0, 2), oid.slice(2));
  git(directory, ['tag', 'kept', oid]);
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name === 'open' && path === loose) git(directory, ['gc', '--quiet', '--prune=now']);
  });
  const store = openStore(directory, { fs, cacheBytes: NO_CACHE });
  expect(Buffer.from((await store.read(oid)).content).toString()).toBe('loose at first');
});

test('a pack is read to its end even if the NFS client remembers its size during the write', async () => {
  const directory = bareRepository();
  const texts = Array.from({ length: 4 }, () => noise(250_000).toString('hex'));
  const pack = await land(directory, 'a'.repeat(40), texts);
  const fs: FileSystem = {
    ...nodeFileSystem,
    lstat: async (path) => ({ ...(await nodeFileSystem.lstat(path)), size: 300_000 }),
  };
  const store = openStore(directory, { fs, cacheBytes: NO_CACHE });
  const read = await Promise.all(pack.oids.map(async (oid) => (await store.read(oid)).content));
  expect(read.map((content) => Buffer.from(content).toString()).sort()).toEqual(texts.sort());
});
