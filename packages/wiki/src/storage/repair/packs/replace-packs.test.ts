import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onlyPack } from '../../../../test/damaged-packs.ts';
import { bareRepository, git, gitBytes } from '../../../../test/native-git.ts';
import { faultyFileSystem } from '../../../../test/storage/file-systems/faulty-file-system.ts';
import { runInCalls } from '../../../../test/storage/maintenance/run-in-calls.ts';
import { fileSystemError, observedFileSystem } from '../../../../test/storage/observed-file-system.ts';
import { overwrite } from '../../../../test/storage/stores.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { nodeHost } from '../../files/node-host.ts';
import { layoutOf } from '../../layout.ts';
import type { Run, RunMemory } from '../../maintenance/run.ts';
import { replaceDamagedPacks } from './replace-packs.ts';

it('a damaged pack and the files beside it go where git does not look, and what can be read stays', async () => {
  const wiki = damagedWiki(['One.\n', 'Two.\n']);
  const old = Object.fromEntries(wiki.files().map((file) => [file, readFileSync(join(wiki.packs, file))]));
  expect(Object.keys(old)).toContain('multi-pack-index');
  await wiki.replace();
  const { 'multi-pack-index': _, ...ofPack } = old;
  const setAside = readdirSync(wiki.layout.damaged);
  expect(setAside.sort()).toEqual(Object.keys(ofPack).sort());
  for (const file of setAside) expect(readFileSync(join(wiki.layout.damaged, file))).toEqual(old[file]);
  expect(wiki.files().filter((file) => file in old)).toEqual([]);
  for (const file of wiki.files()) expect(file).toMatch(/^pack-[0-9a-f]{40}\.(pack|idx)$/);
  expect(wiki.replaced).toEqual([[wiki.name]]);
  wiki.expectReadable();
});

it.each([
  ['keeps what a repair copied from a kept pack', true],
  ['lets git pack what a repair copied from a pack that was not kept', false],
])('the wiki %s', async (_, isKept) => {
  const wiki = damagedWiki(['One.\n']);
  if (isKept) writeFileSync(join(wiki.packs, `pack-${wiki.name}.keep`), 'note');
  await wiki.replace();
  const [copy = ''] = wiki.files().filter((file) => file.endsWith('.pack'));
  const keep = copy.replace(/pack$/, 'keep');
  expect(existsSync(join(wiki.packs, keep))).toBe(isKept);
  // Before git can see the pack.
  expect(wiki.kept).toEqual(isKept ? [{ keep, indexes: 1 }] : []);
  expect(existsSync(join(wiki.layout.damaged, `pack-${wiki.name}.keep`))).toBe(isKept);
});

it('a kept pack is replaced where no git works beside the wiki', async () => {
  const wiki = damagedWiki(['One.\n']);
  writeFileSync(join(wiki.packs, `pack-${wiki.name}.keep`), '');
  await wiki.replace({ keeps: false });
  expect(wiki.files().filter((file) => file.endsWith('.keep'))).toEqual([]);
  wiki.expectReadable();
});

it('a pack that a frozen process may still finish is copied once, and stays', async () => {
  const wiki = damagedWiki(['One.\n']);
  const memory: RunMemory = { slots: {}, lists: {} };
  const before = wiki.files();
  for (let call = 0; call < 2; call += 1) await wiki.replace({ memory, mayGoOn: true });
  expect(wiki.files()).toEqual(expect.arrayContaining(before));
  expect(wiki.replaced).toEqual([[]]);
  expect(existsSync(wiki.layout.damaged)).toBe(false);
  wiki.expectReadable({ isSound: false });
});

it.each([1, 1_000])('large objects are copied bit by bit, in calls of %d steps', async (steps) => {
  const contents = [1, 2, 3, 4].map((byte) => Buffer.alloc(1_500_000, byte));
  const wiki = damagedWiki(contents);
  const { calls } = await wiki.replace({ steps });
  wiki.expectReadable();
  const copies = wiki.files().filter((file) => file.endsWith('.idx'));
  const objects = copies.flatMap((file) =>
    git(wiki.directory, ['show-index'], readFileSync(join(wiki.packs, file))).split('\n'),
  );
  if (steps === 1) {
    expect(calls).toBeGreaterThan(3);
    // Each call may copy again what the one before it copied last.
    expect(objects.length).toBeLessThan(contents.length + calls);
  } else {
    // Three objects take more than is in memory at once.
    expect(wiki.replaced).toEqual([[], [wiki.name]]);
    expect(objects).toHaveLength(contents.length);
  }
});

