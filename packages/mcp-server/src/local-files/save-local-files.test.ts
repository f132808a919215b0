import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { zipOfNames } from '../../../wiki/test/operations/archives.ts';
import { saveFile, saveFolder } from './save-local-files.ts';

const EMPTY_ZIP = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagetree-save-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

it('a file is saved unchanged, with no other file beside it', async () => {
  await saveFile(join(folder, 'new.bin'), Buffer.from('bytes'));
  expect(readdirSync(folder)).toEqual(['new.bin']);
  expect(readFileSync(join(folder, 'new.bin'), 'utf8')).toBe('bytes');
});

it.each([0o000, 0o022])('a saved file is not readable by other users (umask %o)', async (mask) => {
  const before = process.umask(mask);
  onTestFinished(() => {
    process.umask(before);
  });
  await saveFile(join(folder, 'new.bin'), Buffer.from('bytes'));
  await saveFolder(join(folder, 'new'), EMPTY_ZIP);
  expect(statSync(join(folder, 'new.bin')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700);
});

it.each(['file', 'folder'])('a %s that appeared meanwhile is left as it is', async (kind) => {
  const place = join(folder, 'taken');
  if (kind === 'file') writeFileSync(place, 'mine');
  else mkdirSync(join(place, 'mine'), { recursive: true });
  const refused = { code: 'already_exists' };
  await expect(saveFile(place, Buffer.from('bytes'))).rejects.toMatchObject(refused);
  await expect(saveFolder(place, EMPTY_ZIP)).rejects.toMatchObject(refused);
  expect(readdirSync(folder)).toEqual(['taken']);
  expect(kind === 'file' ? readFileSync(place, 'utf8') : readdirSync(place).join()).toBe('mine');
});

it('a missing folder is reported as a place that cannot be written', async () => {
  await expect(saveFile(join(folder, 'missing', 'new.bin'), Buffer.from('bytes'))).rejects.toMatchObject({
    code: 'backend_unavailable',
  });
});

it.each([
  ...['../evil.md', 'a/../../evil.md', 'a/../../new-beside/evil.md', '.git/config', 'a/.envrc', '/evil.md'],
  // Windows reads these as folders and drives.
  ...['a\\..\\..\\evil.md', '..\\evil.md', '\\evil.md', 'C:\\evil.md'],
])('a zip that contains %j is not saved at all', async (name) => {
  const zip = zipOfNames(['Fine.md', name]);
  await expect(saveFolder(join(folder, 'new'), zip)).rejects.toMatchObject({ code: 'invalid_path' });
  expect(readdirSync(folder, { recursive: true })).toEqual([]);
});
