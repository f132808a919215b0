import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../../../../test/native-git.ts';
import { countingFileSystem } from '../../../../test/storage/file-systems/counting-file-system.ts';
import { pageRequest } from '../../../../test/storage/pages.ts';
import { hostAhead, nativeView, newWiki, openWriter } from '../../../../test/storage/writers.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import type { StorageOptions } from '../../open-storage.ts';
import type { Transaction } from '../../storage.ts';

const open = (directory: string, options: Partial<StorageOptions> = {}) =>
  openWriter(directory, { placement: 'shared', ...options });
const request = (number: number) => ({ requestId: `request ${number}`, digest: `${number}`.repeat(64) });
const unknown = (commit: string | null | undefined) => ({ code: 'write_state_unknown', data: { commit } });

describe('requests of writes that lost their names, and that a repair merged with later ones', () => {
  it.each([1, 2, 3])('are not applied again (%i writes)', async (count) => {
    const { directory, commits } = await forkedWiki(count);
    await repair(directory);
    const { storage, put } = await open(directory);
    for (const [number, commit] of commits.entries()) {
      await put(`New${number}.md`, 'changed since');
      await expect(put(`New${number}.md`, 'new', request(number))).rejects.toMatchObject(unknown(commit));
    }
    await storage.close();
    const pages = commits.map((_, number) => [`New${number}.md`, 'changed since']);
    expect(nativeView(directory).pages).toMatchObject(Object.fromEntries(pages));
  });

  it('are not applied by a process that was open before the repair', async () => {
    const { directory, commits } = await forkedWiki(1);
    const warm = await open(directory);
    await warm.put('Warm.md', 'warm');
    await repair(directory);
    await expect(warm.put('New0.md', 'new', request(0))).rejects.toMatchObject(unknown(commits[0]));
  });

  it('are not applied by a write that began before the repair', async () => {
    const { directory, commits } = await forkedWiki(1);
    const { storage } = await open(directory);
    const begun = pageRequest('New0.md', 'new', request(0));
    let isRepaired = false;
    const again = storage.commit({
      ...begun,
      async build(base, transaction) {
        if (!isRepaired) await repair(directory);
        isRepaired = true;
        return begun.build(base, transaction);
      },
    });
    await expect(again).rejects.toMatchObject(unknown(commits[0]));
  });

  it('are not applied where maintenance ran before and after the repair', async () => {
    const { directory, commits } = await forkedWiki(2);
    for (const days of [0, 3]) await tidy(directory, days);
    await repair(directory);
    await tidy(directory, 6);
    const { put } = await open(directory);
    for (const [number, commit] of commits.entries())
      await expect(put(`New${number}.md`, 'new', request(number))).rejects.toMatchObject(unknown(commit));
  });

  it('are not applied where the repair replaced the pack of the newest one', async () => {
    const { directory, commits } = await forkedWiki(1);
    const pack = join(directory, `objects/pack/pack-${commits[0]}.pack`);
    const bytes = readFileSync(pack);
    rmSync(pack);
    writeFileSync(pack, bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1));
    expect(await repair(directory)).toMatchObject({ packsReplaced: 1 });
    const { put } = await open(directory);
    await expect(put('New0.md', 'new', request(0))).rejects.toMatchObject(unknown(commits[0]));
  });

  it('are those of what was made again before the repair', async () => {
    const { directory } = await forkedWiki(1);
    const retried = await open(directory);
    const second = await retried.put('New0.md', 'new', request(0));
    await retried.storage.close();
    await repair(directory);
    const { put } = await open(directory);
    await put('Later.md', 'later');
    const commit = 'commit' in second ? second.commit : null;
    expect(await put('New0.md', 'new', request(0))).toMatchObject({ kind: 'repeated', commit });
  });

  it.each(['tidy', 'repair'] as const)(
    'are those of what was made again, also in the process that made it (%s)',
    async (work) => {
      const { directory } = await forkedWiki(1, { goesOn: false });
      const { storage, put } = await open(directory);
      const second = await put('New0.md', 'new', request(0));
      await storage.tidy();
      await storage[work]();
      await put('New0.md', 'changed since');
      expect(await put('New0.md', 'new', request(0))).toEqual({
        ...second,
        kind: 'repeated',
        replays: undefined,
      });
    },
  );

  it('are not applied where they were made again, and that lost its name too', async () => {
    const { directory, commits, old } = await forkedWiki(1, { goesOn: false });
    const retried = await open(directory);
    await retried.put('New0.md', 'new', request(0));
    await retried.storage.tidy();
    await retried.storage.close();
    rmSync(join(directory, 'pagetree/chain-main', old));
    await write(directory, 'Other.md');
    await repair(directory);
    const { put } = await open(directory);
    await expect(put('New0.md', 'new', request(0))).rejects.toMatchObject(unknown(commits[0]));
  });

  it('are applied if no repair brought the writes in', async () => {
    const { directory, commits } = await forkedWiki(2);
    rmSync(join(directory, 'refs/heads/main'));
    await repair(directory);
    const { put } = await open(directory);
    for (const number of commits.keys())
      expect(await put(`New${number}.md`, 'new', request(number))).toMatchObject({ kind: 'committed' });
  });
});

