import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { pagePush, pushTo } from '../../../test/storage/pushes.ts';
import {
  endedHost,
  freezing,
  isLink,
  nativeView,
  newWiki,
  openWriter,
} from '../../../test/storage/writers.ts';
import { parseCommit } from '../../formats/commit.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { layoutOf } from '../layout.ts';
import { parsePushNote } from '../packs/push-note.ts';
import { wasMadeHere } from '../repair/chain/made-here.ts';
import type { CommitOutcome } from '../storage.ts';

const PLACEMENTS = ['local', 'shared'] as const;

describe.each(PLACEMENTS)('a push into a %s wiki', (placement) => {
  const aWiki = () => newWiki({ shared: placement === 'shared' });

  it('is the head for every process, and git reads it once the wiki is settled', async () => {
    const directory = await aWiki();
    const writer = await openWriter(directory, { placement });
    await writer.put('Old.md', 'old');
    const other = await openWriter(directory, { placement });
    const push = await pagePush(writer.storage, await other.storage.head(), 'New.md', 'new');
    expect(await pushTo(writer.storage, push)).toEqual({ kind: 'landed' });
    expect(await other.storage.head()).toBe(push.to);
    expect(await other.put('Later.md', 'later')).toMatchObject({ kind: 'committed', parent: push.to });
    await other.storage.settle();
    expect(nativeView(directory).pages).toEqual({ 'Later.md': 'later', 'New.md': 'new', 'Old.md': 'old' });
    expect(readlinkSync(join(directory, 'pagetree/chain-main', push.from ?? ''))).toBe(`adopted-${push.to}`);
  });

  it('begins an empty wiki', async () => {
    const directory = await aWiki();
    const { storage, put } = await openWriter(directory, { placement });
    const push = await pagePush(storage, null, 'New.md', 'new');
    expect(await pushTo(storage, push)).toEqual({ kind: 'landed' });
    await put('Later.md', 'later');
    await storage.settle();
    expect(nativeView(directory).commits).toHaveLength(2);
  });

  it('is refused if another commit came first, whenever that was', async () => {
    const directory = await aWiki();
    const { storage, put } = await openWriter(directory, { placement });
    const { commit: head } = (await put('Old.md', 'old')) as { commit: string };
    const push = await pagePush(storage, head, 'New.md', 'new');
    const { fs, frozen, thaw } = freezing(isLink);
    const slow = pushTo((await openWriter(directory, { placement, fs })).storage, push);
    await frozen;
    const { commit } = (await put('Other.md', 'other')) as { commit: string };
    thaw();
    const moved = { kind: 'moved', head: commit };
    expect(await slow).toEqual(moved);
    expect(await pushTo(storage, push)).toEqual(moved);
    const onNothing = await pagePush(storage, null, 'New.md', 'new');
    expect(await pushTo(storage, onNothing)).toEqual(moved);
    await storage.settle();
    expect(nativeView(directory).pages).toEqual({ 'Old.md': 'old', 'Other.md': 'other' });
  });

  it('succeeds again if it is repeated, even after later commits', async () => {
    const directory = await aWiki();
    const { storage, put } = await openWriter(directory, { placement });
    await put('Old.md', 'old');
    const push = await pagePush(storage, await storage.head(), 'New.md', 'new');
    await pushTo(storage, push);
    expect(await pushTo(storage, push)).toEqual({ kind: 'repeated' });
    const { commit: head } = (await put('Later.md', 'later')) as { commit: string };
    expect(await pushTo(storage, push)).toEqual({ kind: 'repeated' });
    // The same commit, but now it would take back the later one.
    await expect(pushTo(storage, { ...push, from: head })).rejects.toMatchObject({
      code: 'version_conflict',
      data: { reason: 'non_fast_forward', head },
    });
    const { commit: newest } = (await put('Last.md', 'last')) as { commit: string };
    expect(await pushTo(storage, { ...push, from: head })).toEqual({ kind: 'moved', head: newest });
    expect(await storage.head()).toBe(newest);
  });

  it('lands once if two processes push the same commit at once', async () => {
    const directory = await aWiki();
    const first = await openWriter(directory, { placement });
    await first.put('Old.md', 'old');
    const push = await pagePush(first.storage, await first.storage.head(), 'New.md', 'new');
    const { fs, frozen, thaw } = freezing(isLink);
    const slow = await openWriter(directory, { placement, fs });
    const slowly = pushTo(slow.storage, push);
    await frozen;
    expect(await pushTo(first.storage, push)).toEqual({ kind: 'landed' });
    thaw();
    expect((await slowly).kind).toMatch(/landed|repeated/);
    await slow.storage.settle();
    // The loser may remove nothing that the winner needs.
    expect(nativeView(directory).commits).toHaveLength(2);
  });

  it('proves nothing about requests, whatever its messages say', async () => {
    const directory = await aWiki();
    const { storage, put } = await openWriter(directory, { placement });
    await put('Old.md', 'old');
    const digest = 'the-same';
    const message = `Look\n\nRequest-Id: 7\nRequest-Digest: ${digest}\nNonce: 1\n`;
    const push = await pagePush(storage, await storage.head(), 'New.md', 'new', message);
    await pushTo(storage, push);
    expect(await put('Page.md', 'text', { requestId: '7', digest })).toMatchObject({ kind: 'committed' });
    const cold = await openWriter(directory, { placement });
    expect(await cold.put('Page.md', 'text', { requestId: '7', digest })).toMatchObject({ kind: 'repeated' });
    // Nor where no chain says that it was pushed.
    const text = parseCommit((await cold.storage.read(push.to)).content);
    expect(await wasMadeHere(nodeFileSystem, layoutOf(directory, 'main'), push.to, text)).toBe(false);
    await cold.storage.settle();
    expect(nativeView(directory).commits).toHaveLength(3);
  });

  it('makes sure first of the request of the commit before it', async () => {
    const directory = await aWiki();
    const { storage, put } = await openWriter(directory, { placement });
    await put('Page.md', 'text', { requestId: '1', digest: 'd' });
    await pushTo(storage, await pagePush(storage, await storage.head(), 'New.md', 'new'));
    await put('Later.md', 'later');
    const cold = await openWriter(directory, { placement });
    expect(await cold.put('Page.md', 'text', { requestId: '1', digest: 'd' })).toMatchObject({
      kind: 'repeated',
    });
  });

  it('does not disturb a write that loses to it', async () => {
    const directory = await aWiki();
    const { storage, put } = await openWriter(directory, { placement });
    await put('Old.md', 'old');
    const { fs, frozen, thaw } = freezing(isLink);
    const slowly = (await openWriter(directory, { placement, fs })).put('Slow.md', 'slow');
    await frozen;
    const push = await pagePush(storage, await storage.head(), 'New.md', 'new');
    await pushTo(storage, push);
    thaw();
    expect(await slowly).toMatchObject({ kind: 'committed', parent: push.to, replays: 1 });
    await storage.settle();
    expect(Object.keys(nativeView(directory).pages)).toEqual(['New.md', 'Old.md', 'Slow.md']);
  });

  it('lands one for each parent in a race of pushes and writes, and every acknowledged one is there once', async () => {
    const directory = await aWiki();
    const writers = await Promise.all([0, 1, 2, 3].map(() => openWriter(directory, { placement })));
    const written: string[] = [];
    const pushed: string[] = [];
    const lost: string[] = [];
    await Promise.all(
      writers.map(async ({ storage, put }, at) => {
        for (let round = 0; round < 8; round += 1) {
          const page = `${at % 2 === 0 ? 'w' : 'p'}${at}-${round}.md`;
          if (at % 2 === 0) {
            const { commit } = (await put(page, page)) as Extract<CommitOutcome, { kind: 'committed' }>;
            written.push(commit);
            await wait(30);
            continue;
          }
          for (let isLanded = false; !isLanded; ) {
            const push = await pagePush(storage, await storage.head(), page, page);
            isLanded = (await pushTo(storage, push)).kind === 'landed';
            (isLanded ? pushed : lost).push(push.to);
          }
        }
      }),
    );
    for (const { storage } of writers) await storage.settle();
    const { commits } = nativeView(directory);
    expect([written.length, pushed.length]).toEqual([16, 16]);
    expect(lost).not.toEqual([]);
    expect([...commits].sort()).toEqual([...written, ...pushed].sort());
    expect(git(directory, ['rev-list', '--merges', 'main'])).toBe('');
    for (const commit of lost) expect(commits).not.toContain(commit);
  });
});

