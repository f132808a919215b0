import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, temporaryDirectory } from '../../../test/native-git.ts';
import { deleteRetired } from '../../../test/storage/packs.ts';
import { overwrite } from '../../../test/storage/stores.ts';
import { newWiki, openWriter, type Writer } from '../../../test/storage/writers.ts';
import type { Oid } from '../../formats/oid.ts';

describe.each(['local', 'shared'] as const)('a damaged %s wiki', (placement) => {
  it('is reported as sound, and left unchanged, if it is', async () => {
    const { open, commits } = await wiki();
    const { storage } = await open();
    expect(await storage.check()).toEqual({ commits: 4, objects: expect.any(Number), problems: [] });
    expect(await storage.repair()).toEqual({ ...NOTHING, commit: null, parent: commits[3] });
    expect(await storage.head()).toBe(commits[3]);
  });

  it('is not changed at all if nothing is wrong', async () => {
    const { directory, open } = await wiki();
    const { storage } = await open();
    await storage.tidy();
    await storage.settle();
    const before = filesOf(directory);
    await (await open()).storage.repair();
    expect(filesOf(directory)).toEqual(before);
  });

  it('that holds nothing yet is not changed by a repair', async () => {
    const directory = await newWiki({ shared: placement === 'shared' });
    const { storage } = await openWriter(directory, { placement });
    await storage.tidy();
    const before = filesOf(directory);
    expect(await storage.repair()).toEqual({ ...NOTHING, commit: null, parent: null });
    expect(filesOf(directory)).toEqual(before);
  });

  it('that is a clone is opened by a repair as by every other use, and nothing is made again', async () => {
    const { directory, commits } = await wiki();
    const clone = join(temporaryDirectory(), 'clone.git');
    git('/', ['clone', '--quiet', '--bare', directory, clone]);
    const { storage } = await openWriter(clone, { placement });
    expect(await storage.repair()).toEqual({ ...NOTHING, commit: null, parent: commits[3] });
    const names = readdirSync(join(clone, 'pagetree/chain-main')).filter((name) => name !== 'head');
    expect(names).toEqual(['0'.repeat(40)]);
  });

  it('loses no commit whose pack lacks its index, and whose names in the chain are lost as well', async () => {
    const { directory, open, commits } = await wiki();
    const [, second = '', third = '', last = ''] = commits;
    rmSync(join(directory, `objects/pack/pack-${third}.idx`));
    for (const name of [second, third]) rmSync(join(directory, 'pagetree/chain-main', name));
    const report = await (await open()).storage.repair();
    expect(report).toMatchObject({ commit: null, parent: last, lost: [], lostCommits: [], packsReplaced: 1 });
    const { storage } = await open();
    expect((await storage.check()).problems).toEqual([]);
    expect(await storage.head()).toBe(last);
  });

  it('names a commit whose root tree is lost', async () => {
    const { directory, open, commits } = await wiki();
    const tree = git(directory, ['rev-parse', `${commits[3]}^{tree}`]);
    const objects = git(directory, ['cat-file', '--batch-all-objects', '--batch-check=%(objectname)']);
    const others = objects.split('\n').filter((oid) => oid !== tree);
    git(directory, ['pack-objects', '--quiet', join(directory, 'objects/pack/pack')], others.join('\n'));
    for (const commit of commits) {
      for (const ending of ['pack', 'idx', 'keep'])
        rmSync(join(directory, 'objects/pack', `pack-${commit}.${ending}`), { force: true });
    }
    const report = await (await open()).storage.repair();
    expect(report).toMatchObject({ parent: commits[2], lostCommits: [commits[3]] });
  });

  it('is found out when a chained commit is missing, refuses writes, and can be written after a repair', async () => {
    const { directory, open, commits } = await wiki();
    remove(directory, commits[3]);
    const broken = await open();
    await expect(broken.put('Page.md', 'text')).rejects.toMatchObject({ code: 'missing_commit' });
    expect((await broken.storage.check()).problems).toMatchObject([{ commit: commits[3], path: null }]);

    const report = await broken.storage.repair();
    const lostCommits = [commits[3]];
    expect(report).toEqual({ ...NOTHING, commit: expect.any(String), parent: commits[2], lostCommits });
    const writer = await open();
    expect(await writer.put('After.md', 'after')).toMatchObject({ kind: 'committed', parent: report.commit });
    await writer.storage.settle();
    expect(pagesOf(directory)).toEqual({ 'After.md': 'after', 'One.md': 'one', 'Two.md': 'two' });
    expect((await (await open()).storage.repair()).commit).toBeNull();
    expect((await writer.storage.check()).problems).toEqual([]);
  });

  it('keeps pages that later commits hold, and names each page whose newest version is lost', async () => {
    const { directory, open, commits } = await wiki();
    remove(directory, commits[2]);
    const writer = await open();
    const report = await writer.storage.repair();
    expect(report).toMatchObject({ parent: commits[1], lost: [{ path: 'One.md', kept: 'older version' }] });
    await writer.storage.settle();
    expect(pagesOf(directory)).toEqual({ 'One.md': 'first', 'Three.md': 'three', 'Two.md': 'two' });
    expect(git(directory, ['log', '-1', '--format=%b'])).toContain('- One.md: older version kept');
  });

  it('names a page that is lost completely', async () => {
    const { directory, open, commits } = await wiki();
    remove(directory, commits[1]);
    const report = await (await open()).storage.repair();
    expect(report).toMatchObject({ parent: commits[0], lost: [{ path: 'Two.md', kept: 'nothing' }] });
  });

  it('loses only the object that a flipped byte belongs to', async () => {
    const { directory, open, commits } = await wiki();
    const path = join(directory, 'objects/pack', `pack-${commits[3]}.pack`);
    const bytes = readFileSync(path);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 24) ^ 0xff, bytes.length - 24);
    rmSync(path);
    writeFileSync(path, bytes);
    const writer = await open();
    expect((await writer.storage.check()).problems).toContainEqual(
      expect.objectContaining({ path: 'Three.md', commit: commits[3] }),
    );
    const report = await writer.storage.repair();
    expect(report).toMatchObject({ parent: commits[2], lost: [{ path: 'Three.md', kept: 'nothing' }] });
  });

  it('is repaired once if two processes try at the same time', async () => {
    const { directory, open, commits } = await wiki();
    remove(directory, commits[3]);
    const writers = await Promise.all([open(), open()]);
    const repairs = await Promise.allSettled(writers.map((writer) => writer.storage.repair()));
    const made = repairs.filter((repair) => repair.status === 'fulfilled' && repair.value.commit !== null);
    expect(made).toHaveLength(1);
    expect(
      readdirSync(join(directory, 'pagetree/chain-main')).filter((name) => name === commits[3]),
    ).toHaveLength(1);
  });

  it.each(['the name before it', 'the whole chain'])(
    'is repaired again after a repair, when it lost %s',
    async (what) => {
      const { directory, open, commits } = await wiki();
      remove(directory, commits[2]);
      const writer = await open();
      const { commit: repair } = await writer.storage.repair();
      await writer.storage.close();
      const chain = join(directory, 'pagetree/chain-main');
      rmSync(what === 'the whole chain' ? chain : join(chain, commits[3] ?? ''), { recursive: true });
      const repairer = await open();
      expect(await repairer.storage.repair()).toMatchObject({
        commit: null,
        parent: repair,
        orderRestored: true,
      });
      await repairer.storage.tidy();
      const reader = await open();
      expect(await reader.storage.head()).toBe(repair);
      expect((await reader.storage.check()).problems).toEqual([]);
      const again = await reader.put('Three.md', 'three', { requestId: 'fourth' });
      expect(again).toMatchObject({ kind: 'repeated', commit: commits[3] });
      await expect(reader.put('One.md', 'one', { requestId: 'third' })).rejects.toMatchObject({
        code: 'write_state_unknown',
      });
      await reader.storage.settle();
      expect(pagesOf(directory)).toEqual({ 'One.md': 'first', 'Three.md': 'three', 'Two.md': 'two' });
    },
  );

  it('neither reports a request as done nor applies it again if its commit is lost', async () => {
    const { directory, open, commits } = await wiki();
    remove(directory, commits[2]);
    const writer = await open();
    await writer.storage.repair();
    const again = writer.put('One.md', 'one', { requestId: 'third' });
    await expect(again).rejects.toMatchObject({ code: 'write_state_unknown' });
  });

  /** One.md, Two.md, One.md again, Three.md. */
  async function wiki() {
    const directory = await newWiki({ shared: placement === 'shared' });
    const open = (): Promise<Writer> => openWriter(directory, { placement });
    const writer = await open();
    const commits: Oid[] = [];
    const writes = [
      ['One.md', 'first', 'first'],
      ['Two.md', 'two', 'second'],
      ['One.md', 'one', 'third'],
      ['Three.md', 'three', 'fourth'],
    ] as const;
    for (const [page, text, requestId] of writes) {
      const outcome = await writer.put(page, text, { requestId });
      if (outcome.kind === 'committed') commits.push(outcome.commit);
    }
    await writer.storage.close();
    return { directory, open, commits };
  }
});

