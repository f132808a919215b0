import { readdirSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareRepository } from '../../test/native-git.ts';
import {
  type FileSystemCall,
  interceptedFileSystem,
} from '../../test/storage/file-systems/intercepted-file-system.ts';
import { fileSystemError } from '../../test/storage/observed-file-system.ts';
import { changeOf, openTestRepository, text } from '../../test/test-repository.ts';
import { nodeFileSystem } from '../storage/files/node-file-system.ts';

type Errno = keyof typeof constants.errno;

/**
 * A file system that fails with an errno as soon as `failing` is set, at the calls where a kernel gives that errno: a
 * full or broken disk at a write, all others at the making of a file, also at the rename of a file that was made ahead.
 */
function failingFileSystem() {
  const state: { failing: Errno | null; failed: Set<string> } = { failing: null, failed: new Set() };
  const fs = interceptedFileSystem(nodeFileSystem, async (call, perform) => {
    const errno = state.failing && errnoOf(state.failing, call);
    if (errno === null) return perform();
    state.failed.add(call.name);
    throw fileSystemError(constants.errno[errno], errno);
  });
  return { fs, state };
}

function errnoOf(failing: Errno, { name, changes }: FileSystemCall): Errno | null {
  if (['ENOSPC', 'EDQUOT', 'EIO'].includes(failing)) return name === 'write' ? failing : null;
  // A name needs no open file: there the file that was made ahead was swept away.
  if (name === 'rename') return failing === 'EMFILE' ? 'ENOENT' : failing;
  return name === 'open' && changes ? failing : null;
}

test.each([
  ['ENOSPC', 'backend_unavailable', 'out_of_space', ['write']],
  ['EDQUOT', 'backend_unavailable', 'out_of_space', ['write']],
  ['EROFS', 'forbidden', 'read_only', ['rename', 'open']],
  ['EACCES', 'forbidden', 'permission_denied', ['rename', 'open']],
  ['EMFILE', 'busy', 'too_many_files', ['rename', 'open']],
  ['EIO', 'backend_unavailable', 'io_error', ['write']],
] as const)('%s, which makes writes fail, is reported as %s, and reads go on', async (...row) => {
  const [errno, code, reason, calls] = row;
  const { fs, state } = failingFileSystem();
  const directory = bareRepository();
  const repository = await openTestRepository(directory, Date.now, { fs });
  await repository.write(changeOf([text('a.md', 'x')]));
  const before = (await repository.head()).commit;
  const temporary = join(directory, 'pagetree', 'temporary');
  const emptyFiles = () =>
    readdirSync(temporary).filter((name) => statSync(join(temporary, name)).size === 0);
  // Made ahead for the next write: for a pack, its index and the ref.
  await expect.poll(emptyFiles, { interval: 5 }).toHaveLength(3);

  state.failing = errno;
  const write = repository.write(changeOf([text('b.md', errno)]));
  await expect(write).rejects.toMatchObject({ code, data: { reason } });
  state.failing = null;

  expect([...state.failed]).toEqual(calls);
  expect((await repository.head()).commit).toBe(before);
  expect(await repository.write(changeOf([text('b.md', 'at last')]))).toMatchObject({ kind: 'committed' });
});