it.each([0, 3])('maintenance remembers the newest request without its name (%i days ahead)', async (days) => {
  const { directory, commits } = await forkedWiki(1, { goesOn: false });
  for (const ahead of [0, days]) await tidy(directory, ahead);
  await repair(directory);
  const { put } = await open(directory);
  const again = await put('New0.md', 'new', request(0));
  expect(again).toMatchObject({ kind: 'repeated', commit: commits[0] });
});

it('a commit that was merged stays merged if the merge is lost and the ref is put back', async () => {
  const { directory, commits } = await forkedWiki(1);
  await repair(directory);
  const merge = git(directory, ['rev-parse', 'main']);
  await write(directory, 'Later.md');
  for (const ending of ['pack', 'idx']) rmSync(join(directory, `objects/pack/pack-${merge}.${ending}`));
  await repair(directory);
  git(directory, ['update-ref', 'refs/heads/main', commits[0] ?? '']);
  const { storage } = await open(directory);
  expect((await storage.check()).problems).toEqual([]);
  await storage.close();
  expect(nativeView(directory).pages).toMatchObject({ 'Later.md': 'text', 'New0.md': 'new' });
});

it('a request of the newest commit is found without a look at the history, whatever the clocks say', async () => {
  const directory = await newWiki({ shared: true });
  const seed = await open(directory);
  for (let number = 0; number < 200; number += 1) await seed.put('Page.md', `${number}`);
  await seed.storage.close();
  const { fs, calls } = countingFileSystem(nodeFileSystem);
  const warm = await open(directory, { fs });
  await warm.put('Warm.md', 'warm');
  await warm.storage.settle();
  for (let look = 0; look < 2; look += 1) await warm.storage.head();
  const other = await open(directory);
  const begun = pageRequest('New.md', 'new', request(0));
  const made = await other.storage.commit({
    ...begun,
    build: (base, transaction) => begun.build(base, { ...transaction, write: longAgo(transaction.write) }),
  });
  await other.storage.tidy();
  await other.storage.close();
  calls.length = 0;
  expect(await warm.put('New.md', 'new', request(0))).toEqual({
    ...made,
    kind: 'repeated',
    replays: undefined,
  });
  expect(calls.filter(({ name }) => name === 'read').length).toBeLessThan(20);
});

/** Writes commits as if the clock were years behind. */
function longAgo(write: Transaction['write']): Transaction['write'] {
  return (type, content) => {
    const text = Buffer.from(content).toString();
    return write(
      type,
      type === 'commit' ? Buffer.from(text.replaceAll(/ \d+ \+0000$/gm, ' 1 +0000')) : content,
    );
  };
}

/** The chain lost the names of `count` writes, and goes on with another one. The ref names the last of them. */
async function forkedWiki(count: number, { goesOn = true } = {}) {
  const directory = await newWiki({ shared: true });
  const { storage, put } = await open(directory);
  await put('Old.md', 'old');
  const names = [(await storage.head()) ?? ''];
  for (let number = 0; number < count; number += 1) {
    await put(`New${number}.md`, 'new', request(number));
    names.push((await storage.head()) ?? '');
  }
  await storage.close();
  for (const name of names.slice(0, -1)) rmSync(join(directory, 'pagetree/chain-main', name));
  if (goesOn) await write(directory, 'Other.md');
  const [old = '', ...commits] = names;
  return { directory, old, commits };
}

async function write(directory: string, page: string) {
  const { storage, put } = await open(directory);
  await put(page, 'text');
  await storage.close();
}

async function tidy(directory: string, days: number) {
  const { storage } = await open(directory, { host: hostAhead(days * 24 * 60 * 60 * 1000) });
  await storage.tidy();
  await storage.close();
}

async function repair(directory: string) {
  const { storage } = await open(directory);
  const report = await storage.repair();
  await storage.close();
  return report;
}