it('shows a pack again that a power cut hid, and replaces nothing', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  const outcome = await writer.put('Page.md', 'text');
  const commit = outcome.kind === 'committed' ? outcome.commit : null;
  await writer.storage.close();
  const index = join(directory, 'objects/pack', `pack-${commit}.idx`);
  renameSync(index, `${index}.tmp`);
  // It comes after the packs are settled.
  rmSync(join(directory, 'pagetree/chain-main/head'), { force: true });
  expect(await (await openWriter(directory)).storage.repair()).toEqual({
    ...NOTHING,
    commit: null,
    parent: commit,
  });
  expect(existsSync(index)).toBe(true);
});

it('replaces a damaged pack even if a name of the chain leads to no commit', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await writer.put('Page.md', 'text');
  await writer.storage.close();
  const packs = join(directory, 'objects/pack');
  const pack = readdirSync(packs).find((file) => file.endsWith('.pack')) ?? '';
  overwrite(join(packs, pack), Buffer.concat([readFileSync(join(packs, pack)), Buffer.from('more')]));
  const link = join(directory, 'pagetree/chain-main', '0'.repeat(40));
  rmSync(link);
  symlinkSync('nothing', link);
  const { storage } = await openWriter(directory);
  await expect(storage.repair()).rejects.toMatchObject({ code: 'corrupt_chain' });
  expect(existsSync(join(packs, pack))).toBe(false);
});

