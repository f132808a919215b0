import { execSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, temporaryDirectory } from '../../../test/native-git.ts';
import { fileSystemError } from '../../../test/storage/observed-file-system.ts';
import { changeOf, pathsOf, readText, text } from '../../../test/test-repository.ts';
import { openDirectory } from '../../../test/wiki-directory.ts';
import type { OpenIndex } from '../../core/index-port.ts';
import type { FileSystem } from '../../storage/files/file-system.ts';
import { nodeFileSystem } from '../../storage/files/node-file-system.ts';

test('the first start makes the directory and the wiki main, whose pages explain how it works', async () => {
  const directory = join(temporaryDirectory(), 'not', 'there', 'yet');
  const wikis = openDirectory(directory);
  expect(await wikis.chooseDefault(null)).toBe('main');
  expect(await wikis.names()).toEqual(['main']);

  const { repository } = await wikis.open('main');

  const head = await repository.head();
  expect(await pathsOf(head)).toEqual(['Home.md', 'How this wiki works.md']);
  expect(await readText(head, 'Home.md')).toContain('[[How this wiki works]]');
  const gitDirectory = join(directory, 'main.git');
  expect(git(gitDirectory, ['log', '--format=%an: %s', 'main'])).toBe('Pagetree: Begin the wiki');
  expect(git(gitDirectory, ['config', 'pagetree.format'])).toBe('1');
  expect(git(gitDirectory, ['config', 'core.logAllRefUpdates'])).toBe('false');
  git(gitDirectory, ['fsck', '--strict']);
  expect(readdirSync(directory).sort()).toEqual(['default-wiki', 'main.git']);
});

test('if several first starts run at once, one makes the wiki, and all find it complete', async () => {
  const directory = temporaryDirectory();
  const starts = Array.from({ length: 6 }, () => openDirectory(directory));
  const heads = await Promise.all(
    starts.map(async (wikis) => {
      const { repository } = await wikis.open(await wikis.chooseDefault(null));
      return (await repository.head()).commit;
    }),
  );
  expect(new Set(heads).size).toBe(1);
  expect(git(join(directory, 'main.git'), ['rev-list', '--count', 'main'])).toBe('1');
  expect(readdirSync(directory).sort()).toEqual(['default-wiki', 'main.git']);
});

test('native git accepts the first wiki on a shared mount', async () => {
  const directory = temporaryDirectory();
  const wikis = openDirectory(directory, { placement: 'shared' });
  const { repository } = await wikis.open(await wikis.chooseDefault(null));
  const { commit } = await repository.head();
  expect(git(join(directory, 'main.git'), ['rev-parse', 'main'])).toBe(commit);
  expect(readdirSync(directory).sort()).toEqual(['default-wiki', 'main.git']);
  expect(await repository.describe()).toEqual({ clone: null, readOnly: false, problems: [] });
});

test('the only wiki is the default under any name; a given name that is missing among others is not made', async () => {
  const directory = temporaryDirectory();
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=trunk', 'notes.git']);
  mkdirSync(join(directory, 'Not A Wiki.git'));
  const wikis = openDirectory(directory);
  expect(await wikis.chooseDefault(null)).toBe('notes');
  expect(await wikis.chooseDefault('notse')).toBe('notse');
  await expect(wikis.open('notse')).rejects.toMatchObject({
    code: 'not_found',
    text: {
      now: 'There are: notes.',
      next: 'Pass wiki: "notes". Where none is named, "notse" is meant: ask the person who runs this to name another.',
    },
  });
  expect(await wikis.chooseDefault(null)).toBe('notes');
  await expect(wikis.open('other')).rejects.toMatchObject({
    text: { next: 'Pass wiki: "notes", or leave wiki out for the default one.' },
  });
  expect(readdirSync(directory).sort()).toEqual(['Not A Wiki.git', 'default-wiki', 'notes.git']);
});

test('a given name in an empty directory is made', async () => {
  const directory = temporaryDirectory();
  const wikis = openDirectory(directory);
  expect(await wikis.chooseDefault('team')).toBe('team');
  expect(await pathsOf(await (await wikis.open('team')).repository.head())).toContain('Home.md');
});

test('a bare repository made by native git opens as it is, on the branch of its HEAD, also without a commit', async () => {
  const directory = temporaryDirectory();
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=trunk', 'notes.git']);
  const { repository } = await openDirectory(directory).open('notes');
  expect(repository.branch).toBe('trunk');
  expect((await repository.head()).commit).toBeNull();
  await repository.write(changeOf([text('Home.md', 'x')]));
  expect(git(join(directory, 'notes.git'), ['log', '--format=%s', 'trunk'])).toBe('Change pages');
});

test('two wikis open at once keep their changes apart', async () => {
  const directory = temporaryDirectory();
  for (const name of ['one', 'two']) git(directory, ['init', '--quiet', '--bare', `${name}.git`]);
  const wikis = openDirectory(directory);
  const [one, two] = [await wikis.open('one'), await wikis.open('two')];
  expect(await wikis.open('one')).toBe(one);
  await one.repository.write(changeOf([text('a.md', 'x')]));
  expect((await two.repository.head()).commit).toBeNull();
});

