import { constants } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { bareRepository } from '../../test/native-git.ts';
import { fileSystemError, observedFileSystem } from '../../test/storage/observed-file-system.ts';
import { changeOf, text } from '../../test/test-repository.ts';
import { nodeFileSystem } from '../storage/files/node-file-system.ts';
import { nodeHost } from '../storage/files/node-host.ts';
import { openStorage } from '../storage/open-storage.ts';
import { mergeForeign } from './merge-foreign.ts';
import { openRepository } from './open-repository.ts';

/** A file system whose writing fails with an errno as soon as `failing` is set. */
function failingFileSystem() {
  const state: { failing: keyof typeof constants.errno | null } = { failing: null };
  const fs = observedFileSystem(nodeFileSystem, ({ name }) => {
    if (state.failing !== null && name === 'write') {
      throw fileSystemError(constants.errno[state.failing], state.failing);
    }
  });
  return { fs, state };
}

test('what keeps the disk from being written is told in the codes of the wiki, and reading goes on', async () => {
  const { fs, state } = failingFileSystem();
  const storage = await openStorage({
    fs,
    host: nodeHost(),
    directory: bareRepository(),
    placement: 'local',
    mergeForeign: (tip, foreign, transaction) => mergeForeign(tip, foreign, transaction, 0),
    cacheBytes: 1_000_000,
  });
  onTestFinished(() => storage.close());
  const describe = async () => ({ clone: null, readOnly: false, problems: [] });
  const repository = openRepository({ name: 'test', storage, readOnly: false, now: Date.now, describe });
  await repository.write(changeOf([text('a.md', 'x')]));
  const before = (await repository.head()).commit;
  const expected = [
    ['ENOSPC', 'backend_unavailable', 'out_of_space'],
    ['EDQUOT', 'backend_unavailable', 'out_of_space'],
    ['EROFS', 'forbidden', 'read_only'],
    ['EACCES', 'forbidden', 'permission_denied'],
    ['EMFILE', 'busy', 'too_many_files'],
    ['EIO', 'backend_unavailable', 'io_error'],
  ] as const;
  for (const [errno, code, reason] of expected) {
    state.failing = errno;
    const write = repository.write(changeOf([text('b.md', errno)]));
    await expect(write, errno).rejects.toMatchObject({ code, data: { reason } });
    state.failing = null;
    expect((await repository.head()).commit).toBe(before);
  }
  expect(await repository.write(changeOf([text('b.md', 'at last')]))).toMatchObject({ kind: 'committed' });
});
