import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/native-git.ts';
import {
  type FileSystemCall,
  fileSystemError,
  observedFileSystem,
} from '../../../test/storage/observed-file-system.ts';
import { nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';

it.each([
  ['packs', ({ name, path }: FileSystemCall) => name === 'read' && path.endsWith('.pack')],
  ['the branch', ({ name, path }: FileSystemCall) => name === 'open' && path.endsWith('refs/heads/main')],
])('a repair gives no page up that a failing disk only hid for a moment: %s', async (_, matches) => {
  const damaged = await damagedWiki();
  const whole = await inCopy(damaged, matches, 0);
  expect(whole.report).toMatchObject({ lost: [{ path: 'Two.md', kept: 'older version' }] });
  expect(whole.calls).toBeGreaterThan(2);
  for (let place = 1; place <= whole.calls; place += 1) {
    const { report, error } = await inCopy(damaged, matches, place);
    if (error === null) expect(report).toEqual({ ...whole.report, commit: expect.any(String) });
    else expect(error).toMatchObject({ code: 'io_error' });
  }
});

/** Repairs a copy while the disk fails once, at such a call, and then once more. Also returns the number of those calls. */
async function inCopy(damaged: string, matches: (call: FileSystemCall) => boolean, failing: number) {
  const directory = join(temporaryDirectory(), 'copy.git');
  cpSync(damaged, directory, { recursive: true, verbatimSymlinks: true });
  let calls = 0;
  const fs = observedFileSystem(nodeFileSystem, (call) => {
    if (!matches(call)) return;
    calls += 1;
    if (calls === failing) throw fileSystemError(5, 'EIO');
  });
  const { storage } = await openWriter(directory, { fs, cacheBytes: 0 });
  const [result] = await Promise.allSettled([storage.repair()]);
  await storage.close();
  const again = await openWriter(directory);
  await again.storage.repair();
  await again.storage.settle();
  expect(nativeView(directory).pages).toEqual(LEFT);
  return {
    calls,
    report: result.status === 'fulfilled' ? result.value : null,
    error: result.status === 'rejected' ? (result.reason as unknown) : null,
  };
}

const LEFT = { 'Four.md': 'four', 'One.md': 'one', 'Three.md': 'three', 'Two.md': 'older' };

/** Pages of which the newest version of one is lost. */
async function damagedWiki(): Promise<string> {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  await put('One.md', 'one');
  await put('Two.md', 'older');
  await put('Three.md', 'three');
  await put('Two.md', 'newer');
  const lost = await storage.head();
  await put('Four.md', 'four');
  await storage.settle();
  await storage.close();
  const packs = join(directory, 'objects/pack');
  for (const file of readdirSync(packs)) if (file.includes(`${lost}`)) rmSync(join(packs, file));
  return directory;
}
