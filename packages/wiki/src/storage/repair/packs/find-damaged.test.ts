import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bareRepository, git } from '../../../../test/native-git.ts';
import { faultyFileSystem } from '../../../../test/storage/file-systems/faulty-file-system.ts';
import { runInCalls } from '../../../../test/storage/maintenance/run-in-calls.ts';
import { observedFileSystem } from '../../../../test/storage/observed-file-system.ts';
import { overwrite } from '../../../../test/storage/stores.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { PACKED_OBJECTS, Run, type RunMemory } from '../../maintenance/run.ts';
import { findDamagedPacks, lookAtUnlinkedAgain } from './damaged-packs.ts';

it('a check finds each kind of damage to a pack, reads each sound pack once, and counts its objects', async () => {
  const wiki = repository();
  const sound = wiki.pack('One.', 'Two.');
  const [swapped, other] = [wiki.pack('Three.', 'Four.'), wiki.pack('Five.', 'Six.')];
  copyFileSync(wiki.path(other, 'idx'), wiki.path(swapped, 'new'));
  overwrite(wiki.path(swapped, 'idx'), readFileSync(wiki.path(swapped, 'new')));
  const torn = wiki.pack('Seven.');
  flip(wiki.path(torn, 'pack'), -30);
  const ofIndex = wiki.pack('Eight.');
  flip(wiki.path(ofIndex, 'idx'), -50);
  for (const file of [`x-pack-${sound}.pack`, `pack-${sound}.pack.tmp`]) wiki.write(file, 'no pack');
  const expected = [swapped, torn, ofIndex].sort();
  for (const steps of [1, 100]) {
    const memory: RunMemory = { slots: {}, lists: {} };
    const opened: string[] = [];
    const { report, calls } = await runInCalls(steps, wiki.find(observing(opened)), memory);
    expect(report.map(({ name, mayGoOn }) => [name, mayGoOn])).toEqual(expected.map((name) => [name, false]));
    expect(calls > 3).toBe(steps === 1);
    expect(opened.filter((path) => path.endsWith(`${sound}.pack`))).toHaveLength(1);
    // An index of two objects each for the sound packs, and for the swapped one.
    expect(memory.slots[PACKED_OBJECTS]?.value).toBe(6);
    opened.length = 0;
    expect((await runInCalls(steps, wiki.find(observing(opened)), memory)).report).toEqual(report);
    expect(opened).toEqual([]);
  }
});

it.each<[string, { hasOther: boolean; isDamaged?: boolean; isCopied?: boolean }, boolean]>([
  ['is looked at if the pack into which it was merged is missing, as in a copy', { hasOther: false }, true],
  ['is passed over beside that pack', { hasOther: true }, false],
  ['is looked at beside that pack if another pack is damaged', { hasOther: true, isDamaged: true }, true],
  ['is sound if others hold its objects', { hasOther: false, isCopied: true }, false],
])('a pack that was merged %s', async (_, { hasOther, isDamaged = false, isCopied = false }, isFound) => {
  const wiki = repository();
  const retired = wiki.pack('One.', 'Two.');
  const into = wiki.pack('Three.');
  rmSync(wiki.path(retired, 'idx'));
  if (isCopied) for (const text of ['One.', 'Two.']) wiki.blob(text);
  wiki.write(`pack-${retired}.merged-2030-01-01T00-${into.slice(0, 12)}`, '');
  const torn = isDamaged ? wiki.pack('Four.') : null;
  if (torn !== null) flip(wiki.path(torn, 'pack'), -30);
  if (!hasOther) for (const ending of ['pack', 'idx']) rmSync(wiki.path(into, ending));
  for (const steps of [1, 100]) {
    const { report } = await runInCalls(steps, wiki.find());
    const found = report.filter(({ name }) => name === retired);
    expect(found.map(({ mayGoOn }) => mayGoOn)).toEqual(isFound ? [false] : []);
    expect(report).toHaveLength((isFound ? 1 : 0) + (isDamaged ? 1 : 0));
  }
});

it('a pack without an index that no writer of a commit made is copied if its objects are nowhere else', async () => {
  const wiki = repository();
  const unfinished = wiki.pack('One.', 'Two.');
  rmSync(wiki.path(unfinished, 'idx'));
  const find = async (steps: number) => (await runInCalls(steps, wiki.find())).report;
  for (const steps of [1, 100])
    expect(await find(steps)).toMatchObject([{ name: unfinished, mayGoOn: true }]);
  wiki.blob('One.');
  for (const steps of [1, 100]) expect(await find(steps)).toHaveLength(1);
  wiki.blob('Two.');
  for (const steps of [1, 100]) expect(await find(steps)).toEqual([]);
});

it("a writer's pack without an index is needed once the chain names its commit", async () => {
  const wiki = repository();
  const tree = git(wiki.directory, ['mktree'], '');
  const text = `tree ${tree}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nm\n`;
  const commit = git(wiki.directory, ['hash-object', '-w', '-t', 'commit', '--stdin'], text);
  const made = wiki.packOf([commit]);
  for (const ending of ['pack', 'idx']) copyFileSync(wiki.path(made, ending), wiki.path(commit, ending));
  for (const ending of ['pack', 'idx', 'rev']) rmSync(wiki.path(made, ending), { force: true });
  rmSync(wiki.path(commit, 'idx'));
  wiki.pack('One.');
  const memory: RunMemory = { slots: {}, lists: {} };
  let isChained = false;
  const isChainedNow = async (name: string) => isChained && name === commit;
  const find = () => runInCalls(100, wiki.find(nodeFileSystem, isChainedNow), memory);
  expect((await find()).report).toEqual([]);
  lookAtUnlinkedAgain(new Run({ memory, goOn: () => true, checkpoint: () => undefined }));
  isChained = true;
  expect((await find()).report).toMatchObject([{ name: commit, mayGoOn: false }]);
  lookAtUnlinkedAgain(new Run({ memory, goOn: () => true, checkpoint: () => undefined }));
  expect((await find()).report).toHaveLength(1);
});

it('a disk that fails ends a check of the packs', async () => {
  const wiki = repository();
  wiki.pack('One.');
  for (let at = 0; at < 4; at += 1) {
    const fs = faultyFileSystem(nodeFileSystem, { error: 'EIO', at, moment: 'lasting' });
    await expect(runInCalls(100, wiki.find(fs))).rejects.toMatchObject({ code: 'io_error' });
  }
});

function repository() {
  const directory = bareRepository();
  const packs = join(directory, 'objects/pack');
  const path = (name: string, ending: string) => join(packs, `pack-${name}.${ending}`);
  const blob = (text: string) => git(directory, ['hash-object', '-w', '--stdin'], text);
  const packOf = (oids: readonly string[]) => {
    const name = git(directory, ['pack-objects', '--quiet', join(packs, 'pack')], `${oids.join('\n')}\n`);
    git(directory, ['prune-packed']);
    return name;
  };
  return {
    directory,
    path,
    blob,
    packOf,
    pack: (...texts: string[]) => packOf(texts.map(blob)),
    write: (file: string, text: string) => writeFileSync(join(packs, file), text),
    find:
      (fs: FileSystem = nodeFileSystem, isChained = async (_: string) => false) =>
      (run: Run) =>
        findDamagedPacks({ fs, directory: packs, isChained }, run),
  };
}

function observing(opened: string[]): FileSystem {
  return observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name === 'open') opened.push(path);
  });
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  const place = bytes.length + at;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  overwrite(path, bytes);
}
