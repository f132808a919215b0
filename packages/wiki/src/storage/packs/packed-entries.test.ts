import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { longHistory } from '../../../test/fetched-histories.ts';
import { git, gitBytes } from '../../../test/native-git.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { openPackedEntries } from './packed-entries.ts';

test('gives every object of a large pack as it is stored there', async () => {
  const { directory } = longHistory();
  const packs = join(directory, 'objects', 'pack');
  const oids = allOids(directory);
  const entries = await (await openPackedEntries(nodeFileSystem, packs)).read(oids);
  const known = judged(directory, oids);
  const inPack = new Set(oids);
  let deltas = 0;
  for (const [at, entry] of entries.entries()) {
    const [type, size] = known[at] ?? [];
    const inflated = inflateSync(entry?.compressed ?? new Uint8Array());
    expect(inflated).toHaveLength(entry?.size ?? -1);
    if (entry?.base == null) {
      expect([entry?.type, entry?.size]).toEqual([type, Number(size)]);
    } else {
      deltas += 1;
      expect(entry.type).toBeNull();
      expect(inPack).toContain(entry.base);
    }
  }
  expect(deltas).toBeGreaterThan(100);
});

test('leaves out what is in no large pack, what is damaged, and what is gone', async () => {
  const { directory } = longHistory();
  const packs = join(directory, 'objects', 'pack');
  const oids = allOids(directory).slice(0, 50);
  const entries = await openPackedEntries(nodeFileSystem, packs);
  const [first] = await entries.read(oids);
  expect(await entries.read(['f'.repeat(40), oids[0] ?? ''])).toEqual([null, first]);

  const pack = join(packs, readdirSync(packs).find((name) => name.endsWith('.pack')) ?? '');
  const bytes = readFileSync(pack);
  const at = bytes.indexOf(first?.compressed ?? new Uint8Array());
  rmSync(pack);
  writeFileSync(pack, bytes.with(at + 5, (bytes[at + 5] ?? 0) ^ 1));
  const [damaged, ...others] = await entries.read(oids);
  expect(damaged).toBeNull();
  expect(others).not.toContain(null);

  rmSync(pack);
  expect(await entries.read(oids.slice(0, 2))).toEqual([null, null]);
});

function allOids(directory: string): string[] {
  return git(directory, ['rev-list', '--all', '--objects', '--no-object-names']).split('\n');
}

/** The type and the size of each. */
function judged(directory: string, oids: readonly string[]): string[][] {
  const command = ['cat-file', '--batch-check=%(objecttype) %(objectsize)'];
  const lines = gitBytes(directory, command, { input: oids.join('\n') })
    .toString()
    .trim()
    .split('\n');
  return lines.map((line) => line.split(' '));
}
