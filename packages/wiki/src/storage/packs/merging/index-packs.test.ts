import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareRepository } from '../../../../test/native-git.ts';
import { type FileSystemCall, observedFileSystem } from '../../../../test/storage/observed-file-system.ts';
import { land, overwrite } from '../../../../test/storage/stores.ts';
import { makeDirectory } from '../../files/directories.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { nodeHost } from '../../files/node-host.ts';
import { layoutOf } from '../../layout.ts';
import { MultiPackIndex } from '../../objects/packed/multi-pack-index-file.ts';
import { indexPacks } from './index-packs.ts';

const [SMALL, LARGE] = ['a'.repeat(40), 'b'.repeat(40)] as const;

test('a pack index that exceeds the memory for all of them is left out without being read', async () => {
  const directory = await twoPacks();
  const large = indexFile(directory, LARGE);
  overwrite(large, Buffer.alloc(0));
  truncateSync(large, 17_000_000);
  const { calls, packs } = await indexed(directory);
  expect(packs).toEqual([`pack-${SMALL}`]);
  expect(calls.filter(({ name, path }) => name === 'read' && path === large)).toEqual([]);
});

test('a damaged pack index is left out, wherever the damage is', async () => {
  const directory = await twoPacks();
  const large = indexFile(directory, LARGE);
  const whole = readFileSync(large);
  for (const at of [0, 8 + 3, 8 + 4 * 200 + 2, 8 + 1024 - 1, 8 + 1024, whole.length - 50, whole.length - 1]) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 0x40;
    overwrite(large, bytes);
    expect((await indexed(directory)).packs).toEqual([`pack-${SMALL}`]);
  }
  overwrite(large, whole);
  expect((await indexed(directory)).packs).toEqual([`pack-${SMALL}`, `pack-${LARGE}`]);
});

test('it stops between two packs when asked to, and writes nothing', async () => {
  const directory = await twoPacks();
  for (const asked of [0, 1, 2]) {
    let left = asked;
    const { calls, isWritten } = await indexed(directory, () => left-- > 0);
    expect(isWritten).toBe(false);
    expect(calls.filter(({ name, path }) => name === 'open' && path.endsWith('.idx'))).toHaveLength(asked);
    expect(calls.filter(({ name }) => name === 'write' || name === 'rename')).toEqual([]);
  }
});

async function twoPacks(): Promise<string> {
  const directory = bareRepository();
  await land(directory, SMALL, ['small']);
  await land(directory, LARGE, ['one', 'two', 'three', 'four', 'five']);
  return directory;
}

/** The objects in the index over all packs, and the calls that making it took. */
async function indexed(directory: string, goOn?: () => boolean) {
  const calls: FileSystemCall[] = [];
  const fs = observedFileSystem(nodeFileSystem, (call) => void calls.push(call));
  const layout = layoutOf(directory, 'main');
  await makeDirectory(nodeFileSystem, layout.temporary);
  const isWritten = await indexPacks({ fs, host: nodeHost(), layout }, goOn);
  const index = new MultiPackIndex(nodeFileSystem, layout.multiPackIndex);
  const packs = [...(await index.packs())].sort();
  await index.close();
  return { calls, packs, isWritten };
}

function indexFile(directory: string, name: string): string {
  return join(directory, 'objects/pack', `pack-${name}.idx`);
}
