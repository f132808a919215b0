import { execSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { git, temporaryDirectory } from '../../test/native-git.ts';
import { fileSystemError } from '../../test/storage/observed-file-system.ts';
import { changeOf, pathsOf, readText, text } from '../../test/test-repository.ts';
import type { Index } from '../core/index-port.ts';
import { starterPages } from '../core/starter-pages.ts';
import { nodeFileSystem } from '../storage/files/node-file-system.ts';
import { nodeHost } from '../storage/files/node-host.ts';
import { type OpenWikiDirectory, openWikiDirectory } from './wiki-directory.ts';

type Options = Partial<Parameters<typeof openWikiDirectory>[0]>;

function openDirectory(directory: string, options: Options = {}): OpenWikiDirectory {
  const wikis = openWikiDirectory({
    fs: nodeFileSystem,
    host: nodeHost(),
    directory,
    placement: 'local',
    readOnly: false,
    firstPages: starterPages,
    // Nothing here asks the index anything.
    openIndex: () => ({}) as Index,
    ...options,
  });
  onTestFinished(() => wikis.close());
  return wikis;
}

test('the first start makes the directory and the wiki main, whose pages tell how it works', async () => {
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
  expect(readdirSync(directory)).toEqual(['main.git']);
});

test('of several first starts at once one makes the wiki, and all find it whole', async () => {
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
  expect(readdirSync(directory)).toEqual(['main.git']);
});

test('the first wiki on a shared mount is whole for native git as well', async () => {
  const directory = temporaryDirectory();
  const wikis = openDirectory(directory, { placement: 'shared' });
  const { repository } = await wikis.open(await wikis.chooseDefault(null));
  const { commit } = await repository.head();
  expect(git(join(directory, 'main.git'), ['rev-parse', 'main'])).toBe(commit);
  expect(readdirSync(directory)).toEqual(['main.git']);
  expect(await repository.describe()).toEqual({ clone: null, readOnly: false, problems: [] });
});

test('the only wiki there is the default, whatever its name; a given name that is missing among others is not made', async () => {
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
  expect(readdirSync(directory).sort()).toEqual(['Not A Wiki.git', 'notes.git']);
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

test('a directory that is something else is refused with what to do instead, and left alone', async () => {
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
    [join(workingTree, '.git'), 'is a git working tree', `git clone --bare ${JSON.stringify(workingTree)}`],
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
  'a directory that may not be opened (%i, %s) is told as such, as nothing in it can be read',
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

test('a note beside the wikis of a directory is in nobody’s way', async () => {
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

test('a wiki tells the command that clones it, whatever the name of its directory', async () => {
  const directory = join(temporaryDirectory(), 'a "b" $c');
  const wikis = openDirectory(directory);
  const { repository } = await wikis.open(await wikis.chooseDefault(null));
  const { clone, readOnly, problems } = await repository.describe();
  expect({ readOnly, problems }).toEqual({ readOnly: false, problems: [] });
  const target = temporaryDirectory();
  execSync(`${clone} clone`, { cwd: target, stdio: 'pipe' });
  expect(readdirSync(join(target, 'clone')).sort()).toEqual(['.git', 'Home.md', 'How this wiki works.md']);
});

test('settings of a native repository that let pushes undo the wiki are told with their cure', async () => {
  const directory = temporaryDirectory();
  git(directory, ['init', '--quiet', '--bare', 'notes.git']);
  const { repository } = await openDirectory(directory).open('notes');
  const { problems } = await repository.describe();
  expect(problems).toHaveLength(1);
  const cures = [...(problems[0] ?? '').matchAll(/`git -C (\S+) config (\S+) true`/g)];
  expect(cures).toHaveLength(2);
  for (const [, place = '', setting = ''] of cures) git(place, ['config', setting, 'true']);
  expect((await repository.describe()).problems).toEqual([]);
});

test('a wiki that was copied while it is open elsewhere opens by itself', async () => {
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

test('a directory that is served for reading only is not made, and nothing in it is written', async () => {
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

test('what a first start left that died over it a day ago is taken away, and nothing younger or other', async () => {
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
