import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/native-git.ts';
import { fileSystemError, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { freezing, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import type { FileSystem } from './file-system.ts';
import { randomName } from './host.ts';
import { openNamedLinks } from './named-links.ts';
import { nodeFileSystem } from './node-file-system.ts';
import { nodeHost } from './node-host.ts';

const fileSystems: [kind: string, fs: FileSystem][] = [
  ['symbolic links', nodeFileSystem],
  ['hard links', without('symlink')],
  ['directories', without('symlink', 'link')],
];

describe.each(fileSystems)('names made as %s', (_, fs) => {
  it('are made once, by one of all who try, and read by everybody', async () => {
    const { path, open } = place();
    const made = await Promise.all(['a', 'b', 'c', 'd'].map((target) => open(fs).make(path, target)));
    expect(made.filter(Boolean)).toHaveLength(1);
    const target = ['a', 'b', 'c', 'd'][made.indexOf(true)];
    for (const [, other] of fileSystems) {
      expect(await open(other).make(path, 'late')).toBe(false);
      expect(await open(other).read(path)).toBe(target);
    }
  });

  it('can be twins, which lead to one target and are turned to another one by one', async () => {
    const { path, open } = place();
    const links = open(fs);
    const twin = `${path}-twin`;
    expect(await links.make(twin, 'target', `${path}-missing`)).toBe(true);
    expect(await links.make(path, 'target', twin)).toBe(true);
    expect(await links.make(path, 'target', twin)).toBe(false);
    await links.replace(twin, 'another');
    expect(await Promise.all([path, twin].map(links.read))).toEqual(['target', 'another']);
  });

  it('can be turned to another target', async () => {
    const { path, open } = place();
    const links = open(fs);
    await links.replace(path, 'first');
    await links.replace(path, 'second');
    expect(await links.read(path)).toBe('second');
    const other = `${path}-made`;
    await links.make(other, 'first');
    await links.replace(other, 'second');
    expect(await links.read(other)).toBe('second');
    expect(await links.read(`${path}-missing`)).toBeNull();
  });

  it('leave nothing behind when they lose', async () => {
    const { path, open, temporary } = place();
    await open(nodeFileSystem).make(path, 'first');
    expect(await open(fs).make(path, 'second')).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('need no folder of temporary names, but do not recreate the folders above it', async () => {
    const { path, open, temporary } = place();
    rmdirSync(temporary);
    await open(fs).replace(path, 'target');
    expect(await open(fs).read(path)).toBe('target');
    rmdirSync(temporary);
    expect(await open(fs).make(`${path}-made`, 'target')).toBe(true);
    rmSync(dirname(path), { recursive: true });
    await expect(open(fs).replace(path, 'target')).rejects.toThrow('ENOENT');
    expect(existsSync(dirname(path))).toBe(false);
  });

  it('hold a wiki, even beside writers that use another kind', async () => {
    const directory = await newWiki();
    const pause = freezing(({ name, path }) => name === 'sync' && path.endsWith('.pack'));
    const writers = await Promise.all([
      openWriter(directory, { fs }),
      openWriter(directory),
      openWriter(directory, pause),
    ]);
    const writing = writers.map((writer, i) => writer.put(`Page ${i}.md`, 'text', { requestId: `${i}` }));
    await pause.frozen;
    await Promise.all(writing.slice(0, 2));
    pause.thaw();
    await Promise.all(writing);
    for (const [i, writer] of writers.entries()) {
      const again = await writer.put(`Page ${i}.md`, 'text', { requestId: `${i}` });
      expect(again).toMatchObject({ kind: 'repeated' });
    }
    expect(nativeView(directory).commits).toHaveLength(3);
  });
});

it('passes on errors that say nothing about links', async () => {
  const { path, open } = place();
  const full = observedFileSystem(nodeFileSystem, ({ name }) => {
    if (name === 'symlink') throw fileSystemError(28, 'ENOSPC');
  });
  await expect(open(full).make(path, 'target')).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(await open(nodeFileSystem).read(path)).toBeNull();
});

function without(...calls: string[]): FileSystem {
  return observedFileSystem(nodeFileSystem, ({ name }) => {
    if (calls.includes(name)) throw fileSystemError(1, 'EPERM');
  });
}

function place() {
  const directory = temporaryDirectory();
  const temporary = join(directory, 'temporary');
  mkdirSync(temporary);
  const host = nodeHost();
  const open = (fs: FileSystem) => openNamedLinks(fs, () => join(temporary, randomName(host)));
  return { path: join(directory, 'name'), temporary, open };
}
