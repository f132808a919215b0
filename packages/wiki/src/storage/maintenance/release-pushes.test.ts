import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { diverged, keptForMerges } from '../../../test/storage/merges.ts';
import { mergeInto, pagePush, pushTo } from '../../../test/storage/pushes.ts';
import {
  endedHost,
  freezing,
  isLink,
  maintenanceBeforeListing,
  nativeView,
  newWiki,
  openWriter,
} from '../../../test/storage/writers.ts';
import { parsePushNote } from '../packs/push-note.ts';

it('maintenance gives git the pack of a push whose process died after it was linked', async () => {
  const directory = await newWiki();
  const { writer, push } = await wikiBeforeAPush(directory);
  const moving = freezing(({ name, path }) => name === 'rename' && path.endsWith('refs/heads/main'));
  const dead = await openWriter(directory, { fs: moving.fs, host: endedHost() });
  void pushTo(dead.storage, push);
  await moving.frozen;
  expect(keptForPushes(directory)).toHaveLength(1);
  await writer.storage.tidy();
  expect(keptForPushes(directory)).toEqual([]);
  expect(Object.keys(collected(directory))).toEqual(['Old.md', 'Pushed.md']);
});

it('maintenance keeps the pack of a push that was linked meanwhile, and the ref lags', async () => {
  const directory = await newWiki();
  const { push } = await wikiBeforeAPush(directory);
  const { maintaining, thaw } = await maintenanceBeforeListing(directory);
  const lock = join(directory, 'refs/heads/main.lock');
  writeFileSync(lock, '');
  const pusher = await openWriter(directory);
  await pushTo(pusher.storage, push);
  thaw();
  await maintaining;
  expect(keptForPushes(directory)).toHaveLength(1);
  rmSync(lock);
  git(directory, ['gc', '--quiet', '--prune=now']);
  await pusher.storage.settle();
  expect(Object.keys(collected(directory))).toEqual(['Old.md', 'Pushed.md']);
});

it('maintenance keeps the pack of a push that is about to be linked', async () => {
  const directory = await newWiki();
  const { writer, push } = await wikiBeforeAPush(directory);
  const { fs, frozen, thaw } = freezing(isLink);
  const pusher = await openWriter(directory, { fs });
  const pushing = pushTo(pusher.storage, push);
  await frozen;
  await writer.storage.tidy();
  git(directory, ['gc', '--quiet', '--prune=now']);
  thaw();
  expect(await pushing).toMatchObject({ kind: 'landed' });
  await pusher.storage.settle();
  expect(Object.keys(collected(directory))).toEqual(['Old.md', 'Pushed.md']);
});

it('maintenance gives git the pack of a push that another write came before', async () => {
  const directory = await newWiki();
  const { writer, push } = await wikiBeforeAPush(directory);
  const { fs, frozen } = freezing(isLink);
  void pushTo((await openWriter(directory, { fs })).storage, push);
  await frozen;
  await writer.put('First.md', 'first');
  await writer.storage.tidy();
  expect(keptForPushes(directory)).toEqual([]);
  expect(Object.keys(collected(directory))).toEqual(['First.md', 'Old.md']);
});

it('maintenance keeps the pack of a merge whose process only takes its time', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  const { given } = await diverged(writer);
  await writer.storage.settle();
  const { fs, frozen, thaw } = freezing(isLink);
  const merger = await openWriter(directory, { fs });
  const merging = mergeInto(merger.storage, given);
  await frozen;
  await writer.storage.tidy();
  expect(keptForMerges(directory)).toHaveLength(1);
  git(directory, ['gc', '--quiet', '--prune=now']);
  thaw();
  await merging;
  await merger.storage.settle();
  expect(Object.keys(collected(directory))).toEqual(['Old.md', 'Ours.md', 'Theirs.md']);
});

async function wikiBeforeAPush(directory: string) {
  const writer = await openWriter(directory);
  await writer.put('Old.md', 'old');
  await writer.storage.settle();
  const push = await pagePush(writer.storage, await writer.storage.head(), 'Pushed.md', 'pushed');
  return { writer, push };
}

/** The `.keep` files of pushes. */
function keptForPushes(directory: string): string[] {
  const folder = join(directory, 'objects/pack');
  const files = readdirSync(folder).filter((file) => file.endsWith('.keep'));
  return files.filter((file) => parsePushNote(readFileSync(join(folder, file), 'utf8')) !== null);
}

/** The pages after git removed everything that nothing reaches. */
function collected(directory: string): Record<string, string> {
  git(directory, ['gc', '--quiet', '--prune=now']);
  return nativeView(directory).pages;
}