it('a pack of which nothing can be read leaves no other pack', async () => {
  const wiki = damagedWiki([]);
  await wiki.replace();
  expect(wiki.files()).toEqual([]);
  expect(wiki.replaced).toEqual([]);
  expect(readdirSync(wiki.layout.damaged)).toContain(`pack-${wiki.name}.pack`);
});

it('a pack that another repair took away is no failure, and a disk that fails is one', async () => {
  const wiki = damagedWiki(['One.\n']);
  await wiki.replace({ name: '12'.repeat(20) });
  expect(wiki.replaced).toEqual([]);
  for (let at = 0; at < 3; at += 1) {
    const fs = faultyFileSystem(nodeFileSystem, { error: 'EIO', at, moment: 'lasting' });
    await expect(wiki.replace({ fs })).rejects.toMatchObject({ code: 'io_error' });
  }
  expect(existsSync(join(wiki.packs, `pack-${wiki.name}.pack`))).toBe(true);
});

it.each([
  ['a damaged pack stays until the copy of what it holds is synced', 1, true],
  ['a damaged pack is replaced only when the move of it is synced too', 2, false],
])('%s', async (_, failing, stays) => {
  const wiki = damagedWiki(['One.\n']);
  let syncs = 0;
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name === 'sync' && path === wiki.packs) syncs += 1;
    if (name === 'sync' && path === wiki.packs && syncs === failing) throw fileSystemError(5, 'EIO');
  });
  await expect(wiki.replace({ fs })).rejects.toMatchObject({ code: 'io_error' });
  expect(existsSync(join(wiki.packs, `pack-${wiki.name}.pack`))).toBe(stays);
});

/** One pack of these contents and of one object more, which is damaged, with all that git puts beside it. */
function damagedWiki(contents: readonly (string | Buffer)[]) {
  const directory = bareRepository();
  const lost = 'An object that is lost.\n';
  const oids = [lost, ...contents].map((content) =>
    git(directory, ['hash-object', '-w', '--stdin'], content),
  );
  const layout = layoutOf(directory, 'main');
  git(directory, ['pack-objects', '--quiet', join(layout.packs, 'pack')], `${oids.join('\n')}\n`);
  git(directory, ['prune-packed']);
  const pack = onlyPack(directory);
  const [, name = ''] = /pack-([0-9a-f]{40})\.pack$/.exec(pack) ?? [];
  git(directory, ['multi-pack-index', 'write']);
  for (const ending of ['rev', 'bitmap']) {
    const path = pack.replace(/pack$/, ending);
    if (!existsSync(path)) writeFileSync(path, ending);
  }
  damage(directory, pack, oids[0] ?? '');
  const replaced: (readonly string[])[] = [];
  const kept: { keep: string; indexes: number }[] = [];
  const files = () => readdirSync(layout.packs).sort();
  const makeKeep = async (path: string) => {
    kept.push({
      keep: path.slice(layout.packs.length + 1),
      indexes: files().filter((file) => file.endsWith('.idx')).length,
    });
    writeFileSync(path, '');
  };
  return {
    directory,
    layout,
    packs: layout.packs,
    name,
    replaced,
    kept,
    files,
    replace({
      name: which = name,
      steps = 1_000,
      mayGoOn = false,
      keeps = true,
      fs = nodeFileSystem,
      memory = EMPTY(),
    } = {}) {
      const parts = {
        fs,
        host: nodeHost(),
        layout,
        makeKeep: keeps ? makeKeep : undefined,
        objects: { replacePacks: async (_: string, gone: readonly string[]) => void replaced.push(gone) },
      };
      const damaged = [{ name: which, text: '', mayGoOn }];
      return runInCalls(steps, (run: Run) => replaceDamagedPacks(parts, damaged, run), memory);
    },
    expectReadable({ isSound = true } = {}) {
      for (const [at, content] of contents.entries()) {
        const read = gitBytes(directory, ['cat-file', 'blob', oids[at + 1] ?? '']);
        expect(read.equals(Buffer.from(content))).toBe(true);
      }
      if (isSound) git(directory, ['fsck', '--strict']);
    },
  };
}

const EMPTY = (): RunMemory => ({ slots: {}, lists: {} });

function damage(directory: string, pack: string, oid: string): void {
  const lines = git(directory, ['verify-pack', '-v', pack]).split('\n');
  const [, , , length, offset] = lines.find((line) => line.startsWith(oid))?.split(/\s+/) ?? [];
  const bytes = readFileSync(pack);
  const last = Number(offset) + Number(length) - 1;
  bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last);
  overwrite(pack, bytes);
}
