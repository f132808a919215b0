import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorName } from '../../../src/storage/files/file-system.ts';
import { nodeFileSystem } from '../../../src/storage/files/node-file-system.ts';
import { temporaryDirectory } from '../../native-git.ts';
import { FAULTS, type FaultName, faultyFileSystem } from './faulty-file-system.ts';

test.for(Object.keys(FAULTS) as FaultName[])("%s has the same message as Node's own", async (error) => {
  const fs = faultyFileSystem(nodeFileSystem, { error, at: 0, moment: 'before' });
  const thrown = await fs.readdir(temporaryDirectory()).catch((caught: unknown) => caught);
  expect(errorName(thrown)).toBe(error);
});

test('a call that fails is not made, and the next one is', async () => {
  const directory = temporaryDirectory();
  const fs = faultyFileSystem(nodeFileSystem, { error: 'ENOSPC', at: 1, moment: 'before' });
  await fs.mkdir(join(directory, 'first'));
  await expect(fs.mkdir(join(directory, 'second'))).rejects.toThrow('ENOSPC');
  await fs.mkdir(join(directory, 'third'));
  expect(readdirSync(directory)).toEqual(['first', 'third']);
});

test('a call whose reply is lost was made and reports an error', async () => {
  const path = join(temporaryDirectory(), 'name');
  const fs = faultyFileSystem(nodeFileSystem, { error: 'EIO', at: 0, moment: 'after' });
  await expect(fs.symlink('target', path)).rejects.toThrow('EIO');
  expect(await nodeFileSystem.readlink(path)).toBe('target');
});

test('a mount that turned read-only refuses every later change and still reads', async () => {
  const directory = temporaryDirectory();
  const fs = faultyFileSystem(nodeFileSystem, { error: 'EROFS', at: 0, moment: 'lasting' });
  for (const name of ['first', 'second']) {
    await expect(fs.mkdir(join(directory, name))).rejects.toThrow('EROFS');
    await expect(fs.open(join(directory, name), 'w')).rejects.toThrow('EROFS');
  }
  expect(await fs.readdir(directory)).toEqual([]);
  expect(existsSync(join(directory, 'first'))).toBe(false);
});
