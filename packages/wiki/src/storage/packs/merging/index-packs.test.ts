import { chmodSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sealed } from '../../../../test/git-input/bundles.ts';
import { bareRepository } from '../../../../test/native-git.ts';
import {
  type FileSystemCall,
  fileSystemError,
  observedFileSystem,
} from '../../../../test/storage/observed-file-system.ts';
import { land, overwrite } from '../../../../test/storage/stores.ts';
import { makeDirectory } from '../../files/directories.ts';
import type { FileSystem } from '../../files/file-system.ts';
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

test('the largest packs are left out if all indexes together exceed the memory for them', async () => {
  const directory = await twoPacks();
  const many = ['1', '2'].map((digit) => digit.repeat(40));
  for (const name of many) {
    writeFileSync(indexFile(directory, name), indexOf(300_000));
    writeFileSync(packFile(directory, name), '');
  }
  for (const largest of many) {
    for (const name of many) truncateSync(packFile(directory, name), name === largest ? 2_000 : 1_000);
    const { packs } = await indexed(directory);
    // One of these indexes fits beside the small ones.
    expect(packs).toEqual(
      [...many.filter((name) => name !== largest), SMALL, LARGE].map((name) => `pack-${name}`),
    );
  }
});

test('packs whose offsets do not fit into an index are left out', async () => {
  const directory = await twoPacks();
  const pack = packFile(directory, LARGE);
  chmodSync(pack, 0o644);
  for (const [bytes, isIndexed] of [
    [2 ** 31 - 1, true],
    [2 ** 31, false],
  ] as const) {
    truncateSync(pack, bytes);
    const { packs } = await indexed(directory);
    expect(packs).toEqual(isIndexed ? [`pack-${SMALL}`, `pack-${LARGE}`] : [`pack-${SMALL}`]);
  }
});

test('an index that is gone is passed over, and a disk that fails ends the work', async () => {
  const directory = await twoPacks();
  const failing = (error: () => Error) => {
    const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
      if (name === 'open' && path === indexFile(directory, LARGE)) throw error();
    });
    return indexed(directory, undefined, fs);
  };
  for (const [number, name] of [
    [2, 'ENOENT'],
    [116, 'ESTALE'],
  ] as const)
    expect((await failing(() => fileSystemError(number, name))).packs).toEqual([`pack-${SMALL}`]);
  await expect(failing(() => fileSystemError(5, 'EIO'))).rejects.toMatchObject({ code: 'io_error' });
});

async function twoPacks(): Promise<string> {
  const directory = bareRepository();
  await land(directory, SMALL, ['small']);
  await land(directory, LARGE, ['one', 'two', 'three', 'four', 'five']);
  return directory;
}

/** The objects in the index over all packs, and the calls that making it took. */
async function indexed(directory: string, goOn?: () => boolean, whole: FileSystem = nodeFileSystem) {
  const calls: FileSystemCall[] = [];
  const fs = observedFileSystem(whole, (call) => void calls.push(call));
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

function packFile(directory: string, name: string): string {
  return join(directory, 'objects/pack', `pack-${name}.pack`);
}

/** The index of so many objects, all with the oid of zeros. */
function indexOf(count: number): Buffer {
  const body = Buffer.alloc(8 + 4 * 256 + count * 28 + 20);
  body.writeUInt32BE(0xff744f63, 0);
  body.writeUInt32BE(2, 4);
  for (let byte = 0; byte < 256; byte += 1) body.writeUInt32BE(count, 8 + 4 * byte);
  return sealed(body);
}