it('makes the last name of the chain again even if the writer of its commit merged the pack', async () => {
  const directory = await newWiki({ shared: true });
  const open = () => openWriter(directory, { placement: 'shared' });
  const writer = await open();
  for (let i = 1; i < 20; i += 1) await writer.put(`Page ${i}.md`, `${i}`);
  const before = await writer.storage.head();
  await writer.put('Newest.md', 'newest', { requestId: 'newest' });
  const newest = await writer.storage.head();
  await writer.storage.close();
  deleteRetired(directory);
  expect(existsSync(join(directory, `objects/pack/pack-${newest}.pack`))).toBe(false);
  rmSync(join(directory, 'pagetree/chain-main', `${before}`));
  const { storage, put } = await open();
  expect(await storage.repair()).toMatchObject({ commit: null, orderRestored: true });
  expect(await put('Newest.md', 'newest', { requestId: 'newest' })).toMatchObject({
    kind: 'repeated',
    commit: newest,
  });
});

const NOTHING = { lost: [], lostCommits: [], packsReplaced: 0, orderRestored: false };

function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();
}

function remove(directory: string, commit: Oid | undefined): void {
  for (const ending of ['pack', 'idx']) rmSync(join(directory, 'objects/pack', `pack-${commit}.${ending}`));
}

function pagesOf(directory: string): Record<string, string> {
  const names = git(directory, ['ls-tree', '--name-only', 'main']).split('\n');
  return Object.fromEntries(
    names.map((name) => [name, git(directory, ['cat-file', 'blob', `main:${name}`])]),
  );
}
