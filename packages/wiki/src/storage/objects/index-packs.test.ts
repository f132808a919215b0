import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareRepository } from '../../../test/native-git.ts';
import { type FileSystemCall, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { land } from '../../../test/storage/stores.ts';
import { makeDirectory } from '../files/directories.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { nodeHost } from '../files/node-host.ts';
import { layoutOf } from '../layout.ts';
import { indexPacks } from './index-packs.ts';
import { MultiPackIndex } from './multi-pack-index.ts';

const [SMALL, LARGE] = ['a'.repeat(40), 'b'.repeat(40)] as const;

test('the index of a pack that takes more memory than there is for all is left out, and not even read', async () => {
  const directory = await twoPacks();
  const large = indexFile(directory, LARGE);
  rmSync(large);
  writeFileSync(large, '');
  truncateSync(large, 17_000_000);
  const { calls, packs } = await indexed(directory);
  expect(packs).toEqual([`pack-${SMALL}`]);
  expect(calls.filter(({ name, path }) => name === 'read' && path === large)).toEqual([]);
});

async function twoPacks(): Promise<string> {
  const directory = bareRepository();
  await land(directory, SMALL, ['small']);
  await land(directory, LARGE, ['one', 'two', 'three', 'four', 'five']);
  return directory;
}

/** What the index over all packs names, and the calls that it took to make it. */
async function indexed(directory: string) {
  const calls: FileSystemCall[] = [];
  const fs = observedFileSystem(nodeFileSystem, (call) => void calls.push(call));
  const layout = layoutOf(directory, 'main');
  await makeDirectory(nodeFileSystem, layout.temporary);
  await indexPacks({ fs, host: nodeHost(), layout });
  const index = new MultiPackIndex(nodeFileSystem, layout.multiPackIndex);
  const packs = [...(await index.packs())].sort();
  await index.close();
  return { calls, packs };
}

function indexFile(directory: string, name: string): string {
  return join(directory, 'objects/pack', `pack-${name}.idx`);
}
