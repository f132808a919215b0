import { expect, test } from 'vitest';
import type { FileSystem } from '../../src/storage/files/file-system.ts';
import { localFileSystem } from '../../src/storage/files/local-file-system.ts';
import { roundTrips } from './file-systems/round-trips.ts';
import { newWiki, openWriter } from './writers.ts';

test('calls begun together count as one round trip, and a call begun after an answer as another', async () => {
  const { fs, count } = roundTrips(localFileSystem);
  const directory = await newWiki();
  await Promise.all([fs.readdir(directory), fs.readdir(directory), fs.readdir(directory)]);
  expect(count()).toBe(1);
  await fs.readdir(directory);
  await fs.readdir(directory);
  expect(count()).toBe(3);
});

test('a write on a shared mount with its page in memory waits for 4 round trips, with or without a look-up of its id', async () => {
  const { fs, count } = roundTrips(withoutSync(localFileSystem));
  const writer = await openWriter(await newWiki({ shared: true }), { fs, placement: 'shared' });
  let number = 0;
  const measured = async (idIsNew: boolean) => {
    const before = count();
    number += 1;
    await writer.put('Page.md', `${number}`, { idIsNew, requestId: requestId(number) });
    return count() - before;
  };
  for (let warmUp = 0; warmUp < 3; warmUp += 1) await measured(true);
  expect([await measured(true), await measured(false)]).toEqual([4, 4]);
});

/** To sync takes a thread of its own, and so a time that nobody knows. */
function withoutSync(fs: FileSystem): FileSystem {
  return {
    ...fs,
    open: async (path, flags, mode) => ({
      ...(await fs.open(path, flags, mode)),
      sync: async () => undefined,
    }),
  };
}

/** All of one hour, as those of a caller are. */
function requestId(number: number): string {
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  const time = hour.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(number).padStart(12, '0')}`;
}
