import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/native-git.ts';
import {
  type FileSystemCall,
  fileSystemError,
  observedFileSystem,
} from '../../../test/storage/observed-file-system.ts';
import { encodePack } from '../../formats/packs/pack.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { completePack, landPack } from './land-pack.ts';

const NAME = 'a'.repeat(40);
const PACK = encodePack([{ type: 'blob', content: Buffer.from('a page\n') }]);

test('a pack is seen only after it and its index, and the names before them, are on the disk', async () => {
  for (const syncNames of [true, false]) {
    const { directory, calls, fs } = watched();
    await landPack(fs, directory, NAME, PACK, { syncNames });
    const shown = calls.map(({ name, path }) => `${name} ${path.slice(directory.length + 1)}`);
    const renamed = shown.findIndex((call) => call.startsWith('rename '));
    const synced = [`sync pack-${NAME}.pack`, `sync pack-${NAME}.idx.tmp`, ...(syncNames ? ['sync '] : [])];
    expect(shown.filter((call) => call.startsWith('sync')).sort()).toEqual(synced.sort());
    for (const call of synced) expect(shown.indexOf(call)).toBeLessThan(renamed);
    for (const file of ['pack', 'idx.tmp'])
      expect(shown.indexOf(`write pack-${NAME}.${file}`)).toBeLessThan(
        shown.indexOf(`sync pack-${NAME}.${file}`),
      );
    expect(readdirSync(directory).sort()).toEqual([`pack-${NAME}.idx`, `pack-${NAME}.pack`]);
    expect(readFileSync(join(directory, `pack-${NAME}.pack`)).equals(PACK.packBytes)).toBe(true);
    expect(readFileSync(join(directory, `pack-${NAME}.idx`)).equals(PACK.indexBytes)).toBe(true);
  }
});

test('whatever call fails, the write fails, no file is left over and none stays open', async () => {
  const { directory, calls, fs } = watched();
  await landPack(fs, directory, NAME, PACK, { syncNames: true });
  expect(calls.length).toBeGreaterThan(9);
  for (const [at, { name, path }] of calls.entries()) {
    const failing = watched(at);
    const landed = landPack(failing.fs, failing.directory, NAME, PACK, { syncNames: true });
    const call = `${name} ${path.slice(directory.length)}`;
    await expect(landed, call).rejects.toMatchObject({
      name: 'StorageError',
      message: expect.stringMatching(/^(Writing a pack|Syncing a directory)/),
    });
    const opened = failing.made('open').length;
    expect(failing.made('close').length, call).toBe(opened - (name === 'open' ? 1 : 0));
    // After a failed close the index may have its name, which leads nowhere without its pack.
    expect(
      readdirSync(failing.directory).filter((file) => !/\.idx$/.test(file)),
      call,
    ).toEqual([]);
  }
});

test('a pack that a power cut hid is seen again, and where nothing is hidden nothing fails', async () => {
  const { directory, fs } = watched();
  await landPack(fs, directory, NAME, PACK);
  const index = join(directory, `pack-${NAME}.idx`);
  await completePack(fs, directory, NAME);
  renameSync(index, `${index}.tmp`);
  await completePack(fs, directory, NAME);
  expect(readFileSync(index).equals(PACK.indexBytes)).toBe(true);
  for (const [errno, code, isFine] of [
    [2, 'ENOENT', true],
    [30, 'EROFS', true],
    [13, 'EACCES', true],
    [1, 'EPERM', true],
    [5, 'EIO', false],
    [28, 'ENOSPC', false],
  ] as const) {
    const failing = observedFileSystem(nodeFileSystem, ({ name }) => {
      if (name === 'rename') throw fileSystemError(errno, code);
    });
    const completed = completePack(failing, directory, NAME);
    if (isFine) await completed;
    else await expect(completed).rejects.toThrow(/^Moving a pack index into place failed/);
  }
});

/** A directory and the calls made in it; the one at `failsAt` fails. */
function watched(failsAt = -1) {
  const directory = temporaryDirectory();
  const calls: FileSystemCall[] = [];
  const fs = observedFileSystem(nodeFileSystem, (call) => {
    calls.push(call);
    if (calls.length - 1 === failsAt) throw fileSystemError(5, 'EIO');
  });
  return { directory, calls, fs, made: (name: string) => calls.filter((call) => call.name === name) };
}