test('a visited wiki is closed even if its index cannot be, and the failure of the visit is reported', async () => {
  const directory = temporaryDirectory();
  const { repository } = await openDirectory(directory).open(
    await openDirectory(directory).chooseDefault(null),
  );
  await repository.write(changeOf([text('a.md', 'x')]));
  let openFiles = 0;
  const fs: FileSystem = {
    ...nodeFileSystem,
    open: async (...place) => {
      const file = await nodeFileSystem.open(...place);
      openFiles += 1;
      const close = () => {
        openFiles -= 1;
        return file.close();
      };
      return { ...file, close };
    },
  };
  const close = () => Promise.reject(new Error('The index is stuck.'));
  const wikis = openDirectory(directory, { fs, openIndex: () => ({ close }) as unknown as OpenIndex });
  const visit = wikis.visit('main', async (wiki) => {
    expect(await pathsOf(await wiki.repository.head())).toContain('a.md');
    expect(openFiles).toBeGreaterThan(0);
    throw new Error('The visit failed.');
  });
  await expect(visit).rejects.toThrow('The visit failed.');
  expect(openFiles).toBe(0);
  await expect(wikis.visit('main', async () => 'visited')).rejects.toThrow('The index is stuck.');
});

test('a path that is not a directory is refused with what to do instead, and left alone', async () => {
  const parent = temporaryDirectory();
  const make = (name: string, fill: (directory: string) => void) => {
    mkdirSync(join(parent, name));
    fill(join(parent, name));
    return join(parent, name);
  };
  const workingTree = make('tree', (directory) => git(directory, ['init', '--quiet']));
  const vault = make('vault', (directory) => mkdirSync(join(directory, '.obsidian')));
  const loose = make('loose', (directory) => writeFileSync(join(directory, 'Note.md'), 'x'));
  const bare = make('team.git', (directory) => git(directory, ['init', '--quiet', '--bare']));
  const unnamed = make('Team Notes', (directory) => git(directory, ['init', '--quiet', '--bare']));
  const file = join(parent, 'file');
  writeFileSync(file, '');
  const cases: [string, string, string][] = [
    [workingTree, 'git working tree', 'git clone --bare'],
    [join(workingTree, '.git'), 'is a git working tree', `${JSON.stringify(workingTree)} DIR/wiki.git`],
    [vault, 'folder of Markdown files', 'git init && git add . && git commit'],
    [loose, 'folder of Markdown files', 'git init && git add . && git commit'],
    [bare, 'itself a bare git repository', `${parent}, and the wiki team`],
    [unnamed, 'itself a bare git repository', 'Move it into'],
    [file, 'is not a directory', 'Name a directory'],
  ];
  const before = readdirSync(parent, { recursive: true });
  for (const [directory, what, instead] of cases) {
    await expect(openDirectory(directory).chooseDefault(null), directory).rejects.toMatchObject({
      code: 'backend_unavailable',
      text: { happened: expect.stringContaining(what), next: expect.stringContaining(instead) },
    });
  }
  expect(readdirSync(parent, { recursive: true })).toEqual(before);
});

test.each([
  [13, 'EACCES', 'permission was denied'],
  [30, 'EROFS', 'the file system is mounted read-only'],
])(
  'a directory that may not be opened (%i, %s) is reported as such, as nothing in it can be read',
  async (errno, code, why) => {
    const directory = temporaryDirectory();
    const fs = { ...nodeFileSystem, readdir: () => Promise.reject(fileSystemError(errno, code)) };
    await expect(openDirectory(directory, { fs }).chooseDefault(null)).rejects.toMatchObject({
      code: 'backend_unavailable',
      text: {
        happened: `Opening the directory of wikis, ${directory}, failed: ${why}.`,
        now: 'No wiki was opened, and nothing in there was changed.',
      },
    });
  },
);

test('a file beside the wikis of a directory does no harm', async () => {
  const directory = temporaryDirectory();
  await openDirectory(directory).chooseDefault(null);
  writeFileSync(join(directory, 'README.md'), 'Our wikis.');
  expect(await openDirectory(directory).chooseDefault(null)).toBe('main');
});

test('a wiki of a newer format is refused plainly, and opens as soon as that is cured', async () => {
  const directory = temporaryDirectory();
  git(directory, ['init', '--quiet', '--bare', 'notes.git']);
  const gitDirectory = join(directory, 'notes.git');
  git(gitDirectory, ['config', 'pagetree.format', '99']);
  const wikis = openDirectory(directory);
  await expect(wikis.open('notes')).rejects.toMatchObject({
    code: 'backend_unavailable',
    text: { happened: expect.stringContaining('pagetree.format is 99') },
  });
  git(gitDirectory, ['config', 'pagetree.format', '1']);
  expect((await wikis.open('notes')).repository.name).toBe('notes');
});

