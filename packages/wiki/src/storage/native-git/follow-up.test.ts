import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { countingFileSystem } from '../../../test/storage/file-systems/counting-file-system.ts';
import {
  type FileSystemCall,
  fileSystemError,
  observedFileSystem,
} from '../../../test/storage/observed-file-system.ts';
import { freezing, newWiki, openWriter, waitingHost } from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';

it('the ref of a shared wiki follows at the eighth commit at the latest, however busy the wiki is', async () => {
  const directory = await newWiki({ shared: true });
  const { host, waits } = waitingHost((milliseconds) => milliseconds === 0);
  const { put } = await openWriter(directory, { placement: 'shared', host });
  const commits: unknown[] = [];
  for (let i = 0; i < 16; i += 1) {
    const written = await put('Page.md', `${i}`);
    commits.push('commit' in written && written.commit);
    const isEighth = i % 8 === 7;
    if (isEighth) await expect.poll(() => refOf(directory)).toBe(commits.at(-1));
    else expect(refOf(directory)).toBe(i < 8 ? null : commits[7]);
  }
  // After a second without a write it would have followed too.
  expect(waits).toContain(1000);
});

it('the ref of a shared wiki follows a second after the last write', async () => {
  const directory = await newWiki({ shared: true });
  const { host } = waitingHost((milliseconds) => milliseconds <= 1000);
  const { put } = await openWriter(directory, { placement: 'shared', host });
  const written = await put('Page.md', 'text');
  await expect.poll(() => refOf(directory)).toBe('commit' in written && written.commit);
});

it.each(['local', 'shared'] as const)(
  'the ref of a %s wiki is there when its process has ended',
  async (placement) => {
    const directory = await newWiki({ shared: placement === 'shared' });
    const { put, storage } = await openWriter(directory, { placement });
    const written = await put('Page.md', 'text');
    await storage.close();
    expect(refOf(directory)).toBe('commit' in written && written.commit);
    const packs = readdirSync(join(directory, 'objects/pack'));
    expect(packs.filter((name) => name.endsWith('.keep'))).toEqual([]);
  },
);

it.each([
  ['before its settle has ended', true],
  ['in the background', false],
])(
  'a process that froze and puts an old commit into the ref of a shared wiki mends it %s',
  async (_, settles) => {
    const directory = await newWiki({ shared: true });
    const isMove = ({ name, path }: FileSystemCall) => name === 'rename' && path.endsWith('heads/main');
    const { fs: whole, calls } = countingFileSystem(nodeFileSystem);
    const { fs, frozen, thaw } = freezing(isMove, whole);
    const { host } = waitingHost((milliseconds) => !settles && milliseconds <= 1000);
    const slow = await openWriter(directory, { placement: 'shared', fs, host });
    await slow.put('Page.md', 'one');
    const settling = settles ? slow.storage.settle() : null;
    await frozen;
    const quick = await openWriter(directory, { placement: 'shared' });
    const written = await quick.put('Page.md', 'two');
    await quick.storage.settle();
    const last = 'commit' in written && written.commit;
    expect(refOf(directory)).toBe(last);
    thaw();
    await settling;
    await expect.poll(() => calls.filter(isMove).length).toBe(2);
    if (settling === null) await expect.poll(() => refOf(directory)).toBe(last);
    expect(refOf(directory)).toBe(last);
  },
);

it('a ref that another program moved back follows again after the next read', async () => {
  const directory = await newWiki();
  const { put } = await openWriter(directory);
  await put('Page.md', 'one');
  const first = refOf(directory) ?? '';
  await put('Page.md', 'two');
  const last = refOf(directory);
  const reader = await openWriter(directory);
  for (let i = 0; i < 2; i += 1) {
    // A lock of the last move would stay while this process waits for git.
    await expect.poll(() => existsSync(join(directory, 'refs/heads/main.lock'))).toBe(false);
    git(directory, ['update-ref', 'refs/heads/main', first]);
    expect(await reader.storage.head()).toBe(last);
    await expect.poll(() => refOf(directory)).toBe(last);
  }
});

