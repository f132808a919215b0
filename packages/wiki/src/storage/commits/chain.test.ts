import { readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { countingFileSystem } from '../../../test/storage/file-systems/counting-file-system.ts';
import { interceptedFileSystem } from '../../../test/storage/file-systems/intercepted-file-system.ts';
import { fileSystemError } from '../../../test/storage/observed-file-system.ts';
import { isLink, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';

it('has one name for each commit that has a successor, and one before the first, and keeps all of them', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  for (let i = 0; i < 3; i += 1) await writer.put('Page.md', `${i}`);
  const { commits } = nativeView(directory);
  const links = names(directory).map((name) => [name, readlinkSync(join(chain(directory), name))]);
  expect(Object.fromEntries(links)).toEqual({
    [NONE]: commits[2],
    [`${commits[2]}`]: commits[1],
    [`${commits[1]}`]: commits[0],
  });
});

it('is followed from the hint, or from its beginning if the hint is lost or wrong', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  for (let i = 0; i < 12; i += 1) await writer.put('Page.md', `${i}`);
  await writer.storage.settle();
  const head = await writer.storage.head();
  const hint = join(chain(directory), 'head');
  expect(readlinkSync(hint)).toBe(nativeView(directory).commits[1]);
  for (const wrong of [
    null,
    '',
    'nonsense',
    '1'.repeat(40),
    `${head}`,
    NONE,
    nativeView(directory).commits[7],
  ]) {
    rmSync(hint, { force: true });
    if (wrong) symlinkSync(wrong, hint);
    expect(await (await openWriter(directory)).storage.head()).toBe(head);
  }
});

it('is followed by a new process past a few commits at most, however long one process goes on', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  for (let i = 0; i < 40; i += 1) await writer.put('Page.md', `${i}`);
  const { commits } = nativeView(directory);
  const hinted = () => readlinkSync(join(chain(directory), 'head'));
  await expect.poll(() => [...commits, NONE].slice(0, 20).includes(hinted())).toBe(true);
});

it.each(['local', 'shared'] as const)(
  'a new process reads a few names of a %s wiki, however long its chain is',
  async (placement) => {
    const directory = await newWiki({ shared: placement === 'shared' });
    const writer = await openWriter(directory, { placement });
    for (let i = 0; i < 40; i += 1) await writer.put('Page.md', `${i}`);
    await writer.storage.close();
    const { fs, calls } = countingFileSystem(nodeFileSystem);
    const next = await openWriter(directory, { placement, fs });
    expect(await next.storage.head()).toBe(nativeView(directory).commits[0]);
    const read = calls.filter(({ name, path }) => name === 'readlink' && dirname(path) === chain(directory));
    expect(new Set(read.map(({ path }) => path)).size).toBeLessThan(5);
    const before = calls.length;
    await next.storage.head();
    expect(calls.slice(before).filter(({ name }) => name === 'readlink')).toHaveLength(1);
  },
);

it('has the packs of its newest eight commits opened at once, however many others made', async () => {
  const directory = await newWiki({ shared: true });
  const writer = await openWriter(directory, { placement: 'shared' });
  const { fs, calls } = countingFileSystem(nodeFileSystem);
  const reader = await openWriter(directory, { placement: 'shared', fs });
  await reader.storage.head();
  const commits: (string | null)[] = [];
  for (let i = 0; i < 12; i += 1) {
    await writer.put('Page.md', `${i}`);
    commits.push(await writer.storage.head());
  }
  const before = calls.length;
  await reader.storage.head();
  const opened = calls.slice(before).filter(({ name, path }) => name === 'open' && path.endsWith('.pack'));
  expect(opened.map(({ path }) => basename(path, '.pack')).toSorted()).toEqual(
    commits
      .slice(4)
      .map((commit) => `pack-${commit}`)
      .toSorted(),
  );
});

it('keeps its end if a look that began earlier ends later and found less', async () => {
  const directory = await newWiki({ shared: true });
  const writer = await openWriter(directory, { placement: 'shared' });
  const put = async (text: string) => {
    await writer.put('Page.md', text);
    return (await writer.storage.head()) ?? '';
  };
  await put('one');
  const looked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let held: string | null = null;
  const fs = interceptedFileSystem(nodeFileSystem, async ({ name, path }, perform) => {
    if (name !== 'readlink' || path !== held) return perform();
    held = null;
    // A name that is missing fails the call: the caller hears of it only later.
    const answer = perform();
    await answer.catch(() => undefined);
    looked.resolve();
    await released.promise;
    return answer;
  });
  const reader = await openWriter(directory, { placement: 'shared', fs });
  await reader.storage.head();
  held = join(chain(directory), await put('two'));
  const early = reader.storage.head();
  await looked.promise;
  const last = await put('three');
  expect(await reader.storage.head()).toBe(last);
  released.resolve();
  expect(await early).toBe(last);
});

