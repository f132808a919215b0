import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareRepository } from '../../../../test/native-git.ts';
import { fileSystemError, observedFileSystem } from '../../../../test/storage/observed-file-system.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { nodeHost } from '../../files/node-host.ts';
import { isGitAtWork } from './git-at-work.ts';
import { deleteRetiredPacks, retiredPacks, retirePack } from './retired-packs.ts';

const HOUR = 60 * 60 * 1000;
const NOW = Date.parse('2026-03-05T12:30:00Z');
const [ONE, TWO, INTO] = ['1'.repeat(40), '2'.repeat(40), 'abcdef012345'.padEnd(40, '7')];
const marker = (name: string, hour: string, into = INTO) =>
  `pack-${name}.merged-${hour}-${into.slice(0, 12)}`;

test('a retired pack is known by its marker, and as merged elsewhere only if that pack itself is there', () => {
  const files = [`pack-${ONE}.pack`, marker(ONE, '2026-03-04T10')];
  const listed = (...more: string[]) => retiredPacks(new Set([...files, ...more]));
  const retired = {
    name: ONE,
    markers: [marker(ONE, '2026-03-04T10')],
    retiredBefore: Date.parse('2026-03-04T11:00Z'),
    isElsewhere: false,
  };
  expect(listed()).toEqual([retired]);
  expect(listed(`pack-${INTO}.pack`, `pack-${INTO}.idx`)).toEqual([{ ...retired, isElsewhere: true }]);
  // An index alone holds nothing, and neither does a marker.
  expect(listed(`pack-${INTO}.idx`)).toEqual([retired]);
  expect(listed(marker(INTO, '2026-03-04T12', TWO))[0]).toEqual(retired);
  expect(listed(`pack-${INTO}.pack`)).toEqual([retired]);
  expect(listed(`x-pack-${INTO}.idx`, `pack-${INTO}.idx.tmp`, `pack-${INTO}.pack`)).toEqual([retired]);
  // Merged once more since: its pack is still there.
  const again = listed(`pack-${INTO}.pack`, marker(INTO, '2026-03-04T12', TWO));
  expect(again.map(({ name, isElsewhere }) => [name, isElsewhere])).toEqual([
    [ONE, true],
    [INTO, false],
  ]);
  // With an index again it is not retired.
  expect(listed(`pack-${ONE}.idx`)).toEqual([]);
  const odd = [`x${files[1]}`, `${files[1]}x`, marker('1', '2026-03-04T10'), marker(TWO, '2026-03-04')];
  expect(retiredPacks(new Set(odd))).toEqual([]);
});

test('a pack that was retired twice counts from the last time, whatever order the markers are listed in', () => {
  const [early, late] = [marker(ONE, '2026-03-03T10', TWO), marker(ONE, '2026-03-04T10')];
  for (const order of [
    [early, late],
    [late, early],
  ]) {
    const files = new Set([...order, `pack-${ONE}.pack`, `pack-${INTO}.pack`, `pack-${INTO}.idx`]);
    expect(retiredPacks(files)).toEqual([
      {
        name: ONE,
        markers: [early, late],
        retiredBefore: Date.parse('2026-03-04T11:00Z'),
        isElsewhere: true,
      },
    ]);
  }
});

test('a pack is deleted a day after the hour in which it was retired, and no moment earlier', async () => {
  const retiredAt = NOW - 24 * HOUR - 30 * 60 * 1000;
  for (const [now, isDeleted] of [
    [NOW + 30 * 60 * 1000 - 1, false],
    [NOW + 30 * 60 * 1000, true],
  ] as const) {
    const { directory, remove } = wiki();
    store(directory, `pack-${ONE}.idx`, `pack-${ONE}.pack`, `pack-${ONE}.rev`);
    await retirePack(nodeFileSystem, directory, { name: ONE, into: INTO, now: retiredAt });
    expect(readdirSync(directory)).toContain(marker(ONE, '2026-03-04T12'));
    await retirePack(nodeFileSystem, directory, { name: ONE, into: INTO, now: retiredAt });
    store(directory, `pack-${INTO}.idx`, `pack-${INTO}.pack`);
    await remove({ now });
    expect(readdirSync(directory).some((file) => file.includes(ONE))).toBe(!isDeleted);
    expect(readdirSync(directory).filter((file) => file.includes(INTO.slice(0, 20)))).toHaveLength(2);
  }
});

