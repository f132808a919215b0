import { expect, it } from 'vitest';
import { nfsClient } from '../../../test/storage/file-systems/nfs-client.ts';
import { fileSystemError, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';

const placement = 'shared';

it('a client of NFS reads what others wrote, although it missed the name of their commit before', async () => {
  const directory = await newWiki({ shared: true });
  const [one, other] = [await openClient(directory), await openClient(directory)];
  expect(await one.storage.head()).toBeNull();
  for (const [writer, reader] of [
    [other, one],
    [one, other],
    [other, one],
  ] as const) {
    await reader.storage.head();
    const written = await writer.put('Page.md', 'text');
    expect(await reader.storage.head()).toBe('commit' in written && written.commit);
  }
});

it('a client of NFS finds nothing to change only in the newest version', async () => {
  const directory = await newWiki({ shared: true });
  const [one, other] = [await openClient(directory), await openClient(directory)];
  await one.put('Page.md', 'one');
  await one.storage.head();
  const written = await other.put('Page.md', 'other');
  const idle = await one.put('Page.md', '', { build: async () => null });
  expect(idle).toEqual({ kind: 'unchanged', head: 'commit' in written && written.commit });
});

it.each([
  ['of an hour in which there was no other', []],
  ['of an hour in which there were others', ['00000000000a']],
])('a client of NFS applies a request %s once, although it missed its name before', async (_, earlier) => {
  const directory = await newWiki({ shared: true });
  const [one, other] = [await openClient(directory), await openClient(directory)];
  for (const id of earlier) await other.put('Page.md', id, { requestId: freshId(id) });
  await other.put('Page.md', 'first');
  const request = { requestId: freshId('000000000001') };
  await one.put('Page.md', 'text', { ...request, build: async () => null });
  const written = await other.put('Page.md', 'text', request);
  await other.put('Page.md', 'later');
  await one.storage.head();
  expect(await one.put('Page.md', 'text', request)).toMatchObject({
    kind: 'repeated',
    commit: 'commit' in written && written.commit,
  });
  await one.storage.settle();
  expect(nativeView(directory).pages).toEqual({ 'Page.md': 'later' });
});

it('a client of NFS reads a name again that became stale', async () => {
  const directory = await newWiki({ shared: true });
  const written = await (await openClient(directory)).put('Page.md', 'text');
  // A client may lead a name to what is gone until it opens the directory.
  let seen: 'nothing' | 'stale' | 'fresh' = 'nothing';
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (seen === 'stale' && name === 'open' && path.endsWith('/chain-main')) seen = 'fresh';
    if (seen === 'fresh' || name !== 'readlink' || !path.includes('chain-main/0')) return;
    seen = 'stale';
    throw fileSystemError(116, 'Unknown system error -116');
  });
  const reader = await openWriter(directory, { fs, placement });
  expect(await reader.storage.head()).toBe('commit' in written && written.commit);
  expect(seen).toBe('fresh');
});

function openClient(directory: string) {
  return openWriter(directory, { fs: nfsClient(nodeFileSystem), placement });
}

/** An id that was made in this hour. */
function freshId(end: string): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${end}`;
}
