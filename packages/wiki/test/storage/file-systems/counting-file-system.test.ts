import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeNewFile } from '../../../src/storage/files/durable-file.ts';
import { nodeFileSystem } from '../../../src/storage/files/node-file-system.ts';
import { temporaryDirectory } from '../../native-git.ts';
import { countingFileSystem } from './counting-file-system.ts';

test('every call is counted once with its path, even those of an open file', async () => {
  const directory = temporaryDirectory();
  const { fs, calls } = countingFileSystem(nodeFileSystem);
  await writeNewFile(fs, join(directory, 'file'), Buffer.from('text'));
  await fs.rename(join(directory, 'file'), join(directory, 'name'));
  await fs.readdir(directory);
  expect(calls.map(({ name, path, changes }) => [name, path.slice(directory.length), changes])).toEqual([
    ['open', '/file', true],
    ['write', '/file', true],
    ['sync', '/file', true],
    ['close', '/file', false],
    ['rename', '/name', true],
    ['readdir', '', false],
  ]);
});
