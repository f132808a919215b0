import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, temporaryDirectory } from '../../../../test/native-git.ts';
import { nativeView, newWiki, openWriter } from '../../../../test/storage/writers.ts';

const IDENTITY = ['-c', 'user.name=A. Writer', '-c', 'user.email=writer@example.org'];

describe("commits of the same wiki that arrive outside of the branch's chain", () => {
  it.each(['read', 'repaired'])('are accepted if the branch is moved to another one, and %s', async (use) => {
    const directory = await wikiWithDrafts();
    git(directory, ['branch', '--force', 'main', 'drafts']);
    const { storage, put } = await openWriter(directory);
    if (use === 'repaired') expect(await storage.repair()).toMatchObject({ orderRestored: false });
    expect(await storage.head()).toBe(git(directory, ['rev-parse', 'drafts']));
    expect(await put('Two.md', 'two')).toMatchObject({ kind: 'committed' });
    expect((await storage.check()).problems).toEqual([]);
    expect(nativeView(directory).pages).toEqual({ 'Draft.md': 'draft', 'One.md': 'one', 'Two.md': 'two' });
  });

  it('are accepted if another branch is merged', async () => {
    const directory = await wikiWithDrafts();
    const tree = git(directory, ['rev-parse', 'drafts^{tree}']);
    const parents = ['-p', 'main', '-p', 'drafts'];
    const merge = git(directory, [...IDENTITY, 'commit-tree', tree, ...parents, '-m', 'Merge']);
    git(directory, ['update-ref', 'refs/heads/main', merge]);
    const { storage } = await openWriter(directory);
    expect(await storage.head()).toBe(merge);
  });

  it('are accepted by a clone that was made while the branch lagged, when they are pushed', async () => {
    const directory = await newWiki();
    const { put, storage } = await openWriter(directory);
    for (const page of ['One.md', 'Two.md', 'Three.md']) await put(page, 'text');
    await storage.close();
    const newest = git(directory, ['rev-parse', 'main']);
    const clone = join(temporaryDirectory(), 'clone.git');
    git(directory, ['update-ref', 'refs/heads/main', 'main~2']);
    git('/', ['clone', '--quiet', '--bare', directory, clone]);
    git(directory, ['update-ref', 'refs/heads/main', newest]);
    const before = await openWriter(clone);
    await before.storage.head();
    await before.storage.close();
    git(directory, ['push', '--quiet', clone, 'main']);
    expect(await (await openWriter(clone)).storage.head()).toBe(newest);
  });

  it('are refused if their name in the chain is lost, although another branch began with them', async () => {
    const directory = await newWiki();
    const { put, storage } = await openWriter(directory);
    await put('One.md', 'one');
    const first = await storage.head();
    await put('Two.md', 'two', { requestId: 'two' });
    await storage.close();
    await writeDraft(directory);
    rmSync(join(directory, 'pagetree/chain-main', first ?? ''));
    const after = await openWriter(directory);
    const again = () => after.put('Two.md', 'two', { requestId: 'two' });
    await expect(again()).rejects.toMatchObject({ code: 'corrupt_chain' });
    expect(await after.storage.repair()).toMatchObject({ orderRestored: true });
    expect(await again()).toMatchObject({ kind: 'repeated' });
  });

  async function wikiWithDrafts(): Promise<string> {
    const directory = await newWiki();
    const { put, storage } = await openWriter(directory);
    await put('One.md', 'one');
    await storage.close();
    await writeDraft(directory);
    return directory;
  }

  async function writeDraft(directory: string): Promise<void> {
    git(directory, ['branch', 'drafts', 'main']);
    git(directory, ['symbolic-ref', 'HEAD', 'refs/heads/drafts']);
    const { put, storage } = await openWriter(directory);
    await put('Draft.md', 'draft');
    await storage.close();
    git(directory, ['symbolic-ref', 'HEAD', 'refs/heads/main']);
  }
});
