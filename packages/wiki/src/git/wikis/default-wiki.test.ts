import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, temporaryDirectory } from '../../../test/native-git.ts';
import { interceptedFileSystem } from '../../../test/storage/file-systems/intercepted-file-system.ts';
import { rememberingFileSystem } from '../../../test/storage/file-systems/remembering-file-system.ts';
import { fileSystemError } from '../../../test/storage/observed-file-system.ts';
import { openDirectory } from '../../../test/wiki-directory.ts';
import { nodeFileSystem } from '../../storage/files/node-file-system.ts';

/** The default wiki as a new start finds it. */
function started(directory: string): Promise<string> {
  return openDirectory(directory).chooseDefault(null);
}

function addWiki(directory: string, name: string): void {
  git(directory, ['init', '--quiet', '--bare', `${name}.git`]);
}

function recorded(directory: string): string {
  return readFileSync(join(directory, 'default-wiki'), 'utf8');
}

test('a second repository in the directory, of any name, does not change the default wiki', async () => {
  const directory = temporaryDirectory();
  addWiki(directory, 'notes');
  expect(await started(directory)).toBe('notes');
  addWiki(directory, 'main');
  addWiki(directory, 'archive');
  expect(await started(directory)).toBe('notes');
  expect(recorded(directory)).toBe('notes\n');
});

test('a wiki made beside the only one does not change the default, even if no start recorded it', async () => {
  const directory = temporaryDirectory();
  addWiki(directory, 'notes');
  const wikis = openDirectory(directory, { makes: 'named wikis' });
  await wikis.chooseDefault('notes');
  expect(await wikis.create('main', async () => undefined)).toBe(true);
  expect(await started(directory)).toBe('notes');
});

test.each(['local', 'shared'] as const)(
  'the first wiki of a new directory becomes its default, without an empty main beside it (%s)',
  async (placement) => {
    const directory = join(temporaryDirectory(), 'new');
    const wikis = openDirectory(directory, { makes: 'named wikis', placement });
    await wikis.chooseDefault('notes');
    await wikis.create('notes', async () => undefined);
    addWiki(directory, 'other');
    expect(await openDirectory(directory, { placement }).chooseDefault(null)).toBe('notes');
    expect(readdirSync(directory).sort()).toEqual(['default-wiki', 'notes.git', 'other.git']);
  },
);

test('a given name counts for one start, and records nothing', async () => {
  const directory = temporaryDirectory();
  expect(await started(directory)).toBe('main');
  addWiki(directory, 'team');
  expect(await openDirectory(directory).chooseDefault('team')).toBe('team');
  expect(await started(directory)).toBe('main');
});

test('if many first starts with different names run at once, one of them decides and all later ones agree', async () => {
  for (let round = 0; round < 10; round += 1) {
    const directory = temporaryDirectory();
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => openDirectory(directory).chooseDefault(name)));
    const later = await Promise.all(names.map(() => started(directory)));
    expect(new Set(later).size).toBe(1);
    expect(names).toContain(later[0]);
    expect(readdirSync(directory).filter((name) => name.includes('new-'))).toEqual([]);
  }
});

test('a process that dies at any step of the first start leaves a directory that decides the same for all', async () => {
  for (let dies = 0, done = false; !done; dies += 1) {
    const directory = temporaryDirectory();
    let calls = 0;
    const own = rememberingFileSystem(nodeFileSystem);
    const fs = interceptedFileSystem(own.fs, async (_, perform) => {
      if (calls++ >= dies) throw fileSystemError(5, 'EIO');
      return perform();
    });
    done = await openDirectory(directory, { fs })
      .chooseDefault('notes')
      .then(
        () => calls <= dies,
        () => false,
      );
    await own.release();
    const present = readdirSync(directory).includes('notes.git');
    const first = await started(directory);
    if (present) expect(first).toBe('notes');
    mkdirSync(join(directory, 'zzz.git'));
    expect(await started(directory)).toBe(first);
  }
});

test('a recorded wiki that is gone is a plain error, and nothing is made in its place', async () => {
  const directory = temporaryDirectory();
  await started(directory);
  renameSync(join(directory, 'main.git'), join(temporaryDirectory(), 'main.git'));
  const wikis = openDirectory(directory);
  const name = await wikis.chooseDefault(null);
  await expect(wikis.open(name)).rejects.toMatchObject({
    code: 'not_found',
    text: {
      happened: `The default wiki "main" is not in ${directory} any more.`,
      now: 'There is no wiki there. None was made in its place.',
      next: expect.stringContaining('main.git back'),
    },
  });
  addWiki(directory, 'notes');
  const again = openDirectory(directory);
  await expect(again.open(await again.chooseDefault(null))).rejects.toMatchObject({
    text: { now: 'There are: notes. None was made in its place.' },
  });
  expect(await again.open('notes')).toBeDefined();
  expect(await openDirectory(directory).chooseDefault('main')).toBe('main');
  expect(readdirSync(directory).sort()).toEqual(['default-wiki', 'notes.git']);
});