it('says plainly that another program locks the branch, after it waited longer each time', async () => {
  const directory = await newWiki();
  const { put } = await openWriter(directory);
  await put('Page.md', 'one');
  const lock = join(directory, 'refs/heads/main.lock');
  writeFileSync(lock, '');
  const written = await put('Page.md', 'two');
  // A read alone moves the ref too, a little later: here never.
  const { host, waits } = waitingHost((milliseconds) => milliseconds !== 200);
  const { storage } = await openWriter(directory, { host });
  await storage.head();
  await expect(storage.settle()).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('lock of the branch'),
  });
  expect(waits).toEqual([200, 20, 40, 80, 160, 320, 640]);
  rmSync(lock);
  await storage.settle();
  expect(refOf(directory)).toBe('commit' in written && written.commit);
});

it('packs are left to git at the sixteenth commit, while the process goes on', async () => {
  const directory = await newWiki();
  const { put } = await openWriter(directory);
  const kept = () => readdirSync(join(directory, 'objects/pack')).filter((name) => name.endsWith('.keep'));
  for (let i = 0; i < 15; i += 1) await put('Page.md', `${i}`);
  expect(kept()).toHaveLength(15);
  await put('Page.md', 'last');
  await expect.poll(() => kept().length).toBe(0);
});

it.each(['local', 'shared'] as const)(
  'native git can still read the packs that a %s process merged, while it may look for them',
  async (placement) => {
    const directory = await newWiki({ shared: placement === 'shared' });
    const { put, storage } = await openWriter(directory, { placement });
    const packs = () =>
      readdirSync(join(directory, 'objects/pack')).filter((name) => name.endsWith('.idx')).length;
    for (let i = 0; i < 30; i += 1) await put('Page.md', `${i}`);
    await storage.settle();
    // Native git reads no repository on a shared mount while others write to it.
    if (placement === 'shared') expect(packs()).toBeLessThan(30);
    else expect(packs()).toBeGreaterThan(30);
    await storage.close();
    expect(packs()).toBeLessThan(30);
    expect(git(directory, ['rev-list', '--count', 'main'])).toBe('30');
  },
);

it('a defect in the background fails no write, and is reported by the settle', async () => {
  const directory = await newWiki();
  let isBroken = false;
  const fs = observedFileSystem(nodeFileSystem, ({ path }) => {
    if (isBroken && path.endsWith('heads/main.lock')) throw new TypeError('a defect');
  });
  const { put, storage } = await openWriter(directory, { fs });
  await put('Page.md', 'one');
  await storage.settle();
  isBroken = true;
  const written = await put('Page.md', 'two');
  expect(written).toMatchObject({ commit: expect.any(String) });
  isBroken = false;
  await expect(storage.settle()).rejects.toThrow('a defect');
});

it('a disk that fails once in the background fails no write, and no settle after it', async () => {
  const directory = await newWiki();
  let fails = false;
  const fs = observedFileSystem(nodeFileSystem, ({ path }) => {
    if (fails && path.endsWith('heads/main.lock')) throw fileSystemError(5, 'EIO');
  });
  const { put, storage } = await openWriter(directory, { fs });
  await put('Page.md', 'one');
  await storage.settle();
  fails = true;
  const written = await put('Page.md', 'two');
  fails = false;
  await storage.settle();
  expect(refOf(directory)).toBe('commit' in written && written.commit);
});

it('a process ends beside a shared wiki that has no commit', async () => {
  const directory = await newWiki({ shared: true });
  const { storage } = await openWriter(directory, { placement: 'shared' });
  await storage.settle();
  await storage.close();
  expect(refOf(directory)).toBeNull();
});

it('a settle ends with the ref of a shared wiki at the end of the chain, however often others go on', async () => {
  const directory = await newWiki({ shared: true });
  const quick = await openWriter(directory, { placement: 'shared' });
  let left = 3;
  const fs = observedFileSystem(nodeFileSystem, async ({ name, path }) => {
    if (left === 0 || name !== 'rename' || !path.endsWith('heads/main')) return;
    left -= 1;
    await quick.put('Page.md', `quick ${left}`);
    await quick.storage.settle();
  });
  const { put, storage } = await openWriter(directory, { placement: 'shared', fs });
  await put('Page.md', 'slow');
  await storage.settle();
  expect(left).toBe(0);
  expect(refOf(directory)).toBe(await quick.storage.head());
});

function refOf(directory: string): string | null {
  return git(directory, ['for-each-ref', '--format=%(objectname)', 'refs/heads/main']) || null;
}
