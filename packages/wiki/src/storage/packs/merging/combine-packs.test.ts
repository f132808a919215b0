import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { bareRepository, git } from '../../../../test/native-git.ts';
import { allObjects, nativeWiki } from '../../../../test/storage/native-wiki.ts';
import { newWiki, openWriter } from '../../../../test/storage/writers.ts';
import { encodePack } from '../../../formats/packs/pack.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { landPack } from '../land-pack.ts';
import { mergePacks } from './combine-packs.ts';
import { readPackSource, type SourceEntry } from './pack-source.ts';

it('keeps every object of packs of single writes, and stores older versions as deltas to newer ones', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  const pages = Array.from({ length: 100 }, (_, line) => `Line ${line} of the page, which is long enough.`);
  for (let round = 0; round < 16; round += 1) {
    pages[round] = `Line changed in round ${round}.`;
    await writer.put(`Page ${round % 2}.md`, pages.join('\n'));
  }
  await writer.storage.close();
  const { packBytes, indexBytes } = await expectMerged(directory, 0.2);
  const versions = readPackSource('merged', packBytes, indexBytes).filter(({ type }) => type === 'blob');
  expect(versions.filter(({ delta }) => delta)).toHaveLength(14);
});

it('keeps every object of packs that native git made, with deltas of both kinds', async () => {
  const directory = nativeWiki(30);
  git(directory, ['repack', '-adq', '--depth=20']);
  await expectMerged(directory, 1.5);
  const other = bareRepository();
  git(directory, ['config', 'repack.useDeltaBaseOffset', 'false']);
  git(directory, ['repack', '-adfq']);
  git(other, ['fetch', '--quiet', directory, 'main:main']);
  await expectMerged(directory, 1.5);
});

it('keeps every object when merged packs are merged again', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  for (let round = 0; round < 18; round += 1) await writer.put('Page.md', `${'text '.repeat(200)}${round}`);
  await writer.storage.close();
  const sources = packSources(directory);
  const firstTier = [sources.slice(0, 6), sources.slice(6, 12), sources.slice(12)];
  const merged = await Promise.all(firstTier.map((packs) => mergePacks(packs)));
  const again = merged.map(({ packBytes, indexBytes }) => readPackSource('merged', packBytes, indexBytes));
  await expectReplacedBy(directory, await mergePacks(again));
});

it('compresses objects that a write only stored', async () => {
  const items = Array.from({ length: 100 }, (_, page) =>
    Buffer.from(`100644 page-${page}.md\0${'o'.repeat(20)}`),
  );
  const objects = [
    { type: 'tree', content: Buffer.concat(items) } as const,
    { type: 'blob', content: Buffer.from('A line of a page.\n'.repeat(100)) } as const,
  ];
  const { packBytes, indexBytes } = encodePack(objects, { haste: true });
  const stored = readPackSource('stored', packBytes, indexBytes);
  const merged = await mergePacks([stored]);
  const entries = readPackSource('merged', merged.packBytes, merged.indexBytes);
  expect(entries).toHaveLength(2);
  for (const [at, { content, compressed }] of entries.entries()) {
    expect(stored[at]?.compressed.length).toBeGreaterThan(content.length);
    expect(compressed.length).toBeLessThan(content.length / 2);
    expect(Buffer.from(content).equals(stored[at]?.content ?? Buffer.of())).toBe(true);
  }
});

it('keeps a version whole if its delta would take about as much room', async () => {
  const lines = Array.from(
    { length: 200 },
    (_, line) => `| row ${(line * 7919) % 1009} | ${(line * 104_729) % 997} |\n`,
  );
  const page = (seed: number) => lines.toSorted((a, b) => hashOf(a, seed) - hashOf(b, seed)).join('');
  const directory = await newWiki();
  const writer = await openWriter(directory);
  for (let seed = 1; seed < 5; seed += 1) await writer.put('Page.md', page(seed));
  await writer.storage.close();
  const { packBytes, indexBytes } = await mergePacks(packSources(directory));
  const versions = readPackSource('merged', packBytes, indexBytes).filter(({ type }) => type === 'blob');
  expect(versions.map(({ delta }) => delta)).toEqual([null, null, null, null]);
});

it('refuses a pack with a damaged object', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await writer.put('Page.md', 'text');
  await writer.storage.close();
  const [name] = packNames(directory);
  const bytes = readFileSync(join(directory, 'objects/pack', `${name}.pack`));
  const index = readFileSync(join(directory, 'objects/pack', `${name}.idx`));
  for (let at = 12; at < bytes.length - 20; at += 7) {
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 0x10, at);
    expect(() => readPackSource('damaged', damaged, index)).toThrow('damaged');
  }
});

async function expectMerged(directory: string, mostOfSize: number): ReturnType<typeof mergePacks> {
  const sources = packSources(directory);
  const before = packNames(directory).map(
    (name) => readFileSync(join(directory, 'objects/pack', `${name}.pack`)).length,
  );
  const merged = await mergePacks(sources);
  expect(merged.packBytes.length).toBeLessThan(before.reduce((sum, size) => sum + size) * mostOfSize);
  await expectReplacedBy(directory, merged);
  return merged;
}

async function expectReplacedBy(
  directory: string,
  merged: { packBytes: Uint8Array; indexBytes: Uint8Array },
) {
  const before = allObjects(directory)
    .map(({ oid }) => oid)
    .sort();
  for (const file of readdirSync(join(directory, 'objects/pack')))
    rmSync(join(directory, 'objects/pack', file));
  await landPack(nodeFileSystem, join(directory, 'objects/pack'), 'a'.repeat(40), merged);
  expect(
    allObjects(directory)
      .map(({ oid }) => oid)
      .sort(),
  ).toEqual(before);
  git(directory, ['fsck', '--strict', '--full']);
  git(directory, [
    'index-pack',
    '--strict',
    join(directory, 'objects/pack', `pack-${'a'.repeat(40)}.pack`),
    '-o',
    join(directory, 'again.idx'),
  ]);
  expect(readFileSync(join(directory, 'again.idx')).equals(merged.indexBytes)).toBe(true);
}

/** A number that orders texts as if by chance. */
function hashOf(text: string, seed: number): number {
  return crc32(text, seed);
}

function packSources(directory: string): SourceEntry[][] {
  return packNames(directory).map((name) => {
    const file = (ending: string) => readFileSync(join(directory, 'objects/pack', `${name}.${ending}`));
    return readPackSource(name, file('pack'), file('idx'));
  });
}

function packNames(directory: string): string[] {
  const files = readdirSync(join(directory, 'objects/pack'));
  return files.filter((file) => file.endsWith('.pack')).map((file) => file.slice(0, -'.pack'.length));
}
