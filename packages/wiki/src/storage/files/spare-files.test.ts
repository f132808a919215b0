import { readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/native-git.ts';
import {
  type FileSystemCall,
  fileSystemError,
  observedFileSystem,
} from '../../../test/storage/observed-file-system.ts';
import { nodeFileSystem } from './node-file-system.ts';
import { openSpareFiles } from './spare-files.ts';

test('a file made ahead gets its name, mode and content without another file being made', async () => {
  const { at, spares, calls } = openedSpares([0o444, 0o644]);
  await spares.prepare();
  calls.length = 0;
  for (const [name, mode] of [
    ['one', 0o644],
    ['two', 0o444],
  ] as const) {
    const file = await spares.make(at(name), mode);
    await file.write(Buffer.from(name));
    await file.close();
    expect(readFileSync(at(name), 'utf8')).toBe(name);
    expect(statSync(at(name)).mode & 0o777).toBe(mode);
  }
  expect(calls.map(({ name }) => name)).not.toContain('open');
});

test('it keeps one file ready of each wanted kind, however often one is taken, and none after it is closed', async () => {
  const { directory, at, spares } = openedSpares([0o444, 0o444, 0o644]);
  for (let time = 0; time < 3; time += 1) await spares.prepare();
  expect(readdirSync(directory)).toHaveLength(3);
  await (await spares.make(at('used'), 0o444)).close();
  await spares.prepare();
  expect(readdirSync(directory)).toHaveLength(4);
  void spares.prepare();
  await spares.close();
  await spares.prepare();
  expect(readdirSync(directory)).toEqual(['used']);
});

test('a file that is still being made is also removed at the close', async () => {
  const { directory, spares } = openedSpares([0o444, 0o644]);
  void spares.prepare();
  await spares.close();
  expect(readdirSync(directory)).toEqual([]);
});

test.each([
  ['nothing was made ahead', false],
  ['what was made ahead was swept away as a leftover', true],
])('a file is made only on request if %s', async (_, isSwept) => {
  const { directory, at, spares } = openedSpares([0o444]);
  if (isSwept) await spares.prepare();
  for (const name of readdirSync(directory)) unlinkSync(at(name));
  const file = await spares.make(at('file'), 0o444);
  await file.write(Buffer.from('text'));
  await file.close();
  expect(readFileSync(at('file'), 'utf8')).toBe('text');
  await spares.close();
  expect(readdirSync(directory)).toEqual(['file']);
});

test('no file is made ahead any more if files cannot be moved to their place, as on another disk', async () => {
  const { directory, at, spares, calls } = openedSpares([0o444, 0o444], ({ name }) => {
    if (name === 'rename') throw fileSystemError(18, 'EXDEV');
  });
  await spares.prepare();
  await (await spares.make(at('file'), 0o444)).close();
  expect(readdirSync(directory)).toEqual(['file']);
  calls.length = 0;
  await spares.prepare();
  expect(calls).toEqual([]);
});

test('a disk on which no file can be made ahead is reported only when a file is requested', async () => {
  const full = fileSystemError(28, 'ENOSPC');
  const { at, spares } = openedSpares([0o444], ({ name }) => {
    if (name === 'open') throw full;
  });
  await spares.prepare();
  await expect(spares.make(at('file'), 0o444)).rejects.toBe(full);
  await spares.close();
});

function openedSpares(modes: readonly number[], observe: (call: FileSystemCall) => void = () => undefined) {
  const directory = temporaryDirectory();
  const at = (name: string) => join(directory, name);
  const calls: FileSystemCall[] = [];
  const fs = observedFileSystem(nodeFileSystem, (call) => {
    calls.push(call);
    observe(call);
  });
  let made = 0;
  const temporaryName = () => at(`temporary-${++made}`);
  const spares = openSpareFiles({ fs, temporaryName, modes });
  return { directory, at, spares, calls };
}
