import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { diverged, keptForMerges } from '../../../test/storage/merges.ts';
import { mergeBoth } from '../../../test/storage/pages.ts';
import { mergeInto, pagePush } from '../../../test/storage/pushes.ts';
import {
  freezing,
  isLink,
  nativeView,
  newWiki,
  openWriter,
  type Writer,
} from '../../../test/storage/writers.ts';
import { parseCommit } from '../../formats/commit.ts';
import { objectId } from '../../formats/oid.ts';
import { encodePack } from '../../formats/packs/pack.ts';
import { indexMerge } from '../../git/received/push/index-push.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import type { ObjectReader } from '../storage.ts';

const PLACEMENTS = ['local', 'shared'] as const;

describe.each(PLACEMENTS)('a merge into a %s wiki', (placement) => {
  const shared = placement === 'shared';
  const open = (directory: string, options: Parameters<typeof openWriter>[1] = {}) =>
    openWriter(directory, { placement, ...options });
  const aWiki = async () => {
    const directory = await newWiki({ shared });
    return { directory, writer: await open(directory) };
  };

  it('is the head for every process, and git reads it once the wiki is settled', async () => {
    const { directory, writer } = await aWiki();
    const { given, head } = await diverged(writer);
    const other = await open(directory);
    await other.storage.head();
    const { kind, commit } = await mergeInto(writer.storage, given);
    expect(kind).toBe('merged');
    expect(await other.storage.head()).toBe(commit);
    expect(parseCommit((await other.storage.read(commit)).content).parents).toEqual([head, given.to]);
    expect(await other.put('Later.md', 'later')).toMatchObject({ parent: commit });
    for (const each of [writer, other]) await each.storage.settle();
    expect(Object.keys(nativeView(directory).pages)).toEqual(['Later.md', 'Old.md', 'Ours.md', 'Theirs.md']);
    expect((await other.storage.check()).problems).toEqual([]);
    expect(keptForMerges(directory)).toEqual([]);
  });

  it('gives the first answer again, from every process and after later commits', async () => {
    const { directory, writer } = await aWiki();
    const { given } = await diverged(writer);
    const merged = await mergeInto(writer.storage, given);
    expect(await mergeInto(writer.storage, given)).toEqual(merged);
    await writer.put('Later.md', 'later');
    expect(await mergeInto((await open(directory)).storage, { ...given, pack: null })).toEqual(merged);
    await writer.storage.settle();
    expect(nativeView(directory).commits).toHaveLength(5);
  });

  // All commits have the same date, so that the wiki's own ones are met as if they were new.
  it('may repeat commits of the wiki that the other side could not know to be there', async () => {
    const { writer } = await aWiki();
    const own: string[] = [];
    for (let count = 0; count < 9; count += 1) {
      const { commit } = (await writer.put(`Own ${count}.md`, 'own')) as { commit: string };
      own.push(commit);
    }
    const given = await pagePush(writer.storage, own[5] ?? null, 'Theirs.md', 'theirs');
    const objects = await Promise.all(own.slice(0, 6).map((commit) => writer.storage.read(commit)));
    const pack = encodePack([...objects, ...given.made]).packBytes;
    const { kind, commit } = await mergeInto(writer.storage, { to: given.to, pack });
    expect(kind).toBe('merged');
    expect(parseCommit((await writer.storage.read(commit)).content).parents).toEqual([own[8], given.to]);
    expect((await writer.storage.check()).problems).toEqual([]);
  });

  it('is built again if a writer comes first, and both changes are there', async () => {
    const { directory, writer } = await aWiki();
    const { given } = await diverged(writer);
    const { fs, frozen, thaw } = freezing(isLink);
    const slow = await open(directory, { fs });
    const slowly = mergeInto(slow.storage, given);
    await frozen;
    const { commit: head } = (await writer.put('First.md', 'first')) as { commit: string };
    await writer.storage.settle();
    await writer.storage.tidy();
    if (!shared) git(directory, ['gc', '--quiet', '--prune=now']);
    thaw();
    const { commit } = await slowly;
    expect(parseCommit((await writer.storage.read(commit)).content).parents).toEqual([head, given.to]);
    await slow.storage.settle();
    const { pages } = nativeView(directory);
    expect(Object.keys(pages)).toEqual(['First.md', 'Old.md', 'Ours.md', 'Theirs.md']);
    expect(keptForMerges(directory)).toEqual([]);
  });

  it('lands once if two processes merge the same commit at once', async () => {
    const { directory, writer } = await aWiki();
    const { given } = await diverged(writer);
    const { fs, frozen, thaw } = freezing(isLink);
    const slow = await open(directory, { fs });
    const slowly = mergeInto(slow.storage, given);
    await frozen;
    const merged = await mergeInto(writer.storage, given);
    thaw();
    expect(await slowly).toEqual(merged);
    for (const { storage } of [slow, writer]) await storage.settle();
    expect(nativeView(directory).commits).toHaveLength(4);
    // The loser may remove nothing that the winner needs.
    expect(keptForMerges(directory)).toEqual([]);
    if (!shared) git(directory, ['gc', '--quiet', '--prune=now']);
    expect((await (await open(directory)).storage.check()).problems).toEqual([]);
  });

  it('that could move the branch on makes a merge commit if a writer comes first', async () => {
    const { directory, writer } = await aWiki();
    await writer.put('Old.md', 'old');
    const given = await pagePush(writer.storage, await writer.storage.head(), 'Theirs.md', 'theirs');
    const { fs, frozen, thaw } = freezing(isLink);
    const slow = await open(directory, { fs });
    const slowly = mergeInto(slow.storage, given);
    await frozen;
    const { commit: head } = (await writer.put('First.md', 'first')) as { commit: string };
    thaw();
    const { kind, commit } = await slowly;
    expect(kind).toBe('merged');
    expect(parseCommit((await writer.storage.read(commit)).content).parents).toEqual([head, given.to]);
    await slow.storage.settle();
    expect(Object.keys(nativeView(directory).pages)).toEqual(['First.md', 'Old.md', 'Theirs.md']);
  });

  it('finds what came in meanwhile with a later commit, and writes nothing', async () => {
    const { directory, writer } = await aWiki();
    const { given } = await diverged(writer);
    const slow = await open(directory);
    const later = await laterThan(given, writer);
    let head = '';
    const merged = await slow.storage.merge({
      foreign: given.to,
      receive: async (onto) => {
        const received = await indexMerge(onto, { commit: given.to, pack: given.pack }, slow.storage);
        head = (await mergeInto(writer.storage, later)).commit;
        return received;
      },
      build: (base, transaction) => mergeBoth(base, given.to, transaction),
    });
    expect(merged).toEqual({ kind: 'contained', commit: head });
    await slow.storage.settle();
    expect(await writer.storage.head()).toBe(head);
    expect(nativeView(directory).commits).toHaveLength(5);
  });

  it('proves nothing about requests, whatever the merged messages say', async () => {
    const { writer } = await aWiki();
    const message = 'Look\n\nRequest-Id: 7\nRequest-Digest: the-same\nNonce: 1\n';
    const { given } = await diverged(writer, message);
    await mergeInto(writer.storage, given);
    const request = { requestId: '7', digest: 'the-same' };
    expect(await writer.put('Page.md', 'text', request)).toMatchObject({ kind: 'committed' });
    expect(await writer.put('Page.md', 'text', request)).toMatchObject({ kind: 'repeated' });
    const own = { requestId: `merged-commit-${'f'.repeat(40)}` };
    await expect(writer.put('A.md', 'a', own)).rejects.toMatchObject({ code: 'request_reused' });
  });

  it('is found again by a repair if the chain is lost, with its request', async () => {
    const { directory, writer } = await aWiki();
    const { given } = await diverged(writer);
    const merged = await mergeInto(writer.storage, given);
    const { commit: head } = (await writer.put('Later.md', 'later')) as { commit: string };
    await writer.storage.settle();
    await writer.storage.close();
    rmSync(join(directory, 'pagetree/chain-main'), { recursive: true });
    const cold = await open(directory);
    expect((await cold.storage.repair()).orderRestored).toBe(true);
    expect(await cold.storage.head()).toBe(head);
    expect(await mergeInto(cold.storage, given)).toEqual(merged);
    expect(await cold.put('Last.md', 'last')).toMatchObject({ kind: 'committed', parent: head });
    await cold.storage.settle();
    expect((await cold.storage.check()).problems).toEqual([]);
    expect(nativeView(directory).commits).toHaveLength(6);
  });

  it('that holds a commit of the wiki whose name in the chain is lost is refused', async () => {
    const { directory, writer } = await aWiki();
    const first = (await writer.put('A.md', 'a')) as { commit: string };
    const second = (await writer.put('B.md', 'b')) as { commit: string };
    const given = await pagePush(writer.storage, second.commit, 'Theirs.md', 'theirs');
    await writer.storage.close();
    rmSync(join(directory, 'pagetree/chain-main', first.commit));
    rmSync(join(directory, 'pagetree/chain-main', 'head'), { force: true });
    if (!shared) git(directory, ['update-ref', 'refs/heads/main', first.commit]);
    const cold = await open(directory);
    await expect(mergeInto(cold.storage, given)).rejects.toMatchObject({ code: 'corrupt_chain' });
    // Nor after the wiki went on without them.
    await cold.put('C.md', 'c');
    await expect(mergeInto(cold.storage, given)).rejects.toMatchObject({ code: 'corrupt_chain' });
  });

  it('leaves nothing if it cannot be built, and its pack if nobody knows whether it is linked', async () => {
    const { directory, writer } = await aWiki();
    const { given } = await diverged(writer);
    await writer.storage.settle();
    const before = packs(directory);
    const failing = writer.storage.merge({
      foreign: given.to,
      receive: (head) => indexMerge(head, { commit: given.to, pack: given.pack }, writer.storage),
      build: async () => {
        throw new Error('not today');
      },
    });
    await expect(failing).rejects.toThrow('not today');
    await writer.storage.settle();
    expect(keptForMerges(directory)).toEqual([]);
    if (shared) expect(packs(directory)).toEqual(before);
    const fs = {
      ...nodeFileSystem,
      symlink: async (target: string, path: string) => {
        if (path.includes('/chain-main/')) throw Object.assign(new Error('EIO'), { code: 'EIO', errno: -5 });
        return nodeFileSystem.symlink(target, path);
      },
    };
    const failed = await open(directory, { fs });
    await expect(mergeInto(failed.storage, given)).rejects.toMatchObject({ code: 'write_state_unknown' });
    await failed.storage.settle().catch(() => undefined);
    expect(packs(directory).length).toBeGreaterThanOrEqual(before.length + 2);
    expect(keptForMerges(directory)).toHaveLength(shared ? 0 : 1);
    expect((await mergeInto(writer.storage, given)).kind).toBe('merged');
    await writer.storage.settle();
    await writer.storage.tidy();
    expect(keptForMerges(directory)).toEqual([]);
    expect(Object.keys(nativeView(directory).pages)).toEqual(['Old.md', 'Ours.md', 'Theirs.md']);
  });
});

/** A later commit of the other side, with everything before it. */
async function laterThan(given: Awaited<ReturnType<typeof pagePush>>, { storage }: Writer) {
  const objects: ObjectReader = {
    read: async (oid) =>
      given.made.find(({ type, content }) => objectId(type, content) === oid) ?? storage.read(oid),
  };
  const later = await pagePush(objects, given.to, 'More.md', 'more');
  return { to: later.to, pack: encodePack([...given.made, ...later.made]).packBytes };
}

function packs(directory: string): string[] {
  return readdirSync(join(directory, 'objects/pack')).filter((file) => file.endsWith('.pack'));
}
