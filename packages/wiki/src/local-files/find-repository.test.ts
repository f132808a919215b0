import fs, { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { git, temporaryDirectory } from '../../test/native-git.ts';
import { replaceIn } from '../../test/replaced-fs.ts';
import { AllowedFiles } from './allowed-files.ts';
import { findRepository } from './find-repository.ts';

let parent: string;

beforeEach(() => {
  parent = realpathSync(temporaryDirectory());
});

async function find(folder: string, allowed = parent) {
  const files = new AllowedFiles([allowed]);
  return findRepository(files, folder, await files.list(folder));
}

/** A working tree with a commit, and a second one of the same repository. */
function twoWorkingTrees() {
  const [first, second] = [join(parent, 'first'), join(parent, 'second')];
  git(parent, ['init', '--quiet', first]);
  git(first, ['commit', '--quiet', '--allow-empty', '--message', 'Begin']);
  git(first, ['worktree', 'add', '--quiet', second]);
  return { first, second };
}

test('a bare repository is its own git directory, and a working tree has one', async () => {
  const bare = join(parent, 'bare.git');
  git(parent, ['init', '--quiet', '--bare', bare]);
  expect(await find(bare)).toEqual({ own: bare, common: bare });
  const { first } = twoWorkingTrees();
  expect(await find(first)).toEqual({ own: join(first, '.git'), common: join(first, '.git') });
});

test('a second working tree names its own directory, which names the common one', async () => {
  const { first, second } = twoWorkingTrees();
  const found = { own: join(first, '.git', 'worktrees', 'second'), common: join(first, '.git') };
  expect(await find(second)).toEqual(found);
  writeFileSync(join(second, '.git'), 'gitdir: ../first/.git/worktrees/second\r\n');
  for (const end of ['', '\n\n']) {
    writeFileSync(join(second, '.git'), `gitdir: ${found.own}${end}`);
    expect(await find(second)).toEqual(found);
  }
  writeFileSync(join(found.own, 'commondir'), `${found.common}\n`);
  expect(await find(second)).toEqual(found);
});

test('a folder without all parts of a repository is none', async () => {
  for (const [at, parts] of [['HEAD', 'objects'], ['HEAD', 'refs'], ['objects', 'refs'], []].entries()) {
    const folder = join(parent, `${at}`);
    mkdirSync(folder);
    for (const part of parts) mkdirSync(join(folder, part));
    expect(await find(folder), parts.join()).toBeNull();
  }
});

test.each(['nothing', '', 'gitdir: ', ' gitdir: x'])(
  'a file .git with %j names no directory',
  async (text) => {
    writeFileSync(join(parent, '.git'), text);
    await expect(find(parent)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('its `.git` is neither a directory nor a file that names one'),
    });
  },
);

test('what leads out of the allowed files is refused, and a file that is too large is not read', async () => {
  const inside = join(parent, 'inside');
  mkdirSync(inside);
  writeFileSync(join(inside, '.git'), 'gitdir: ../outside\n');
  await expect(find(inside, inside)).rejects.toMatchObject({ code: 'forbidden' });
  writeFileSync(join(inside, '.git'), `gitdir: ${'x'.repeat(10_000)}`);
  await expect(find(inside)).rejects.toMatchObject({ code: 'too_large' });
});

test('a .git that cannot be listed is reported by the error of the system', async () => {
  const { first } = twoWorkingTrees();
  const { readdirSync } = fs;
  const denied = Object.assign(new Error('permission denied'), { code: 'EACCES' });
  let lists = 0;
  replaceIn(fs, {
    readdirSync: (...given: Parameters<typeof readdirSync>) => {
      lists += 1;
      // The first list is that of the folder.
      if (lists > 1) throw denied;
      return readdirSync(...given);
    },
  });
  await expect(find(first)).rejects.toBe(denied);
});
