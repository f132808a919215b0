import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { saveFile, saveFolder } from './save-local-files.ts';

const EMPTY_ZIP = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagetree-save-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

it('a file is saved as it is, and nothing beside it', async () => {
  await saveFile(join(folder, 'new.bin'), Buffer.from('bytes'));
  expect(readdirSync(folder)).toEqual(['new.bin']);
  expect(readFileSync(join(folder, 'new.bin'), 'utf8')).toBe('bytes');
});

it.each(['file', 'folder'])('a %s that came meanwhile is left as it is', async (kind) => {
  const place = join(folder, 'taken');
  if (kind === 'file') writeFileSync(place, 'mine');
  else mkdirSync(join(place, 'mine'), { recursive: true });
  const refused = { code: 'already_exists' };
  await expect(saveFile(place, Buffer.from('bytes'))).rejects.toMatchObject(refused);
  await expect(saveFolder(place, EMPTY_ZIP)).rejects.toMatchObject(refused);
  expect(readdirSync(folder)).toEqual(['taken']);
  expect(kind === 'file' ? readFileSync(place, 'utf8') : readdirSync(place).join()).toBe('mine');
});

it('where there is no such folder, it is said that the place cannot be written', async () => {
  await expect(saveFile(join(folder, 'missing', 'new.bin'), Buffer.from('bytes'))).rejects.toMatchObject({
    code: 'backend_unavailable',
  });
});
