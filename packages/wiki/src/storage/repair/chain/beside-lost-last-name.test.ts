import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, temporaryDirectory } from '../../../../test/native-git.ts';
import { pagePush, pushTo } from '../../../../test/storage/pushes.ts';
import { hostAhead, nativeView, newWiki, openWriter } from '../../../../test/storage/writers.ts';
import type { StorageOptions } from '../../open-storage.ts';

const open = (directory: string, options: Partial<StorageOptions> = {}) =>
  openWriter(directory, { placement: 'shared', ...options });

describe('a shared wiki whose last names are lost, and that another process wrote to since', () => {
  it.each([1, 2])('keeps %i lost writes that the ref names through maintenance', async (count) => {
    const { directory, lost } = await forkedWiki(count);
    await tidy(directory);
    expect(git(directory, ['rev-parse', 'main'])).toBe(lost);
    expect(nativeView(directory).commits).toHaveLength(1 + count);
    await repair(directory);
    expect(nativeView(directory).pages).toMatchObject({ 'New1.md': 'new', 'Other.md': 'other' });
  });

  it('keeps a lost write that a repair brought in through maintenance', async () => {
    const { directory, lost } = await forkedWiki(1);
    await repair(directory);
    await tidy(directory);
    expect(nativeView(directory).pages).toMatchObject({ 'New1.md': 'new', 'Other.md': 'other' });
    expect(git(directory, ['cat-file', '-t', `refs/pagetree/external/${lost}`])).toBe('commit');
  });

  it('is repaired where a commit of its chain is lost too, and has the push again after another repair', async () => {
    const directory = await newWiki({ shared: true });
    const { storage, put } = await open(directory);
    await put('Old.md', 'old');
    const old = await storage.head();
    await pushTo(storage, await pagePush(storage, old, 'New.md', 'new'));
    await storage.close();
    rmSync(join(directory, 'pagetree/chain-main', old ?? ''));
    const other = await open(directory);
    await other.put('X.md', 'x');
    const gone = await other.storage.head();
    await other.put('Y.md', 'y');
    await other.storage.close();
    for (const ending of ['pack', 'idx']) rmSync(join(directory, `objects/pack/pack-${gone}.${ending}`));
    expect(await repair(directory)).toMatchObject({ parent: old, lostCommits: [gone] });
    await repair(directory);
    expect(nativeView(directory).pages).toMatchObject({ 'New.md': 'new', 'Old.md': 'old', 'Y.md': 'y' });
  });
});

it.each(['pages', 'parent'] as const)(
  'a repair leaves a push that lost its %s, keeps what lies below it, and the next one finds nothing to do',
  async (what) => {
    const directory = await newWiki({ shared: true });
    const { storage, put } = await open(directory);
    await put('Old.md', 'old');
    const old = (await storage.head()) ?? '';
    const parent = await pagePush(storage, old, 'New.md', 'new');
    await pushTo(storage, parent);
    const push = await pagePush(storage, parent.to, 'Newer.md', 'newer');
    await pushTo(storage, push);
    await storage.close();
    for (const name of [old, parent.to]) rmSync(join(directory, 'pagetree/chain-main', name));
    const other = await open(directory);
    await other.put('Other.md', 'other');
    await other.storage.close();
    expect(git(directory, ['rev-parse', 'main'])).toBe(push.to);
    loseObject(directory, what === 'pages' ? git(directory, ['rev-parse', `${push.to}^{tree}`]) : parent.to);
    const kept = what === 'pages';
    const lostCommits = kept ? [push.to] : [push.to, parent.to];
    const nothing = { commit: null, lost: [] };
    expect(await repair(directory)).toMatchObject({ ...nothing, lostCommits, orderRestored: kept });
    const pages = { 'Old.md': 'old', 'Other.md': 'other', ...(kept && { 'New.md': 'new' }) };
    expect(nativeView(directory).pages).toEqual(pages);
    expect(await repair(directory)).toMatchObject({ ...nothing, lostCommits: [], orderRestored: false });
    expect((await (await open(directory)).storage.check()).problems).toEqual([]);
  },
);

it.each(['blob', 'tag'] as const)(
  'the ref of a shared wiki that names a %s follows the chain',
  async (kind) => {
    const directory = await newWiki({ shared: true });
    const { storage, put } = await open(directory);
    await put('Old.md', 'old');
    const old = await storage.head();
    await storage.close();
    git(directory, ['tag', '-a', '-m', 'Tag', 'v1', 'main']);
    const named = git(directory, ['rev-parse', kind === 'tag' ? 'v1' : 'main:Old.md']);
    writeFileSync(join(directory, 'refs/heads/main'), `${named}\n`);
    const next = await open(directory);
    expect((await next.storage.check()).problems).toEqual([]);
    await next.storage.close();
    expect(git(directory, ['rev-parse', 'main'])).toBe(old);
  },
);

/** The ref names the last of the lost writes; the chain goes on with another one. */
async function forkedWiki(count: number) {
  const directory = await newWiki({ shared: true });
  const { storage, put } = await open(directory);
  await put('Old.md', 'old');
  const names = [await storage.head()];
  for (let number = 1; number <= count; number += 1) {
    await put(`New${number}.md`, 'new');
    names.push(await storage.head());
  }
  await storage.close();
  for (const name of names.slice(0, -1)) rmSync(join(directory, 'pagetree/chain-main', name ?? ''));
  const other = await open(directory);
  await other.put('Other.md', 'other');
  await other.storage.close();
  const lost = names.at(-1) ?? '';
  expect(git(directory, ['rev-parse', 'main'])).toBe(lost);
  return { directory, lost };
}

/** Loses an object, wherever it lies. */
function loseObject(directory: string, oid: string) {
  const packs = join(directory, 'objects/pack');
  const aside = temporaryDirectory();
  for (const file of readdirSync(packs)) renameSync(join(packs, file), join(aside, file));
  for (const file of readdirSync(aside).filter((name) => name.endsWith('.pack')))
    git(directory, ['unpack-objects', '-q'], readFileSync(join(aside, file)));
  rmSync(join(directory, 'objects', oid.slice(0, 2), oid.slice(2)));
}

async function tidy(directory: string) {
  const { storage } = await open(directory, { host: hostAhead(3 * 24 * 60 * 60 * 1000) });
  await storage.tidy();
  await storage.close();
}

async function repair(directory: string) {
  const { storage } = await open(directory);
  const report = await storage.repair();
  await storage.close();
  return report;
}
