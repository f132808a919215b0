import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, temporaryDirectory } from '../../../test/native-git.ts';
import { fileSystemError, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { freezing, isLink, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';

// The ordinary case, packs that a merge replaced, is in tidy.test.ts.
describe.each(['local', 'shared'] as const)('the tidying of a repaired %s wiki', (placement) => {
  it('keeps the packs of a repair if it is tidied before the next write', async () => {
    const { directory, open } = await wikiWhoseNewestIsLost();
    const { storage } = await open();
    const { commit } = await storage.repair();
    expect(await (await open()).storage.tidy()).toMatchObject({ garbagePacksRemoved: 0 });
    const reader = await open();
    expect(await reader.storage.head()).toBe(commit);
    expect((await reader.storage.check()).problems).toEqual([]);
    expect(nativeView(directory).pages).toEqual({ 'One.md': 'one', 'Two.md': 'two' });
  });

  it('keeps packs that a repair is about to link, and removes those that it can no longer link', async () => {
    const { directory, open } = await wikiWhoseNewestIsLost();
    const { fs, frozen } = freezing(isLink);
    void (await openWriter(directory, { placement, fs })).storage.repair().catch(() => undefined);
    await frozen;
    const repairer = await open();
    expect(await repairer.storage.tidy()).toMatchObject({ garbagePacksRemoved: 0 });
    await repairer.storage.repair();
    const left = placement === 'local' ? 1 : 0;
    expect(await repairer.storage.tidy()).toMatchObject({ garbagePacksRemoved: left });
    expect((await repairer.storage.check()).problems).toEqual([]);
  });

  async function wikiWhoseNewestIsLost() {
    const directory = await newWiki({ shared: placement === 'shared' });
    const open = () => openWriter(directory, { placement });
    const { put, storage } = await open();
    await put('One.md', 'one');
    await put('Two.md', 'two');
    await put('Lost.md', 'lost');
    const lost = await storage.head();
    await storage.close();
    for (const ending of ['pack', 'idx']) rmSync(join(directory, 'objects/pack', `pack-${lost}.${ending}`));
    return { directory, open };
  }
});

it.each(['.idx', 'the link'])(
  'the pack of a shared wiki whose writer stopped before %s takes room only until another write came first',
  async (place) => {
    const directory = await newWiki({ shared: true });
    const open = () => openWriter(directory, { placement: 'shared' });
    const { put, storage } = await open();
    await put('One.md', 'one');
    const before = packFiles(directory);
    const { fs, frozen } = freezing((call) =>
      place === '.idx' ? call.name === 'rename' && call.path.endsWith('.idx') : isLink(call),
    );
    void (await openWriter(directory, { placement: 'shared', fs })).put('Frozen.md', 'frozen');
    await frozen;
    const left = packFiles(directory).filter((file) => !before.includes(file));
    expect(left).toHaveLength(2);
    await put('Two.md', 'two');
    expect(await storage.tidy()).toMatchObject({ garbagePacksRemoved: 1 });
    expect(packFiles(directory).filter((file) => left.includes(file))).toEqual([]);
    expect(await storage.tidy()).toMatchObject({ garbagePacksRemoved: 0 });
    await storage.settle();
    expect(nativeView(directory).pages).toEqual({ 'One.md': 'one', 'Two.md': 'two' });
  },
);

it('a pack that was given to git is not counted again', async () => {
  const directory = await newWiki();
  const { storage } = await wikiWithAbandonedPack(directory);
  // It stops before it merges the pack into another one.
  const few = () => false;
  expect(await storage.tidy(few)).toMatchObject({ garbagePacksRemoved: 1 });
  expect(await storage.tidy(few)).toMatchObject({ garbagePacksRemoved: 0 });
});

it('the first commits of a wiki stay if git cloned it onto a shared mount', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  for (const page of ['One.md', 'Two.md', 'Three.md']) await writer.put(page, page);
  await writer.storage.close();
  const clone = join(temporaryDirectory(), 'clone.git');
  git('/', ['clone', '--quiet', '--bare', directory, clone]);
  expect(packFiles(clone).filter((file) => file.endsWith('.idx'))).toHaveLength(3);
  const { put, storage } = await openWriter(clone, { placement: 'shared' });
  await put('Four.md', 'four');
  expect(await storage.tidy()).toMatchObject({ garbagePacksRemoved: 0 });
  await storage.settle();
  expect(nativeView(clone).commits).toHaveLength(4);
});

it('a commit of another branch stays, although this branch took another way', async () => {
  const directory = await newWiki();
  const main = await openWriter(directory);
  await main.put('One.md', 'one');
  await main.storage.settle();
  git(directory, ['branch', 'other', 'main']);
  // Git holds the branch, which does not reach the next commit then.
  const lock = join(directory, 'refs/heads/main.lock');
  writeFileSync(lock, '');
  await main.put('Main.md', 'main');
  git(directory, ['symbolic-ref', 'HEAD', 'refs/heads/other']);
  const other = await openWriter(directory);
  await other.put('Other.md', 'other');
  expect(await other.storage.tidy()).toMatchObject({ garbagePacksRemoved: 0 });
  rmSync(lock);
  git(directory, ['gc', '--quiet', '--prune=now']);
  git(directory, ['symbolic-ref', 'HEAD', 'refs/heads/main']);
  const again = await openWriter(directory);
  await again.storage.head();
  await again.storage.settle();
  expect(nativeView(directory).pages).toEqual({ 'Main.md': 'main', 'One.md': 'one' });
});

it('a maintenance says that it could not give a pack to git', async () => {
  const directory = await newWiki();
  const { left } = await wikiWithAbandonedPack(directory);
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name === 'unlink' && left.some((file) => path.endsWith(file))) throw fileSystemError(13, 'EACCES');
  });
  const { storage } = await openWriter(directory, { fs });
  await expect(storage.tidy()).rejects.toMatchObject({
    code: 'permission_denied',
    message: expect.stringMatching(/^Removing packs of attempts that came to nothing failed/),
  });
});

/** Two pages, and the files of a writer that stopped before it linked its commit between them. */
async function wikiWithAbandonedPack(directory: string) {
  const { put, storage } = await openWriter(directory);
  await put('One.md', 'one');
  const before = packFiles(directory);
  const { fs, frozen } = freezing(isLink);
  void (await openWriter(directory, { fs })).put('Frozen.md', 'frozen');
  await frozen;
  const left = packFiles(directory).filter((file) => !before.includes(file));
  await put('Two.md', 'two');
  return { storage, left };
}

function packFiles(directory: string): string[] {
  return readdirSync(join(directory, 'objects/pack'));
}
