import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobOid } from '@pagetree/wiki/content-hash';
import { expect, onTestFinished, test } from 'vitest';
import { nodeDisk } from './disk.ts';
import { FolderWriter } from './folder-writer.ts';
import { KeptLinks } from './kept-links.ts';

function writerIn() {
  const directory = fs.mkdtempSync(join(tmpdir(), 'pagetree-test-'));
  onTestFinished(() => fs.rmSync(directory, { recursive: true }));
  const [root, outside, own] = ['root', 'outside', 'own'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [root, outside]) fs.mkdirSync(folder);
  const kept = new KeptLinks(nodeDisk, join(own, 'replaced'));
  return { root, outside, writer: new FolderWriter(nodeDisk, root, join(own, 'new'), kept, () => 0) };
}

test('a link that came since the folder was listed leads nothing out of it', async () => {
  const { root, outside, writer } = writerIn();
  fs.writeFileSync(join(outside, 'Old.md'), 'old');
  fs.symlinkSync(outside, join(root, 'out'));
  fs.symlinkSync(join(outside, 'Old.md'), join(root, 'Link.md'));
  const old = { version: blobOid(Buffer.from('old')) };
  const prepare = () => writer.prepare(Buffer.from('new'));
  expect(writer.place('out/New.md', await prepare(), null).kind).toBe('impossible');
  expect(writer.place('out/Old.md', await prepare(), { ...old, path: 'out/Old.md' }).kind).toBe('impossible');
  expect(writer.remove('out/Old.md', { ...old, path: 'out/Old.md' }).kind).toBe('impossible');
  expect(writer.place('Link.md', await prepare(), { ...old, path: 'Link.md' }).kind).toBe('changed');
  expect(writer.place('Link.md', await prepare(), null).kind).toBe('impossible');
  expect(fs.readdirSync(outside)).toEqual(['Old.md']);
  expect(fs.readFileSync(join(outside, 'Old.md'), 'utf8')).toBe('old');
});

test('a file that is not the expected version stays', async () => {
  const { root, writer } = writerIn();
  fs.writeFileSync(join(root, 'Tea.md'), 'mine');
  const expected = { path: 'Tea.md', version: blobOid(Buffer.from('old')) };
  const prepared = await writer.prepare(Buffer.from('new'));
  expect(writer.place('Tea.md', prepared, expected).kind).toBe('changed');
  expect(writer.remove('Tea.md', expected).kind).toBe('changed');
  expect(fs.readFileSync(join(root, 'Tea.md'), 'utf8')).toBe('mine');
});
