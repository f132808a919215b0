import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from '../../../wiki/test/native-git.ts';
import { alreadyThere, everyLocalFile, openLocalFiles, orNotFound } from './local-files.ts';

let directory: string;

beforeEach(() => {
  directory = realpathSync(temporaryDirectory());
});

test('a relative path is below the first allowed folder, and for a person below where they are', () => {
  const files = openLocalFiles([directory, '/other']);
  expect(files.absolute('a/../b.md')).toBe(join(directory, 'b.md'));
  expect(files.absolute('/elsewhere/../c.md')).toBe('/c.md');
  expect(everyLocalFile().absolute('b.md')).toBe(resolve('b.md'));
  expect(openLocalFiles([]).absolute('b.md')).toBe(resolve('b.md'));
});

test('a path with a character that no path has leads to nothing', () => {
  expect(() => openLocalFiles([directory]).absolute('a\0b')).toThrow(
    'not_found: There is nothing at "a\\u0000b" on this machine. Nothing was read or written. Check the path.',
  );
});

test('a new file needs a folder that is there, within the allowed ones', async () => {
  const files = openLocalFiles([directory]);
  mkdirSync(join(directory, 'folder'));
  expect(await files.toWrite('folder/new.md')).toBe(join(directory, 'folder', 'new.md'));
  expect(await files.toWrite('new')).toBe(join(directory, 'new'));
  await expect(files.toWrite('missing/new.md')).rejects.toMatchObject({
    code: 'not_found',
    text: { happened: 'There is nothing at "missing" on this machine.' },
    data: { local_path: 'missing' },
  });
  await expect(files.toWrite('../new.md')).rejects.toMatchObject({ code: 'forbidden' });
});

test('a name that other programs would run is refused, where the files are limited to folders', async () => {
  mkdirSync(join(directory, '.git'));
  const files = openLocalFiles([directory]);
  await expect(files.toWrite('.git/config')).rejects.toThrow(
    'forbidden: ".git/config" is in a folder, or has a name, that begins with a dot or that some system takes for one that does. Nothing was written: such names hold the settings of git and other programs. Name a place without such a part.',
  );
  await expect(files.toWrite(`.${'x'.repeat(400)}`)).rejects.toMatchObject({
    text: { happened: expect.stringMatching(/^"\.x{299}" is in a folder/) },
    data: { local_path: `.${'x'.repeat(400)}` },
  });
  const place = join(directory, '.git', 'config');
  expect(await everyLocalFile().toWrite(place)).toBe(place);
  // A folder that is allowed may itself be hidden.
  const inside = openLocalFiles([join(directory, '.git')]);
  expect(await inside.toWrite('new.md')).toBe(join(directory, '.git', 'new.md'));
});

test('what is missing is said in plain words, and every other failure as it is', async () => {
  writeFileSync(join(directory, 'file'), '');
  const long = 'x'.repeat(400);
  const missing = Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
  await expect(orNotFound(long, Promise.reject(missing))).rejects.toMatchObject({
    code: 'not_found',
    text: { happened: `There is nothing at "${'x'.repeat(300)}" on this machine.` },
  });
  const failure = Object.assign(new Error('EIO'), { code: 'EIO' });
  await expect(orNotFound('a', Promise.reject(failure))).rejects.toBe(failure);
  expect(await orNotFound('a', Promise.resolve('there'))).toBe('there');
});

test('a place that is taken is named, and nothing there was replaced', () => {
  expect(alreadyThere('/a.md')).toMatchObject({
    message:
      'already_exists: There is something at "/a.md" on this machine already. Nothing was replaced. Name a place where nothing is.',
    data: { local_path: '/a.md' },
  });
});
