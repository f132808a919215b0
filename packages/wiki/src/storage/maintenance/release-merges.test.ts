import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { diverged, keptForMerges } from '../../../test/storage/merges.ts';
import { mergeInto } from '../../../test/storage/pushes.ts';
import {
  endedHost,
  freezing,
  maintenanceBeforeListing,
  nativeView,
  newWiki,
  openWriter,
} from '../../../test/storage/writers.ts';

it.each([
  ['linked', 'rename', 'refs/heads/main'],
  ['lost', 'symlink', '/chain-main/'],
])('maintenance releases the pack of a merge whose process died when it was %s', async (how, name, place) => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  const { given } = await diverged(writer);
  await writer.storage.settle();
  const { fs, frozen, thaw } = freezing((call) => call.name === name && call.path.includes(place));
  const merging = mergeInto((await openWriter(directory, { fs, host: endedHost() })).storage, given);
  await frozen;
  expect(keptForMerges(directory)).toHaveLength(1);
  const lock = join(directory, 'refs/heads/main.lock');
  if (how === 'linked') {
    // Git holds the branch, so that it does not reach the merge yet.
    rmSync(lock);
    writeFileSync(lock, '');
    await writer.storage.tidy().catch(() => undefined);
    expect(keptForMerges(directory)).toHaveLength(1);
    git(directory, ['gc', '--quiet', '--prune=now']);
    rmSync(lock);
  }
  await writer.storage.tidy();
  expect(keptForMerges(directory)).toEqual([]);
  await writer.put('Later.md', 'later');
  await writer.storage.settle();
  git(directory, ['gc', '--quiet', '--prune=now']);
  expect(Object.keys(nativeView(directory).pages)).toEqual(
    ['Later.md', 'Old.md', 'Ours.md', 'Theirs.md'].filter((page) => how === 'linked' || page !== 'Theirs.md'),
  );
  // It closes its files.
  thaw();
  await merging;
});

it('maintenance keeps the pack of a merge that was linked meanwhile, and the ref lags', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  const { given } = await diverged(writer);
  const { maintaining, thaw } = await maintenanceBeforeListing(directory);
  const moving = freezing(({ name, path }) => name === 'rename' && path.endsWith('refs/heads/main'));
  const dead = await openWriter(directory, { fs: moving.fs, host: endedHost() });
  const merging = mergeInto(dead.storage, given);
  await moving.frozen;
  thaw();
  await maintaining;
  expect(keptForMerges(directory)).toHaveLength(1);
  git(directory, ['gc', '--quiet', '--prune=now']);
  await writer.put('Later.md', 'later');
  await writer.storage.settle();
  await writer.storage.tidy();
  expect(keptForMerges(directory)).toEqual([]);
  expect(Object.keys(nativeView(directory).pages)).toEqual(['Later.md', 'Old.md', 'Ours.md', 'Theirs.md']);
  // It closes its files.
  moving.thaw();
  await merging;
});