test('a person changes the default by writing its name into the file, or links to it', async () => {
  const directory = temporaryDirectory();
  await started(directory);
  addWiki(directory, 'notes');
  const record = join(directory, 'default-wiki');
  writeFileSync(record, 'notes');
  expect(await started(directory)).toBe('notes');
  rmSync(record);
  symlinkSync('main.git', record);
  expect(await started(directory)).toBe('main');
  rmSync(record);
  writeFileSync(record, 'My Notes!\n');
  await expect(started(directory)).rejects.toMatchObject({
    code: 'backend_unavailable',
    text: { happened: `${record} is to name the default wiki, but holds "My Notes!".` },
  });
});

test('with several wikis and no recorded default, main is the default; without main a call must name a wiki', async () => {
  const directory = temporaryDirectory();
  for (const name of ['one', 'two']) addWiki(directory, name);
  const wikis = openDirectory(directory);
  await expect(wikis.open(await wikis.chooseDefault(null))).rejects.toMatchObject({
    code: 'not_found',
    text: { happened: 'There is no wiki "main".', now: 'There are: one, two.' },
  });
  expect(readdirSync(directory).sort()).toEqual(['one.git', 'two.git']);
  addWiki(directory, 'main');
  expect(await started(directory)).toBe('main');
  expect(recorded(directory)).toBe('main\n');
});

test('a directory that cannot be written is still served', async () => {
  const directory = temporaryDirectory();
  addWiki(directory, 'notes');
  const fs = {
    ...nodeFileSystem,
    open: (async (path, flags, mode) => {
      if (flags.startsWith('w') && path.startsWith(join(directory, 'default-wiki')))
        throw fileSystemError(30, 'EROFS');
      return nodeFileSystem.open(path, flags, mode);
    }) as typeof nodeFileSystem.open,
  };
  expect(await openDirectory(directory, { fs }).chooseDefault(null)).toBe('notes');
  expect(await openDirectory(directory, { readOnly: true }).chooseDefault(null)).toBe('notes');
  expect(readdirSync(directory)).toEqual(['notes.git']);
});

test('without hard links the default is still recorded exactly once', async () => {
  const directory = temporaryDirectory();
  const fs = { ...nodeFileSystem, link: () => Promise.reject(fileSystemError(1, 'EPERM')) };
  const names = ['a', 'b', 'c'];
  await Promise.all(names.map((name) => openDirectory(directory, { fs }).chooseDefault(name)));
  const later = await Promise.all(names.map(() => openDirectory(directory, { fs }).chooseDefault(null)));
  expect(new Set(later).size).toBe(1);
  for (const name of readdirSync(directory)) expect(name).toMatch(/^([abc]\.git|default-wiki)$/);
});

test('a reader that may record the default does so, and makes nothing else', async () => {
  const parent = temporaryDirectory();
  const missing = join(parent, 'mistyped');
  await expect(openDirectory(missing, { makes: 'record' }).chooseDefault(null)).rejects.toMatchObject({
    code: 'backend_unavailable',
  });
  expect(readdirSync(parent)).toEqual([]);
  mkdirSync(missing);
  const none = openDirectory(missing, { makes: 'record' });
  await expect(none.open(await none.chooseDefault(null))).rejects.toMatchObject({ code: 'not_found' });
  expect(readdirSync(missing)).toEqual([]);
  addWiki(missing, 'beta');
  expect(await openDirectory(missing, { makes: 'record' }).chooseDefault(null)).toBe('beta');
  addWiki(missing, 'main');
  expect(await openDirectory(missing, { makes: 'nothing' }).chooseDefault(null)).toBe('beta');
  expect(readdirSync(missing).sort()).toEqual(['beta.git', 'default-wiki', 'main.git']);
});

test('a call that names no wiki creates the default only if there is no wiki and none is recorded', async () => {
  const directory = temporaryDirectory();
  const wikisOf = async (given: string | null) => {
    const wikis = openDirectory(directory, { makes: 'named wikis' });
    await wikis.chooseDefault(given);
    return wikis;
  };
  expect(await (await wikisOf(null)).requireDefault()).toBeUndefined();
  for (const name of ['one', 'two']) addWiki(directory, name);
  await expect((await wikisOf(null)).requireDefault()).rejects.toMatchObject({
    text: { happened: 'There is no wiki "main".', now: 'There are: one, two.' },
  });
  expect(await (await wikisOf('named')).requireDefault()).toBeUndefined();
  writeFileSync(join(directory, 'default-wiki'), 'gone\n');
  await expect((await wikisOf(null)).requireDefault()).rejects.toMatchObject({
    code: 'not_found',
    text: { now: 'There are: one, two. None was made in its place.' },
  });
  for (const name of ['one', 'two']) rmSync(join(directory, `${name}.git`), { recursive: true });
  await expect((await wikisOf(null)).requireDefault()).rejects.toMatchObject({ code: 'not_found' });
  expect(readdirSync(directory)).toEqual(['default-wiki']);
});

test('a process that creates nothing reports that the directory is missing, and none is made', async () => {
  const parent = temporaryDirectory();
  const missing = join(parent, 'mistyped');
  for (const given of [null, 'notes']) {
    await expect(openDirectory(missing, { makes: 'nothing' }).chooseDefault(given)).rejects.toMatchObject({
      code: 'backend_unavailable',
      text: { happened: `There is no directory ${missing}.` },
    });
  }
  mkdirSync(missing);
  const wikis = openDirectory(missing, { makes: 'nothing' });
  await expect(wikis.open(await wikis.chooseDefault(null))).rejects.toMatchObject({ code: 'not_found' });
  expect(readdirSync(missing)).toEqual([]);
});
