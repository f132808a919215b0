import { mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { interceptedFileSystem } from '../../../test/storage/file-systems/intercepted-file-system.ts';
import { fileSystemError, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { pagePush, pushTo } from '../../../test/storage/pushes.ts';
import { overwrite } from '../../../test/storage/stores.ts';
import { isLink, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { nodeHost } from '../files/node-host.ts';
import { requestNameOf } from './request-name.ts';

const DAY = 24 * 3_600_000;
const MADE_AT = Date.UTC(2026, 10, 20, 12);
const TIME = MADE_AT.toString(16).padStart(12, '0');
const REQUEST = { requestId: `${TIME.slice(0, 8)}-${TIME.slice(8)}-7000-8000-000000000000` };

it.each(['local', 'shared'] as const)(
  'an id is applied until it is a day old, in a %s wiki',
  async (placement) => {
    const directory = await newWiki({ shared: placement === 'shared' });
    const putAt = async (time: number) => {
      const { put } = await openWriter(directory, { placement, host: { ...nodeHost(), now: () => time } });
      return put('Page.md', 'text', REQUEST);
    };
    await expect(putAt(MADE_AT + DAY + 1)).rejects.toMatchObject({
      code: 'write_state_unknown',
      message: expect.stringContaining(REQUEST.requestId),
      data: REQUEST,
    });
    expect(await putAt(MADE_AT + DAY)).toMatchObject({ kind: 'committed' });
    expect(await putAt(MADE_AT + 3 * DAY)).toMatchObject({ kind: 'repeated' });
  },
);

it('an id that grows too old while another writes first is applied, as it was new when it came', async () => {
  const directory = await newWiki();
  const other = await openWriter(directory);
  let now = MADE_AT + DAY;
  const fs = observedFileSystem(nodeFileSystem, async (call) => {
    if (!isLink(call) || now > MADE_AT + DAY) return;
    now += 1;
    await other.put('Other.md', 'other');
  });
  const { put } = await openWriter(directory, { fs, host: { ...nodeHost(), now: () => now } });
  expect(await put('Page.md', 'text', REQUEST)).toMatchObject({ kind: 'committed', replays: 1 });
});

it('a request that comes after a push is new, also for a process that has not seen the push', async () => {
  const directory = await newWiki();
  const warm = await openWriter(directory);
  await warm.put('Old.md', 'old');
  const { put, storage } = await openWriter(directory);
  await pushTo(storage, await pagePush(storage, await storage.head(), 'New.md', 'new'));
  for (const writer of [warm.put, put])
    expect(await writer('A.md', 'a')).toMatchObject({ kind: 'committed' });
});

it('a request is found again although a copy had left an entry of its id that leads elsewhere', async () => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  await put('Page.md', 'first');
  const { bucket, name } = requestNameOf('1');
  const entry = join(directory, 'pagetree/requests-main', bucket, name);
  mkdirSync(dirname(entry), { recursive: true });
  symlinkSync('1'.repeat(40), entry);
  const written = await put('Page.md', 'text', { requestId: '1' });
  await put('Page.md', 'more');
  expect(readlinkSync(entry)).toBe('commit' in written && written.commit);
  expect(await put('Page.md', 'text', { requestId: '1' })).toMatchObject({ kind: 'repeated' });
  await storage.settle();
  expect(nativeView(directory).pages).toEqual({ 'Page.md': 'more' });
});

it.each([
  ['fewer than before', 5],
  ['more than before', 9],
])(
  'a request is applied again if a copy lost the names of the chain up to its commit, and kept %s',
  async (_, count) => {
    const directory = await newWiki();
    const writer = await openWriter(directory);
    for (let i = 1; i <= count; i += 1) await writer.put('Page.md', `${i}`, { requestId: `${i}` });
    await writer.storage.settle();
    const [second = ''] = nativeView(directory).commits.slice(-2);
    await writer.storage.close();
    rmSync(join(directory, 'pagetree/chain-main', second));
    rmSync(join(directory, 'pagetree/chain-main/head'));
    git(directory, ['update-ref', 'refs/heads/main', second]);
    const { put, storage } = await openWriter(directory);
    expect(await storage.head()).toBe(second);
    const third = await put('Page.md', '3', { requestId: '3' });
    expect(third).toMatchObject({ kind: 'committed', parent: second });
    expect(await storage.head()).toBe('commit' in third && third.commit);
    expect(await put('Page.md', '2', { requestId: '2' })).toMatchObject({ kind: 'repeated', commit: second });
    await storage.settle();
    expect(nativeView(directory).pages).toEqual({ 'Page.md': '3' });
  },
);

it('a request is applied once, even if another writes while its entry is compared with the chain', async () => {
  const directory = await newWiki();
  const other = await openWriter(directory);
  await other.put('Page.md', 'text', { requestId: '1' });
  for (const text of ['before', 'just before']) await other.put('Other.md', text);
  let isLookedUp = false;
  let writes = 0;
  const fs = interceptedFileSystem(nodeFileSystem, async (call, perform) => {
    isLookedUp ||= call.path.includes('/requests-main/');
    try {
      return await perform();
    } catch (error) {
      const isEnd = call.name === 'readlink' && call.path.includes('/chain-main/');
      if (isLookedUp && isEnd && writes++ === 0) await other.put('Other.md', 'meanwhile');
      throw error;
    }
  });
  const { put } = await openWriter(directory, { fs });
  expect(await put('Page.md', 'text', { requestId: '1' })).toMatchObject({ kind: 'repeated' });
  expect(writes).toBeGreaterThan(0);
  expect(nativeView(directory).commits).toHaveLength(4);
});

it('a request is applied once, even if others begin the wiki with it while it is looked up', async () => {
  const directory = await newWiki();
  const other = await openWriter(directory);
  let isBegun = false;
  const fs = observedFileSystem(nodeFileSystem, async ({ name, path }) => {
    if (isBegun || name !== 'readlink' || !path.includes('/requests-main/')) return;
    isBegun = true;
    await other.put('Page.md', 'text', { requestId: '1' });
    for (const text of ['after', 'later']) await other.put('Other.md', text);
  });
  const { put } = await openWriter(directory, { fs });
  expect(await put('Page.md', 'text', { requestId: '1' })).toMatchObject({ kind: 'repeated' });
  expect(isBegun).toBe(true);
  expect(nativeView(directory).commits).toHaveLength(3);
});

it('a process that was idle for a day still knows what others did meanwhile', async () => {
  const directory = await newWiki({ shared: true });
  const idle = await openWriter(directory, {
    placement: 'shared',
    host: { ...nodeHost(), now: () => MADE_AT + 2 * DAY },
  });
  await idle.put('Page.md', 'first');
  await idle.storage.head();
  const other = await openWriter(directory, {
    placement: 'shared',
    host: { ...nodeHost(), now: () => MADE_AT },
  });
  await other.put('Page.md', 'text', REQUEST);
  for (let i = 0; i < 3; i += 1) await other.put('Page.md', `${i}`);
  expect(await idle.put('Page.md', 'text', REQUEST)).toMatchObject({ kind: 'repeated' });
});

it('a request whose commit is lost is neither applied again nor taken for done', async () => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  const written = await put('Page.md', 'text', { requestId: '1' });
  await put('Page.md', 'more');
  const commit = 'commit' in written && written.commit;
  await storage.settle();
  rmSync(join(directory, `objects/pack/pack-${commit}.pack`));
  rmSync(join(directory, `objects/pack/pack-${commit}.idx`));
  const next = await openWriter(directory);
  await expect(next.put('Page.md', 'text', { requestId: '1' })).rejects.toMatchObject({
    code: 'write_state_unknown',
    data: { commit },
  });
});

it.each([
  ['lost', (pack: string) => rmSync(pack)],
  ['cut off', (pack: string) => overwrite(pack, readFileSync(pack).subarray(0, 40))],
  [
    'unpacked by git, and damaged since',
    (pack: string, directory: string, commit: string) => {
      const bytes = readFileSync(pack);
      rmSync(pack);
      git(directory, ['unpack-objects', '-q'], bytes);
      overwrite(join(directory, 'objects', commit.slice(0, 2), commit.slice(2)), deflateSync('commit 1\0x'));
    },
  ],
])('maintenance goes on although the newest commit is %s', async (_, harm) => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  for (let i = 0; i < 3; i += 1) await put('Page.md', `${i}`);
  await storage.close();
  const [newest = ''] = nativeView(directory).commits;
  harm(join(directory, `objects/pack/pack-${newest}.pack`), directory, newest);
  const next = await openWriter(directory);
  expect(await next.storage.tidy()).toMatchObject({ packs: expect.any(Number) });
  await expect(next.put('Page.md', 'more')).rejects.toThrow();
});

it('maintenance stops before it removes the only trace of a request that it cannot remember', async () => {
  const directory = await newWiki();
  await (await openWriter(directory)).put('Page.md', 'text');
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    const makes = name === 'mkdir' || name === 'symlink' || name === 'link';
    if (makes && path.includes('requests-main/')) throw fileSystemError(28, 'ENOSPC');
  });
  const { storage } = await openWriter(directory, { fs });
  await expect(storage.tidy()).rejects.toMatchObject({
    code: 'out_of_space',
    message: expect.stringContaining('Remembering the request'),
  });
});

it('an id that stands for another request is refused at once and later, and says which one', async () => {
  const { put } = await openWriter(await newWiki());
  await put('Page.md', 'text', { requestId: '1', person: 'ada' });
  for (let i = 0; i < 2; i += 1) {
    await expect(put('Page.md', 'else', { requestId: '1', person: 'ada' })).rejects.toMatchObject({
      code: 'request_reused',
      message: expect.stringContaining('request id 1 was used before'),
      data: { requestId: '1' },
    });
    await put('Page.md', 'more');
  }
});