it('is synced once for a write, and the folder of packs twice, and then nothing more is done', async () => {
  const directory = await newWiki();
  const { fs, calls } = countingFileSystem(nodeFileSystem);
  const { put, storage } = await openWriter(directory, { fs });
  const isMeant = (path: string) => path.startsWith(chain(directory)) || path.endsWith('objects/pack');
  const callsSince = (from: number) =>
    calls.slice(from).filter(({ path, changes }) => changes && isMeant(path));
  for (let i = 0; i < 3; i += 1) {
    const before = calls.length;
    await put('Page.md', `${i}`);
    await storage.settle();
    const synced = callsSince(before).filter(({ name }) => name === 'sync');
    const places = synced.map(({ path }) => path.slice(directory.length)).sort();
    expect(places).toEqual(['/objects/pack', '/objects/pack', '/pagetree/chain-main']);
    expect(readlinkSync(join(chain(directory), 'head'))).toBe([...nativeView(directory).commits, NONE][1]);
    const after = calls.length;
    await storage.settle();
    expect(callsSince(after)).toEqual([]);
  }
});

it('tells a new process of a shared wiki where the newest commits lie', async () => {
  const directory = await newWiki({ shared: true });
  const writer = await openWriter(directory, { placement: 'shared' });
  for (let i = 0; i < 6; i += 1) await writer.put('Page.md', `${i}`);
  await writer.storage.settle();
  const readsNext = async () => {
    const { fs, calls } = countingFileSystem(nodeFileSystem);
    const { storage } = await openWriter(directory, { placement: 'shared', fs });
    await storage.read((await storage.head()) ?? '');
    return calls.filter(({ name }) => name === 'readdir');
  };
  expect(await readsNext()).toEqual([]);
  for (let i = 0; i < 2; i += 1) await writer.put('Page.md', `more ${i}`);
  expect(await readsNext()).toEqual([]);
});

it('tells a new process of a shared wiki where the newest commits lie after their packs were merged', async () => {
  const directory = await newWiki({ shared: true });
  const { put, storage } = await openWriter(directory, { placement: 'shared' });
  for (let i = 0; i < 40; i += 1) await put(`${i}.md`, `${i}`);
  await storage.settle();
  const { fs, calls } = countingFileSystem(nodeFileSystem);
  const next = await openWriter(directory, { placement: 'shared', fs });
  await next.storage.head();
  for (const i of [0, 20, 39]) await next.storage.read(git(directory, ['rev-parse', `main:${i}.md`]));
  expect(calls.filter(({ name }) => name === 'readdir')).toEqual([]);
  // One of them holds the newest commit, the other one what was merged.
  expect(calls.filter(({ name, path }) => name === 'open' && path.endsWith('.pack'))).toHaveLength(2);
});

it('holds a commit whose name was made, however often the call that made it failed', async () => {
  const directory = await newWiki();
  const fs = interceptedFileSystem(nodeFileSystem, async (call, perform) => {
    const answer = await perform().catch((error: unknown) => isLink(call) || Promise.reject(error));
    if (isLink(call)) throw fileSystemError(5, 'EIO');
    return answer as Awaited<ReturnType<typeof perform>>;
  });
  const { put } = await openWriter(directory, { fs });
  expect(await put('Page.md', 'text')).toMatchObject({ kind: 'committed' });
});

it('says plainly which of its entries is damaged', async () => {
  const directory = await newWiki();
  await (await openWriter(directory)).put('Page.md', 'text');
  const [last] = nativeView(directory).commits;
  symlinkSync('nonsense', join(chain(directory), `${last}`));
  const writer = await openWriter(directory);
  await expect(writer.storage.head()).rejects.toMatchObject({ code: 'corrupt_chain', data: { name: last } });
  rmSync(join(chain(directory), `${last}`));
});

it('is reported as damaged if its names form a circle, wherever a process begins to follow it', async () => {
  const directory = await newWiki();
  const running = await openWriter(directory);
  for (let i = 0; i < 3; i += 1) await running.put('Page.md', `${i}`);
  await running.storage.settle();
  const [last, middle] = nativeView(directory).commits;
  const circle = join(chain(directory), `${last}`);
  const hint = join(chain(directory), 'head');
  for (const [target, name] of [
    [NONE, middle],
    [`${middle}`, middle],
    [`${last}`, last],
  ] as const) {
    symlinkSync(target, circle);
    const damaged = { code: 'corrupt_chain', data: { name } };
    const next = await openWriter(directory);
    await expect(running.storage.head()).rejects.toMatchObject(damaged);
    await expect(next.storage.head()).rejects.toMatchObject(damaged);
    await expect(next.put('Page.md', 'text')).rejects.toMatchObject(damaged);
    await expect(next.storage.repair()).rejects.toMatchObject({ code: 'corrupt_chain' });
    const { problems } = await next.storage.check();
    expect(problems[0]?.text).toContain('circle');
    // From the first commit on, it comes into the circle only later.
    const hinted = readlinkSync(hint);
    rmSync(hint);
    await expect((await openWriter(directory)).storage.head()).rejects.toMatchObject({
      code: 'corrupt_chain',
    });
    symlinkSync(hinted, hint);
    rmSync(circle);
  }
});

const NONE = '0'.repeat(40);

function chain(directory: string): string {
  return join(directory, 'pagetree/chain-main');
}

function names(directory: string): string[] {
  return readdirSync(chain(directory)).filter((name) => name !== 'head');
}