test('a pack that was merged into one that is not there goes only if its objects can be read elsewhere', async () => {
  const { directory, remove } = wiki();
  const old = '2026-03-01T10';
  store(directory, `pack-${ONE}.pack`, marker(ONE, old), `pack-${TWO}.pack`, marker(TWO, old));
  const asked: string[] = [];
  await remove({
    isCopied: async (name) => {
      asked.push(name);
      return name === TWO;
    },
  });
  expect(asked.sort()).toEqual([ONE, TWO]);
  expect(readdirSync(directory).sort()).toEqual([marker(ONE, old), `pack-${ONE}.pack`].sort());
});

test('nothing is deleted while native git is at work, except where only the wiki writes', async () => {
  const old = '2026-03-01T10';
  const pack = [`pack-${ONE}.pack`, marker(ONE, old), `pack-${INTO}.idx`, `pack-${INTO}.pack`];
  for (const [sign, age, isKept] of [
    ['../../gc.pid', HOUR, true],
    ['tmp_pack_x', HOUR, true],
    ['.tmp-1-pack', HOUR, true],
    ['tmp_pack_x', 12 * HOUR + 1000, false],
    ['../../gc.pid', 12 * HOUR + 1000, false],
    ['x.tmp-1', HOUR, false],
    ['xtmp_', HOUR, false],
  ] as const) {
    for (const shared of [false, true]) {
      const { directory, remove } = wiki();
      store(directory, ...pack, sign);
      utimesSync(join(directory, sign), (NOW - age) / 1000, (NOW - age) / 1000);
      await remove({ shared });
      expect(existsSync(join(directory, `pack-${ONE}.pack`)), `${sign} ${age} ${shared}`).toBe(
        isKept && !shared,
      );
    }
  }
});

test('packs are deleted twenty at once, and the caller is asked before each step', async () => {
  const { directory, remove } = wiki();
  const names = Array.from({ length: 45 }, (_, at) => `${at}`.padStart(40, '0'));
  store(directory, ...names.flatMap((name) => [`pack-${name}.pack`, marker(name, '2026-03-01T10')]));
  store(directory, `pack-${INTO}.idx`, `pack-${INTO}.pack`);
  const steps: number[][] = [];
  const left = () => readdirSync(directory).filter((file) => file.includes('merged')).length;
  await remove({
    goOn: (deleted) => {
      steps.push([deleted, left()]);
      return deleted < 40;
    },
  });
  expect([...steps, left()]).toEqual([[0, 45], [20, 25], [40, 5], 5]);
  await remove({});
  expect(left()).toBe(0);
});

test('a folder that cannot be read is an error, and no sign that git is at rest', async () => {
  const { directory } = wiki();
  const fs = observedFileSystem(nodeFileSystem, ({ name }) => {
    if (name === 'readdir') throw fileSystemError(5, 'EIO');
  });
  await expect(isGitAtWork(fs, nodeHost(), directory)).rejects.toThrow(
    /^Looking whether git is at work failed/,
  );
});

/** An empty folder of packs, and the deletion in it. */
function wiki() {
  const directory = join(bareRepository(), 'objects/pack');
  mkdirSync(directory, { recursive: true });
  interface Options {
    now?: number;
    shared?: boolean;
    isCopied?: (name: string) => Promise<boolean>;
    goOn?: (deleted: number) => boolean;
  }
  const remove = ({
    now = NOW,
    shared = false,
    isCopied = async () => false,
    goOn = () => true,
  }: Options) => {
    const host = { ...nodeHost(), now: () => now };
    const files = new Set(readdirSync(directory));
    return deleteRetiredPacks({ fs: nodeFileSystem, host, directory, shared, files }, isCopied, goOn);
  };
  return { directory, remove };
}

function store(directory: string, ...files: string[]): void {
  for (const file of files) writeFileSync(join(directory, file), 'x');
}
