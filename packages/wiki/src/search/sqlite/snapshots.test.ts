import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noise } from '../../../../../labs/noise.ts';
import { temporaryDirectory } from '../../../test/native-git.ts';
import { indexFormat } from './schema.ts';
import { openSnapshots } from './snapshots.ts';

const now = 1_700_000_000_000;
const commits = ['1', '2', '3', '4'].map((digit) => digit.repeat(40));

async function openFilled() {
  const directory = join(temporaryDirectory(), 'snapshots');
  let names = 0;
  const snapshots = openSnapshots({ directory, randomName: () => `${names++}`, now: () => now });
  const file = join(temporaryDirectory(), 'index');
  for (const [at, commit] of commits.entries()) {
    await writeFile(file, `index of ${commit}`);
    await snapshots.save(file, { commit, position: (at + 1) * 50 }, 'whole');
  }
  return { directory, snapshots, file };
}

test('the two newest snapshots are kept, the newer one first', async () => {
  const { directory, snapshots } = await openFilled();
  expect((await snapshots.list('whole')).map(({ commit, position }) => [commit, position])).toEqual([
    [commits[3], 200],
    [commits[2], 150],
  ]);
  expect(await readdir(directory)).toHaveLength(2);
});

test('a snapshot is loaded as saved, byte for byte, and a missing one is reported', async () => {
  const { snapshots, file } = await openFilled();
  const [newest] = await snapshots.list('whole');
  if (newest === undefined) throw new Error('A snapshot was saved.');
  expect(await snapshots.load(newest, file)).toBe(true);
  expect(await readFile(file, 'utf8')).toBe(`index of ${commits[3]}`);
  expect(await snapshots.load({ ...newest, name: 'gone' }, file)).toBe(false);
});

test('files of dead processes and of older formats are removed, and no others', async () => {
  const { directory, snapshots, file } = await openFilled();
  const older = `${indexFormat - 1}-000000001-${commits[0]}-${'0'.repeat(32)}`;
  const newer = `${indexFormat + 10}-000000001-${commits[0]}-${'0'.repeat(32)}`;
  for (const name of [older, newer, 'new-dead', 'new-alive', 'notes.txt']) {
    await writeFile(join(directory, name), '');
    const age = name === 'new-alive' ? 1_000 : 2 * 3_600_000;
    await utimes(join(directory, name), (now - age) / 1_000, (now - age) / 1_000);
  }
  await snapshots.save(file, { commit: 'a'.repeat(40), position: 250 }, 'whole');
  const names = await readdir(directory);
  expect(names).toEqual(expect.arrayContaining([newer, 'new-alive', 'notes.txt']));
  expect(names).not.toContain(older);
  expect(names).not.toContain('new-dead');
});

test('unfinished snapshots are listed apart, the newest of them stays, and a whole one ends them', async () => {
  const { snapshots, file } = await openFilled();
  for (const [at, commit] of commits.entries())
    await snapshots.save(file, { commit, position: 900 - at }, 'unfinished');
  expect((await snapshots.list('unfinished')).map(({ position }) => position)).toEqual([900, 897]);
  expect((await snapshots.list('whole')).map(({ position }) => position)).toEqual([200, 150]);
  await snapshots.save(file, { commit: commits[0] ?? '', position: 50 }, 'whole');
  expect(await snapshots.list('unfinished')).toEqual([]);
  // Those of another history may be more complete.
  expect((await snapshots.list('whole')).map(({ position }) => position)).toEqual([200, 50]);
});

test('a missing directory has no snapshots', async () => {
  const directory = join(temporaryDirectory(), 'missing');
  expect(await openSnapshots({ directory, randomName: String, now: () => now }).list('whole')).toEqual([]);
});

test.runIf(existsSync('/proc/self/fd'))('an unpacking that cannot go on leaves no file open', async () => {
  const directory = temporaryDirectory();
  const snapshots = openSnapshots({ directory, randomName: String, now: Date.now });
  const file = join(directory, 'index');
  // Bytes that no compression makes fewer: more than the buffers on the way hold.
  writeFileSync(file, noise(12_000_000));
  await snapshots.save(file, { commit: 'a'.repeat(40), position: 1 }, 'whole');
  const [snapshot] = await snapshots.list('whole');
  if (snapshot === undefined) throw new Error('There is no snapshot.');
  // The reader stops in the middle, when all buffers on the way are full: as with a full disk, a write fails then.
  const pipe = join(directory, 'pipe');
  execFileSync('sh', ['-c', `mkfifo '${pipe}'`]);
  const reader = spawn('sh', ['-c', `exec < '${pipe}'; head -c 100000 > /dev/null; sleep 0.5`]);
  const ended = once(reader, 'close');
  expect(await snapshots.load(snapshot, pipe)).toBe(false);
  await ended;
  await expect.poll(() => openPaths().filter((path) => path.endsWith(snapshot.name))).toEqual([]);
});

function openPaths(): string[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      // It was closed meanwhile, such as the one that lists them.
      return [];
    }
  });
}
