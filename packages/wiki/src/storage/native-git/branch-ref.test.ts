import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, temporaryDirectory } from '../../../test/native-git.ts';
import { nativeWiki } from '../../../test/storage/native-wiki.ts';
import { fileSystemError, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { freezing, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { createRepository } from '../create-repository.ts';
import { makeFileWith } from '../files/durable-file.ts';
import type { FileSystem } from '../files/file-system.ts';
import { randomName } from '../files/host.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { nodeHost } from '../files/node-host.ts';
import { openProcessLock } from '../files/process-lock.ts';
import { layoutOf } from '../layout.ts';
import { openBranchRef } from './branch-ref.ts';

describe('the branch ref', () => {
  it('is read loose, packed or damaged, and can be absent', async () => {
    const { directory, commits, open } = repository();
    const { ref } = open();
    expect(await ref.read()).toEqual({ kind: 'commit', commit: commits[0] });
    git(directory, ['pack-refs', '--all']);
    expect(await ref.read()).toEqual({ kind: 'commit', commit: commits[0] });
    const file = join(directory, 'refs/heads/main');
    for (const text of ['', 'ref: refs/heads/other\n', `${commits[0]}0\n`, `0${commits[0]}\n`]) {
      writeFileSync(file, text);
      expect(await ref.read()).toEqual({ kind: 'damaged' });
    }
    const seen: unknown[] = [];
    const target = async (current: string | null) => {
      seen.push(current);
      return commits[1];
    };
    expect(await ref.move(target, durable)).toBe('moved');
    expect(seen).toEqual([null]);
    rmSync(join(directory, 'refs/heads/main'));
    git(directory, ['update-ref', '-d', 'refs/heads/main']);
    expect(await ref.read()).toEqual({ kind: 'absent' });
  });

  it('moves, and leaves neither lock nor temporary file', async () => {
    const { directory, commits, open } = repository();
    git(directory, ['pack-refs', '--all']);
    const { ref, lock } = open();
    expect(await ref.move(async () => commits[1], durable)).toBe('moved');
    expect(git(directory, ['rev-parse', 'main'])).toBe(commits[1]);
    await lock.close();
    expect(git(directory, ['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/main\nrefs/tags/v1');
  });

  it('stays if git pushed between the two reads', async () => {
    const { directory, commits, open, temporary } = repository();
    const { fs, frozen, thaw } = freezing(({ name, path }) => name === 'link' && path.endsWith('main.lock'));
    const { ref, lock } = open(fs);
    const moving = ref.move(async () => commits[1], durable);
    await frozen;
    git(directory, ['update-ref', 'refs/heads/main', commits[2]]);
    thaw();
    expect(await moving).toBe('locked');
    await lock.close();
    expect(readdirSync(temporary)).toEqual([]);
    expect(git(directory, ['rev-parse', 'main'])).toBe(commits[2]);
  });

  it.each([
    ['and what it replaces is freed when all is over', nodeFileSystem, 1],
    ['also where there are no hard links', withoutLinksToRefs, 0],
  ])('moves as prepared, %s', async (_, fs, leftMeanwhile) => {
    const { directory, commits, open, temporary } = repository();
    const { ref, lock } = open(fs);
    const prepared = await ref.prepare(commits[1]);
    expect(await prepared.moveFrom(commits[0])).toBe(true);
    expect(git(directory, ['rev-parse', 'main'])).toBe(commits[1]);
    await lock.close();
    expect(readdirSync(temporary)).toHaveLength(leftMeanwhile);
    await prepared.end();
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('moves as prepared where there was no branch, and only there', async () => {
    const { directory, commits, open } = repository();
    const { ref } = open();
    const file = join(directory, 'refs/heads/main');
    writeFileSync(file, '');
    expect(await (await ref.prepare(commits[1])).moveFrom(null)).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe('');
    rmSync(file);
    git(directory, ['update-ref', 'refs/heads/main', commits[0]]);
    expect(await (await ref.prepare(commits[1])).moveFrom(null)).toBe(false);
    expect(git(directory, ['rev-parse', 'main'])).toBe(commits[0]);
    git(directory, ['update-ref', '-d', 'refs/heads/main']);
    expect(await (await ref.prepare(commits[1])).moveFrom(commits[0])).toBe(false);
    expect(await (await ref.prepare(commits[1])).moveFrom(null)).toBe(true);
    expect(git(directory, ['rev-parse', 'main'])).toBe(commits[1]);
  });

  it('reports a disk that fails, and stays', async () => {
    const { directory, commits, open } = repository();
    const failing = (step: string) =>
      observedFileSystem(nodeFileSystem, ({ name, path }) => {
        if (name === step && path.endsWith('refs/heads/main')) throw fileSystemError(5, 'EIO');
      });
    for (const step of ['open', 'rename']) {
      await expect(open(failing(step)).ref.move(async () => commits[1], durable)).rejects.toMatchObject({
        code: 'io_error',
        message: expect.stringContaining('the branch ref'),
      });
    }
    expect(git(directory, ['rev-parse', 'main'])).toBe(commits[0]);
  });

  it('moves as prepared even if the prepared files cannot be removed', async () => {
    const { commits, open } = repository();
    const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
      if (name === 'unlink' && path.includes('temporary')) throw fileSystemError(16, 'EBUSY');
    });
    const prepared = await open(fs).ref.prepare(commits[1]);
    expect(await prepared.moveFrom(commits[0])).toBe(true);
    await prepared.end();
  });

  it('stays if its value is not the one that the move was prepared for, and no prepared file is left', async () => {
    const { directory, commits, open, temporary } = repository();
    const { ref, lock } = open();
    const prepared = await ref.prepare(commits[1]);
    expect(await prepared.moveFrom(commits[2])).toBe(false);
    expect(git(directory, ['rev-parse', 'main'])).toBe(commits[0]);
    await prepared.end();
    await lock.close();
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('does not move to a commit that a power cut could undo', async () => {
    const { directory, commits, open } = repository();
    const failing = () => Promise.reject(new Error('not synced'));
    await expect(open().ref.move(async () => commits[1], failing)).rejects.toThrow('not synced');
    expect(git(directory, ['rev-parse', 'main'])).toBe(commits[0]);
  });

  it('stays if it names a commit that the wiki does not have', async () => {
    const { directory, commits, open } = repository();
    expect(await open().ref.move(async () => null, durable)).toBe('foreign');
    expect(git(directory, ['rev-parse', 'main'])).toBe(commits[0]);
  });

  it('is never empty, even if its lock is taken from a frozen process', async () => {
    const { directory, commits, open } = repository();
    const path = join(directory, 'refs/heads/main');
    const { fs, frozen, thaw } = freezing(({ name, path: to }) => name === 'rename' && to === path);
    const moving = open(fs).ref.move(async () => commits[1], durable);
    await frozen;
    rmSync(`${path}.lock`);
    const other = open();
    expect(await other.ref.move(async () => commits[2], durable)).toBe('moved');
    expect(await other.lock.take()).toBe(true);
    thaw();
    await moving;
    expect(readFileSync(path, 'utf8')).toBe(`${commits[1]}\n`);
  });
});

it.each(['local', 'shared'] as const)(
  'a branch in a folder of a %s wiki moves, even after git packed it',
  async (placement) => {
    const directory = join(temporaryDirectory(), 'wiki.git');
    const shared = placement === 'shared';
    await createRepository({ fs: nodeFileSystem, host: nodeHost(), directory, branch: 'drafts/new', shared });
    const { put, storage } = await openWriter(directory, { placement });
    await put('One.md', 'one');
    await storage.settle();
    git(directory, ['pack-refs', '--all']);
    expect(readdirSync(join(directory, 'refs/heads'))).toEqual([]);
    const written = await put('Two.md', 'two');
    await storage.settle();
    expect(git(directory, ['rev-parse', 'drafts/new'])).toBe('commit' in written && written.commit);
  },
);

it('the branch of a shared wiki follows what was written there, wherever another program moved it', async () => {
  const directory = await newWiki({ shared: true });
  const { put, storage } = await openWriter(directory, { placement: 'shared' });
  await put('Page.md', 'text');
  await storage.settle();
  const forced = git(directory, ['commit-tree', 'main^{tree}', '-m', 'By hand']);
  git(directory, ['update-ref', 'refs/heads/main', forced]);
  const written = await put('Page.md', 'more');
  await storage.settle();
  expect(nativeView(directory).commits).toHaveLength(2);
  const onTop = git(directory, ['commit-tree', 'main^{tree}', '-p', 'main', '-m', 'By hand']);
  git(directory, ['update-ref', 'refs/heads/main', onTop]);
  const cold = await openWriter(directory, { placement: 'shared' });
  expect(await cold.storage.head()).toBe('commit' in written && written.commit);
});

const durable = () => Promise.resolve();

function repository() {
  const directory = nativeWiki(5);
  const [one = '', two = '', three = ''] = git(directory, ['rev-list', 'main']).split('\n');
  const layout = layoutOf(directory, 'main');
  mkdirSync(layout.temporary, { recursive: true });
  const host = nodeHost();
  const temporaryName = () => join(layout.temporary, randomName(host));
  const open = (fs: FileSystem = nodeFileSystem) => {
    const lock = openProcessLock({
      fs,
      host,
      path: layout.refLock,
      claims: layout.lockClaims,
      temporaryName,
    });
    return { lock, ref: openBranchRef({ fs, layout, temporaryName, makeFile: makeFileWith(fs), lock }) };
  };
  return { directory, commits: [one, two, three] as const, open, temporary: layout.temporary };
}

const withoutLinksToRefs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
  if (name === 'link' && !path.endsWith('.lock')) throw fileSystemError(1, 'EPERM');
});