it('the pack of a push is kept from git and from maintenance until its commit is in the branch', async () => {
  const directory = await newWiki();
  const { storage, put } = await openWriter(directory);
  await put('Old.md', 'old');
  await storage.settle();
  const push = await pagePush(storage, await storage.head(), 'New.md', 'new');
  const { fs, frozen, thaw } = freezing(isLink);
  const pusher = await openWriter(directory, { fs });
  const slowly = pushTo(pusher.storage, push);
  await frozen;
  await storage.tidy();
  git(directory, ['gc', '--quiet', '--prune=now']);
  thaw();
  expect(await slowly).toEqual({ kind: 'landed' });
  await pusher.storage.settle();
  expect(nativeView(directory).pages).toEqual({ 'New.md': 'new', 'Old.md': 'old' });
  expect(keptFiles(directory)).toEqual([]);
});

it.each([
  ['linked', 'rename', 'refs/heads/main'],
  ['lost', 'symlink', '/chain-main/'],
])('maintenance releases the pack of a push whose process died when it was %s', async (how, name, place) => {
  const directory = await newWiki();
  const { storage, put } = await openWriter(directory);
  await put('Old.md', 'old');
  const push = await pagePush(storage, await storage.head(), 'New.md', 'new');
  const { fs, frozen } = freezing((call) => call.name === name && call.path.includes(place));
  void pushTo((await openWriter(directory, { fs, host: endedHost() })).storage, push);
  await frozen;
  expect(keptFiles(directory)).toHaveLength(1);
  await storage.tidy();
  // Until another commit comes first, the process may thaw and link.
  expect(keptFiles(directory)).toHaveLength(how === 'linked' ? 0 : 1);
  await put('Later.md', 'later');
  await storage.settle();
  await storage.tidy();
  expect(keptFiles(directory)).toEqual([]);
  git(directory, ['gc', '--quiet', '--prune=now']);
  expect(Object.keys(nativeView(directory).pages)).toEqual(
    how === 'linked' ? ['Later.md', 'New.md', 'Old.md'] : ['Later.md', 'Old.md'],
  );
});

it('a push that holds a commit of the wiki whose name in the chain is lost is refused', async () => {
  const directory = await newWiki({ shared: true });
  const { storage, put } = await openWriter(directory, { placement: 'shared' });
  const first = (await put('A.md', 'a')) as { commit: string };
  const second = (await put('B.md', 'b')) as { commit: string };
  const push = await pagePush(storage, second.commit, 'New.md', 'new');
  rmSync(join(directory, 'pagetree/chain-main', first.commit));
  const cold = await openWriter(directory, { placement: 'shared' });
  await expect(pushTo(cold.storage, { ...push, from: first.commit })).rejects.toMatchObject({
    code: 'corrupt_chain',
  });
});

/** The `.keep` files of pushes. */
function keptFiles(directory: string): string[] {
  const packs = join(directory, 'objects/pack');
  const files = readdirSync(packs).filter((file) => file.endsWith('.keep'));
  return files.filter((file) => parsePushNote(readFileSync(join(packs, file), 'utf8')) !== null);
}
