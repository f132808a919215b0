import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, temporaryDirectory } from '../../../../test/native-git.ts';
import { observedFileSystem } from '../../../../test/storage/observed-file-system.ts';
import { hostAhead, nativeView, newWiki, openWriter } from '../../../../test/storage/writers.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';

const DAY = 24 * 3_600_000;
const WRITES = 6;

describe.each(['local', 'shared'] as const)('a pack of a %s wiki that was merged', (placement) => {
  it('lies there for a day without an index, and is then deleted by maintenance', async () => {
    const { directory, retired, merged } = await mergedWiki();
    expect(retired).toHaveLength(WRITES);
    await maintain(directory, DAY);
    expect(files(directory, '.pack')).toEqual([...retired, merged].sort());
    expect(files(directory, '.idx')).toHaveLength(1);
    await maintain(directory, DAY + DAY / 24 + 1);
    expect(all(directory).filter((file) => !file.startsWith(merged))).toEqual([]);
    expect(nativeView(directory).commits).toHaveLength(WRITES);
  });

  it('is also deleted by a writer that merges packs in passing, if maintenance never runs', async () => {
    const { directory, retired } = await mergedWiki();
    const writer = await openWriter(directory, { placement, host: hostAhead(2 * DAY) });
    for (let i = 0; i < 42; i += 1) await writer.put('Page 0.md', `later ${i}`);
    await writer.storage.close();
    expect(all(directory).filter((file) => retired.includes(file.replace(/\..*/, '')))).toEqual([]);
  });

  it('is deleted completely if a process died between its two files', async () => {
    const { directory, retired } = await mergedWiki();
    for (const name of retired) rmSync(join(directory, 'objects/pack', `${name}.pack`));
    await maintain(directory, 2 * DAY);
    expect(files(directory, '.merged')).toEqual([]);
  });

  it('costs a check nothing', async () => {
    const { directory, retired } = await mergedWiki();
    const opened: string[] = [];
    const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
      if (name === 'open' && retired.some((pack) => path.includes(pack))) opened.push(path);
    });
    const { storage } = await openWriter(directory, { placement, fs });
    await storage.head();
    opened.splice(0);
    expect((await storage.check()).problems).toEqual([]);
    expect(opened).toEqual([]);
  });

  it('gives its objects back if a copy lacks the pack it was merged into', async () => {
    const { directory, merged } = await mergedWiki();
    for (const ending of ['pack', 'idx']) rmSync(join(directory, 'objects/pack', `${merged}.${ending}`));
    const before = all(directory);
    await maintain(directory, 2 * DAY).catch(() => undefined);
    expect(all(directory)).toEqual(expect.arrayContaining(before));
    await expectRepaired(directory);
  });

  it('gives back the objects that the merged pack lost', async () => {
    const { directory, merged } = await mergedWiki();
    const pack = join(directory, 'objects/pack', `${merged}.pack`);
    const bytes = readFileSync(pack);
    bytes.fill(0, 40, bytes.length - 40);
    rmSync(pack);
    writeFileSync(pack, bytes);
    await expectRepaired(directory);
  });

  it('is live again, and stays, if git makes a pack of its name again', async () => {
    const { directory, retired } = await mergedWiki();
    const [again = ''] = retired;
    const marker = all(directory).find((file) => file.startsWith(`${again}.merged`)) ?? '';
    copyFileSync(join(directory, 'objects/pack', marker), join(directory, 'objects/pack', `${again}.idx`));
    // So that nothing merges it.
    writeFileSync(join(directory, 'objects/pack', `${again}.keep`), 'mine');
    await maintain(directory, 2 * DAY);
    expect(files(directory, '.pack')).toContain(again);
    expect(nativeView(directory).commits).toHaveLength(WRITES);
  });

  it('disturbs no clone, and is deleted there as in the wiki', async () => {
    const { directory, merged } = await mergedWiki();
    const clone = join(temporaryDirectory(), 'clone.git');
    git('/', ['clone', '--quiet', '--bare', directory, clone]);
    const writer = await openWriter(clone);
    await writer.put('Other.md', 'other');
    await writer.storage.close();
    expect(nativeView(clone).commits).toHaveLength(WRITES + 1);
    const late = await openWriter(clone, { host: hostAhead(2 * DAY) });
    await late.storage.tidy();
    expect((await late.storage.check()).problems).toEqual([]);
    expect(files(clone, '.merged').filter((file) => !file.startsWith(merged))).toHaveLength(1);
  });

  /** The names of the packs of its writes, and that of the pack that holds them all. */
  async function mergedWiki() {
    const directory = await newWiki({ shared: placement === 'shared' });
    const { put, storage } = await openWriter(directory, { placement });
    for (let i = 0; i < WRITES; i += 1) await put(`Page ${i}.md`, `text ${i}`);
    await storage.settle();
    const retired = files(directory, '.pack');
    await storage.tidy();
    await storage.close();
    const [merged = ''] = files(directory, '.idx');
    return { directory, retired, merged };
  }

  async function maintain(directory: string, ahead: number): Promise<void> {
    const { storage } = await openWriter(directory, { placement, host: hostAhead(ahead) });
    await storage.tidy();
    await storage.close();
  }

  async function expectRepaired(directory: string): Promise<void> {
    const { storage } = await openWriter(directory, { placement });
    expect((await storage.check()).problems).not.toEqual([]);
    expect(await storage.repair()).toMatchObject({ commit: null, lost: [], lostCommits: [] });
    expect((await storage.check()).problems).toEqual([]);
    expect(nativeView(directory).commits).toHaveLength(WRITES);
  }
});

it('leaves nothing of git gc by hand behind', async () => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  for (let i = 0; i < WRITES; i += 1) await put(`Page ${i}.md`, `text ${i}`);
  await storage.settle();
  await storage.tidy();
  await storage.close();
  git(directory, ['gc', '--quiet', '--prune=now']);
  expect(nativeView(directory).commits).toHaveLength(WRITES);
  const late = await openWriter(directory, { host: hostAhead(2 * DAY) });
  expect((await late.storage.check()).problems).toEqual([]);
  await late.storage.tidy();
  expect(files(directory, '.merged')).toEqual([]);
  expect(files(directory, '.pack')).toHaveLength(1);
});

function all(directory: string): string[] {
  return readdirSync(join(directory, 'objects/pack')).filter((file) => file.startsWith('pack-'));
}

/** The names of the packs that have a file of this ending, without it. */
function files(directory: string, ending: string): string[] {
  const found = all(directory).filter((file) => file.includes(ending));
  return found.map((file) => file.replace(/\..*/, '')).sort();
}
