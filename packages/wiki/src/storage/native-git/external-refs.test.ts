import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bareRepository, git } from '../../../test/native-git.ts';
import { faultyFileSystem } from '../../../test/storage/file-systems/faulty-file-system.ts';
import { fileSystemError, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { layoutOf } from '../layout.ts';
import { openExternalRefs } from './external-refs.ts';

it('a ref that keeps a commit is synced and removed, and a disk that fails is reported', async () => {
  const directory = bareRepository();
  const commit = git(directory, ['commit-tree', git(directory, ['mktree'], ''), '-m', 'Beside']);
  const layout = layoutOf(directory, 'main');
  const open = (fs = nodeFileSystem) => openExternalRefs(fs, layout, () => join(directory, 'temporary'));
  const refs = open();
  await refs.keep(commit);
  expect([await refs.list(), git(directory, ['for-each-ref', '--format=%(objectname)'])]).toEqual([
    [commit],
    commit,
  ]);
  const unsynced = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name === 'sync' && path === layout.externalRefs) throw fileSystemError(5, 'EIO');
  });
  await expect(open(unsynced).keep(commit)).rejects.toMatchObject({ code: 'io_error' });
  const failing = open(faultyFileSystem(nodeFileSystem, { error: 'EIO', at: 0, moment: 'before' }));
  await expect(failing.leave(commit)).rejects.toMatchObject({ code: 'io_error' });
  expect(await refs.list()).toEqual([commit]);
  for (let time = 0; time < 2; time += 1) await refs.leave(commit);
  expect(await refs.list()).toEqual([]);
});
