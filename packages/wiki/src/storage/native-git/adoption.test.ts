import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareRepository, git, temporaryDirectory } from '../../../test/native-git.ts';
import { countingFileSystem } from '../../../test/storage/file-systems/counting-file-system.ts';
import { nativeWiki } from '../../../test/storage/native-wiki.ts';
import { freezing, isLink, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';

describe('native git beside a local wiki', () => {
  it('opens a repository that native git made, and begins the chain at its branch', async () => {
    const directory = nativeWiki(5);
    const before = git(directory, ['rev-parse', 'main']);
    const writer = await openWriter(directory);
    expect(await writer.storage.head()).toBe(before);
    const build = commitOfSameTree(directory);
    const done = await writer.storage.commit({ requestId: '1', digest: '1', build });
    expect(done).toMatchObject({ kind: 'committed', parent: before });
    expect(git(directory, ['rev-list', '--count', 'main'])).toBe('6');
    git(directory, ['fsck', '--strict', '--no-dangling']);
  });

  it('takes a push that came on top of the wiki', async () => {
    const directory = await newWiki();
    const writer = await openWriter(directory);
    await writer.put('Ours.md', 'ours');
    const pushed = push(directory, { 'Theirs.md': 'theirs' });
    expect(await writer.storage.head()).toBe(pushed);
    expect(await writer.put('More.md', 'more')).toMatchObject({ kind: 'committed', parent: pushed });
    expect(nativeView(directory).pages).toEqual({
      'More.md': 'more',
      'Ours.md': 'ours',
      'Theirs.md': 'theirs',
    });
  });

  it('knows a request of this wiki after a push came on top of its commit', async () => {
    const directory = await newWiki();
    const writer = await openWriter(directory);
    const request = { requestId: '7', digest: 'the-same' };
    await writer.put('Ours.md', 'ours', request);
    push(directory, { 'Theirs.md': 'theirs' });
    await writer.storage.head();
    const again = await (await openWriter(directory)).put('Ours.md', 'ours', request);
    expect(again).toMatchObject({ kind: 'repeated' });
  });

  it('does not believe what the message of a pushed commit says about requests', async () => {
    const directory = await newWiki();
    const writer = await openWriter(directory);
    await writer.put('Ours.md', 'ours');
    const digest = 'the-same';
    const message = `Look\n\nRequest-Id: 7\nRequest-Digest: ${digest}\nNonce: 1\n`;
    push(directory, { 'Theirs.md': 'theirs' }, message);
    expect(await writer.put('Page.md', 'text', { requestId: '7', digest })).toMatchObject({
      kind: 'committed',
    });
    const cold = await openWriter(directory);
    expect(await cold.put('Page.md', 'text', { requestId: '7', digest })).toMatchObject({ kind: 'repeated' });
  });

  it('brings in, once, a push that came between a link and the move of the ref', async () => {
    const directory = await newWiki();
    await (await openWriter(directory)).put('Ours.md', 'first');
    const { fs, frozen, thaw } = freezing(({ name, path }) => name === 'link' && path.endsWith('main.lock'));
    const slow = await openWriter(directory, { fs });
    const slowly = slow.put('Slow.md', 'slow');
    await frozen;
    const pushed = push(directory, { 'Theirs.md': 'theirs', 'Ours.md': 'theirs too' });
    const others = await Promise.all([openWriter(directory), openWriter(directory), openWriter(directory)]);
    await Promise.all(others.map((writer) => writer.storage.head()));
    thaw();
    await slowly;
    await Promise.all(others.map((writer) => writer.storage.settle()));

    const { pages, commits } = nativeView(directory);
    expect(pages).toEqual({ 'Ours.md': 'first', 'Slow.md': 'slow', 'Theirs.md': 'theirs' });
    expect(commits).toHaveLength(3);
    expect(git(directory, ['rev-parse', `refs/pagetree/external/${pushed}`])).toBe(pushed);
  });

  it('settles if the branch moved elsewhere meanwhile', async () => {
    const directory = await newWiki();
    const other = await openWriter(directory);
    await other.put('First.md', 'first');
    const first = git(directory, ['rev-parse', 'main']);
    await other.put('Second.md', 'second');
    const writer = await openWriter(directory);
    await writer.storage.head();
    git(directory, ['update-ref', 'refs/heads/main', first]);
    push(directory, { 'Theirs.md': 'theirs' });

    await writer.storage.settle();

    expect(nativeView(directory).pages).toEqual({
      'First.md': 'first',
      'Second.md': 'second',
      'Theirs.md': 'theirs',
    });
  });

  it('does not merge a commit again whose successor came in', async () => {
    const directory = await newWiki();
    const writer = await openWriter(directory);
    await writer.put('Ours.md', 'first');
    const { fs, frozen, thaw } = freezing(isLink);
    const frozenAdopter = await openWriter(directory, { fs });
    const clone = cloneOf(directory);
    const one = commitIn(clone, { 'Theirs.md': 'one' });
    await writer.put('Ours.md', 'second');
    forceRef(directory, clone, one);
    const adopting = frozenAdopter.storage.head();
    await frozen;
    const two = commitIn(clone, { 'Theirs.md': 'two' });
    forceRef(directory, clone, two);
    await writer.storage.head();
    await writer.put('Theirs.md', 'three');
    thaw();
    await adopting;
    await (await openWriter(directory)).storage.settle();
    expect(await writer.storage.head()).toBe(git(directory, ['rev-parse', 'main']));
    const { pages, commits } = nativeView(directory);
    expect(pages).toEqual({ 'Ours.md': 'second', 'Theirs.md': 'three' });
    expect(commits).toHaveLength(4);
  });

  it('brings in the fortieth push beside a write at about the price of the tenth', async () => {
    const directory = await newWiki();
    const { fs, calls } = countingFileSystem(nodeFileSystem);
    const writer = await openWriter(directory, { fs });
    await writer.put('Ours.md', 'first');
    const pushes = lineOfCommits(directory, 40);
    const prices: number[] = [];
    for (const [number, pushed] of pushes.entries()) {
      await writer.put('Ours.md', `${number}`);
      await writer.storage.settle();
      git(directory, ['update-ref', 'refs/heads/main', pushed]);
      const before = calls.length;
      await writer.storage.head();
      prices.push(calls.length - before);
    }
    const [tenth = 0, fortieth = 0] = [prices[9], prices[39]];
    expect(fortieth).toBeLessThan(2 * tenth);
    expect(Object.keys(nativeView(directory).pages)).toHaveLength(1 + pushes.length);
  });

  it('continues to take in pushes if other commits are lost or git left a lock among their names', async () => {
    const directory = await newWiki();
    const writer = await openWriter(directory);
    await writer.put('Ours.md', 'first');
    const first = git(directory, ['rev-parse', 'main']);
    const commitOn = (parent: string, message: string) =>
      git(directory, ['commit-tree', 'main^{tree}', '-p', parent, '-m', message]);
    const cameIn = commitOn(first, 'Came in');
    const on = commitOn(cameIn, 'Never came in');
    const apart = commitOn(first, 'Comes now');
    await writer.put('Ours.md', 'second');
    git(directory, ['update-ref', 'refs/heads/main', cameIn]);
    await writer.storage.head();
    await writer.storage.settle();
    const external = join(directory, 'refs/pagetree/external');
    expect(readdirSync(external)).toEqual([cameIn]);
    // Left by a process that died between the two, or by a power cut: native git does not sync what it commits.
    for (const name of [on, '1'.repeat(40)]) writeFileSync(join(external, name), `${name}\n`);
    writeFileSync(join(external, `${cameIn}.lock`), '');
    rmSync(join(directory, 'objects', cameIn.slice(0, 2), cameIn.slice(2)));

    git(directory, ['update-ref', 'refs/heads/main', apart]);
    const cold = await openWriter(directory);
    await cold.put('Ours.md', 'third');
    await cold.storage.settle();
    expect(git(directory, ['log', '--format=%s', 'main']).split('\n')).toHaveLength(5);
  });

  it('moves a ref forward again that was moved back, deleted or emptied', async () => {
    const directory = await newWiki();
    const writer = await openWriter(directory);
    await writer.put('Page.md', 'one');
    const { commits } = nativeView(directory);
    for (const harm of [
      () => git(directory, ['update-ref', 'refs/heads/main', commits[0] ?? '']),
      () => rmSync(join(directory, 'refs/heads/main')),
      () => writeFileSync(join(directory, 'refs/heads/main'), ''),
    ]) {
      await writer.put('Page.md', `${Math.random()}`);
      harm();
      const cold = await openWriter(directory);
      const head = await cold.storage.head();
      await cold.put('Other.md', `${Math.random()}`);
      expect(git(directory, ['rev-parse', 'main~1'])).toBe(head);
      await cold.storage.head();
      const last = git(directory, ['rev-parse', 'main']);
      harm();
      expect(await cold.storage.head()).toBe(last);
      await cold.storage.settle();
      expect(git(directory, ['rev-parse', 'main'])).toBe(last);
    }
    git(directory, ['fsck', '--strict', '--no-dangling']);
  });

  it('reads the branch from packed-refs, and survives what git gc does to it', async () => {
    const directory = await newWiki();
    const writer = await openWriter(directory);
    for (let i = 0; i < 5; i += 1) await writer.put(`Page ${i}.md`, `${i}`);
    const pushed = push(directory, { 'Theirs.md': 'theirs' });
    git(directory, ['gc', '--quiet', '--prune=now']);
    expect(readdirSync(join(directory, 'refs/heads'))).toEqual([]);
    const cold = await openWriter(directory);
    expect(await cold.storage.head()).toBe(pushed);
    await cold.put('More.md', 'more');
    await writer.put('Last.md', 'last');
    expect(nativeView(directory).commits).toHaveLength(8);
  });

  it('leaves a lock of git alone, writes on, and moves the ref when the lock is gone', async () => {
    const directory = await newWiki();
    const writer = await openWriter(directory);
    const first = await writer.put('One.md', 'one');
    const lock = join(directory, 'refs/heads/main.lock');
    writeFileSync(lock, '');
    const second = await writer.put('Two.md', 'two');
    expect(second).toMatchObject({ kind: 'committed', parent: commitOf(first) });
    expect(git(directory, ['rev-parse', 'main'])).toBe(commitOf(first));
    expect(readdirSync(join(directory, 'refs/heads'))).toContain('main.lock');
    rmSync(lock);
    await writer.storage.settle();
    expect(git(directory, ['rev-parse', 'main'])).toBe(commitOf(second));
  });
});

function commitOf(outcome: object): unknown {
  return 'commit' in outcome ? outcome.commit : undefined;
}

function commitOfSameTree(directory: string) {
  return async (base: string | null, transaction: import('../storage.ts').Transaction) => {
    const tree = git(directory, ['rev-parse', `${base}^{tree}`]);
    const author = 'A. Writer <writer@example.org> 1700000000 +0000';
    const text = `tree ${tree}\nparent ${base}\nauthor ${author}\ncommitter ${author}\n\nSame\n\n${transaction.trailers.join('\n')}\n`;
    return transaction.write('commit', Buffer.from(text));
  };
}

function cloneOf(directory: string): string {
  const clone = join(temporaryDirectory(), 'clone');
  git(directory, ['clone', '--quiet', directory, clone]);
  return clone;
}

function commitIn(clone: string, pages: Record<string, string>, message = 'By hand'): string {
  for (const [page, text] of Object.entries(pages)) writeFileSync(join(clone, page), text);
  git(clone, ['add', '.']);
  git(clone, ['commit', '--quiet', '--cleanup=verbatim', '-F', '-'], message);
  return git(clone, ['rev-parse', 'HEAD']);
}

function push(directory: string, pages: Record<string, string>, message?: string): string {
  const clone = cloneOf(directory);
  const commit = commitIn(clone, pages, message);
  git(clone, ['push', '--quiet', 'origin', 'HEAD:main']);
  return commit;
}

/** Commits one after the other on top of the branch, each of which adds a page; no branch names them. */
function lineOfCommits(directory: string, count: number): string[] {
  const lines = Array.from({ length: count }, (_, number) => [
    'commit refs/pushes/line',
    `mark :${number + 1}`,
    `committer A. Writer <writer@example.org> ${Math.floor(Date.now() / 1000)} +0000`,
    'data 0',
    ...(number === 0 ? ['from refs/heads/main^0'] : []),
    `M 100644 inline Theirs-${number}.md`,
    'data 6',
    'theirs',
  ]);
  const inPack = ['-c', 'fastimport.unpackLimit=1'];
  git(directory, [...inPack, 'fast-import', '--quiet'], `${lines.flat().join('\n')}\n`);
  const commits = git(directory, ['rev-list', '--reverse', `-${count}`, 'refs/pushes/line']).split('\n');
  git(directory, ['update-ref', '-d', 'refs/pushes/line']);
  return commits;
}

/** As `git fetch` and `git update-ref` do in the wiki itself, which no rule of receiving holds back. */
function forceRef(directory: string, clone: string, commit: string): void {
  git(directory, ['fetch', '--quiet', clone, commit]);
  git(directory, ['update-ref', 'refs/heads/main', commit]);
}

it('refuses a push that would take back what the wiki holds', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await writer.put('One.md', 'one');
  const clone = cloneOf(directory);
  commitIn(clone, { 'Theirs.md': 'theirs' });
  await writer.put('Two.md', 'two');
  expect(() => git(clone, ['push', '--quiet', '--force', 'origin', 'HEAD:main'])).toThrow(
    'denying non-fast-forward',
  );
  expect(bareRepository()).toBeTruthy();
});
