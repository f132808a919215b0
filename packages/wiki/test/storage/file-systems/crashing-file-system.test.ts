import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceFile } from '../../../src/storage/files/durable-file.ts';
import { nodeFileSystem } from '../../../src/storage/files/node-file-system.ts';
import { temporaryDirectory } from '../../native-git.ts';
import { type CrashPoint, crashingFileSystem } from './crashing-file-system.ts';

/** The directory after a process died while it replaced a file: open, write, sync, close, rename. */
async function afterCrash(point: CrashPoint): Promise<Record<string, string>> {
  const directory = temporaryDirectory();
  const { fs, crashed, release } = crashingFileSystem(nodeFileSystem, point);
  const replaced = replaceFile(fs, join(directory, 'file'), join(directory, 'new'), Buffer.from('text'));
  const first = await Promise.race([crashed.then(() => 'crashed'), replaced.then(() => 'replaced')]);
  await release();
  expect(first).toBe('crashed');
  return Object.fromEntries(
    readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'utf8')]),
  );
}

test('a process that dies before a call has made all calls before it and none after', async () => {
  expect(await afterCrash({ at: 0, moment: 'before' })).toEqual({});
  expect(await afterCrash({ at: 1, moment: 'before' })).toEqual({ new: '' });
  expect(await afterCrash({ at: 4, moment: 'before' })).toEqual({ new: 'text' });
});

test('a process can die in the middle of a write, or after a call whose result it never sees', async () => {
  expect(await afterCrash({ at: 1, moment: 'torn' })).toEqual({ new: 'te' });
  expect(await afterCrash({ at: 1, moment: 'after' })).toEqual({ new: 'text' });
  expect(await afterCrash({ at: 4, moment: 'after' })).toEqual({ file: 'text' });
});

test('a dying process ends only after its running calls have ended', async () => {
  const slow = Promise.withResolvers<void>();
  const fs = { ...nodeFileSystem, mkdir: () => slow.promise };
  const crashing = crashingFileSystem(fs, { at: 1, moment: 'before' });
  void crashing.fs.mkdir('slow');
  void crashing.fs.unlink('never');
  const early = await Promise.race([crashing.crashed.then(() => 'dead'), Promise.resolve('dying')]);
  slow.resolve();
  await crashing.crashed;
  expect(early).toBe('dying');
});