test('a wiki reports the command that clones it, for any name of its directory', async () => {
  const directory = join(temporaryDirectory(), 'a "b" $c');
  const wikis = openDirectory(directory);
  const { repository } = await wikis.open(await wikis.chooseDefault(null));
  const { clone, readOnly, problems } = await repository.describe();
  expect({ readOnly, problems }).toEqual({ readOnly: false, problems: [] });
  const target = temporaryDirectory();
  execSync(`${clone} clone`, { cwd: target, stdio: 'pipe' });
  expect(readdirSync(join(target, 'clone')).sort()).toEqual(['.git', 'Home.md', 'How this wiki works.md']);
});

test('settings of a native repository that let pushes undo or spoil the wiki are reported with their cure', async () => {
  const directory = temporaryDirectory();
  git(directory, ['init', '--quiet', '--bare', 'notes.git']);
  const { repository } = await openDirectory(directory).open('notes');
  const { problems } = await repository.describe();
  expect(problems).toHaveLength(2);
  const cures = [...problems.join(' ').matchAll(/`git -C (\S+) config (\S+) true`/g)];
  expect(cures).toHaveLength(3);
  for (const [, place = '', setting = ''] of cures) git(place, ['config', setting, 'true']);
  expect((await repository.describe()).problems).toEqual([]);
});

test.each([false, true])(
  'objects that git replaces are reported with a cure (refs packed: %s)',
  async (packed) => {
    const directory = temporaryDirectory();
    const wikis = openDirectory(directory);
    const { repository } = await wikis.open(await wikis.chooseDefault(null));
    const wiki = join(directory, 'main.git');
    git(wiki, ['config', 'core.useReplaceRefs', 'true']);
    const other = git(wiki, ['commit-tree', 'main^{tree}', '-m', 'Other']);
    git(wiki, ['replace', 'main', other]);
    if (packed) git(wiki, ['pack-refs', '--all']);
    const { problems } = await repository.describe();
    expect(problems).toEqual([expect.stringContaining('`git replace`')]);
    const [, place = '', ...setting] = /git -C (\S+) (config) (\S+) (false)/.exec(problems.join(' ')) ?? [];
    git(place, setting);
    expect((await repository.describe()).problems).toEqual([]);
    expect(git(wiki, ['rev-parse', 'main'])).toBe((await repository.head()).commit);
  },
);

test('a copy of a wiki that is open elsewhere can be opened', async () => {
  const directory = temporaryDirectory();
  const wikis = openDirectory(directory);
  const { repository } = await wikis.open(await wikis.chooseDefault(null));
  await repository.write(changeOf([text('a.md', 'x')]));
  const copy = temporaryDirectory();
  cpSync(join(directory, 'main.git'), join(copy, 'main.git'), { recursive: true, verbatimSymlinks: true });
  const copied = (await openDirectory(copy).open('main')).repository;
  expect((await copied.head()).commit).toBe((await repository.head()).commit);
  await copied.write(changeOf([text('b.md', 'x')]));
  expect(await pathsOf(await repository.head())).not.toContain('b.md');
});

test('a read-only directory is not created, and nothing is written into it', async () => {
  const parent = temporaryDirectory();
  await expect(
    openDirectory(join(parent, 'none'), { readOnly: true }).chooseDefault(null),
  ).rejects.toMatchObject({
    code: 'backend_unavailable',
  });
  expect(readdirSync(parent)).toEqual([]);
  git(parent, ['init', '--quiet', '--bare', 'notes.git']);
  const before = readdirSync(parent, { recursive: true });
  const wikis = openDirectory(parent, { readOnly: true });
  const { repository } = await wikis.open(await wikis.chooseDefault(null));
  await expect(repository.write(changeOf([text('a.md', 'x')]))).rejects.toMatchObject({ code: 'forbidden' });
  expect((await repository.head()).commit).toBeNull();
  expect((await repository.describe()).readOnly).toBe(true);
  expect(readdirSync(parent, { recursive: true })).toEqual(before);
});

test('leftovers of a first start that died a day ago are removed, and nothing newer or else', async () => {
  const directory = temporaryDirectory();
  const [old, young] = ['a', 'b'].map((digit) => `main.git.new-${digit.repeat(32)}`) as [string, string];
  for (const name of [old, young, 'main.git.new-mine'])
    mkdirSync(join(directory, name, 'objects'), { recursive: true });
  const twoDaysAgo = Date.now() / 1000 - 48 * 3600;
  for (const name of [old, 'main.git.new-mine']) utimesSync(join(directory, name), twoDaysAgo, twoDaysAgo);
  await openDirectory(directory, { readOnly: true }).names();
  expect(readdirSync(directory)).toHaveLength(3);
  expect(await openDirectory(directory).names()).toEqual([]);
  expect(readdirSync(directory).sort()).toEqual([young, 'main.git.new-mine']);
});
