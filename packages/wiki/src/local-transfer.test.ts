import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { git, temporaryDirectory } from '../test/native-git.ts';
import { limits } from './contract/limits.ts';
import { AllowedFiles } from './local-files/allowed-files.ts';
import { joinExports, readForImport, unpackExport } from './local-transfer.ts';

const MOST = 1_000_000;

/** A folder with these files, and what is allowed of it. */
function folderOf(files: Record<string, string>): string {
  const folder = join(temporaryDirectory(), 'folder');
  mkdirSync(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

function read(folder: string, options: { mostBytes?: number; travels?: boolean } = {}) {
  return readForImport(folder, { mostBytes: MOST, files: new AllowedFiles([folder]), ...options });
}

/** The files of a zip in their order, read by its directory at the end alone. */
function unzipped(bytes: Uint8Array): [path: string, content: string][] {
  const zip = Buffer.from(bytes);
  const end = zip.lastIndexOf('PK\x05\x06');
  const files: [string, string][] = [];
  for (let at = zip.readUInt32LE(end + 16); at < end; ) {
    const [method, packed, header] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 20),
      zip.readUInt32LE(at + 42),
    ];
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28);
    const begin = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const content = zip.subarray(begin, begin + packed);
    files.push([
      zip.toString('utf8', at + 46, nameEnd),
      (method === 0 ? content : inflateRawSync(content)).toString(),
    ]);
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}

test('every file of a folder is imported at its path, except those of other programs', async () => {
  const files = {
    'Home.md': 'home',
    'B/Home.md': 'in B',
    'B/c/d/e/Deep.md': '',
    'a file': 'a',
    'ä/日本.md': 'x'.repeat(5_000),
    '.hidden': 'left out when it is imported',
  };
  const others = {
    'B/.git/config': 'x',
    'B/.obsidian/app.json': 'x',
    'B/.trash/x.md': 'x',
    'node_modules/a.md': 'x',
  };
  const folder = folderOf({ ...files, ...others });
  for (const travels of [true, false]) {
    const zip = await read(folder, { travels });
    const inOrder = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
    expect(unzipped(zip)).toEqual(inOrder);
    expect(Buffer.from(zip).equals(await read(folder, { travels }))).toBe(true);
    // What leaves the process is compressed.
    expect(zip.length < 5_000).toBe(travels);
  }
  expect((await read(folder)).length).toBeGreaterThan(5_000);
  expect(unzipped(await read(folderOf({})))).toEqual([]);
});

test('a link to a file of the folder brings its content under the name of the link', async () => {
  const folder = folderOf({ 'a/b/Page.md': 'the page', 'Other.md': 'other' });
  symlinkSync('a/b/Page.md', join(folder, 'Link.md'));
  symlinkSync('../../Other.md', join(folder, 'a', 'b', 'Up.md'));
  symlinkSync(join(folder, 'Link.md'), join(folder, 'Second.md'));
  expect(unzipped(await read(folder))).toEqual([
    ['Link.md', 'the page'],
    ['Other.md', 'other'],
    ['Second.md', 'the page'],
    ['a/b/Page.md', 'the page'],
    ['a/b/Up.md', 'other'],
  ]);
});

test('a link is followed by its own name, in whatever form its characters are', async () => {
  const folder = folderOf({ 'Page.md': 'the page' });
  const link = 'Überblick.md'.normalize('NFD');
  symlinkSync('Page.md', join(folder, link));
  expect(unzipped(await read(folder))).toEqual([
    ['Page.md', 'the page'],
    [link, 'the page'],
  ]);
});

test('nothing is imported if a link leads out or to no file, or if there is something else than a file', async () => {
  const folder = folderOf({ 'Home.md': 'home', 'sub/A.md': 'a', '.secret/key': 'SECRET' });
  const outside = folderOf({ 'Secret.md': 'SECRET' });
  symlinkSync(join(outside, 'Secret.md'), join(folder, 'out.md'));
  symlinkSync('nowhere', join(folder, 'gone.md'));
  symlinkSync('self.md', join(folder, 'self.md'));
  symlinkSync('sub', join(folder, 'folder.md'));
  symlinkSync('../.secret/key', join(folder, 'sub', 'others.md'));
  execFileSync('/usr/bin/env', ['mkfifo', join(folder, 'sub', 'fifo')]);
  const error = await read(folder).catch((error) => error);
  expect(error).toMatchObject({ code: 'invalid_path', message: expect.not.stringContaining('SECRET') });
  expect(error.message).toContain('6 of 9 files cannot be imported');
  const { problems } = error.data as { problems: { path: string; reason: string }[] };
  expect(problems.map(({ path }) => path).toSorted()).toEqual([
    'folder.md',
    'gone.md',
    'out.md',
    'self.md',
    'sub/fifo',
    'sub/others.md',
  ]);
  // Each kind of problem has a reason of its own.
  expect(new Set(problems.map(({ reason }) => reason)).size).toBe(3);
});

test('links that take too long to follow are refused as too large, and no handle stays open', async () => {
  const handles = () => readdirSync('/proc/self/fd').length;
  const before = process.platform === 'linux' ? handles() : null;
  const folder = folderOf({ 'Home.md': 'home' });
  expect(unzipped(await read(folder))).toEqual([['Home.md', 'home']]);
  // Each link leads through all that come before it.
  const target = (at: number) => './'.repeat(60) + (at === 0 ? 'Home.md' : `${Math.min(at, 39) - 1}.md`);
  for (let at = 0; at < 80; at += 1) symlinkSync(target(at), join(folder, `${at}.md`));
  await expect(read(folder)).rejects.toMatchObject({ code: 'too_large' });
  if (before !== null) expect(handles()).toBe(before);
});

test('as many bytes as may be imported are, and one more is refused', async () => {
  const folder = folderOf({ 'a.md': '12345', 'b/c.md': '6789' });
  expect(unzipped(await read(folder, { mostBytes: 9 }))).toHaveLength(2);
  const error = await read(folder, { mostBytes: 8 }).catch((error) => error);
  expect(error).toMatchObject({ code: 'too_large', data: { bytes: 9, most: 8 } });
  const file = join(folder, 'a.md');
  expect(Buffer.from(await read(file, { mostBytes: 5 })).toString()).toBe('12345');
  await expect(read(file, { mostBytes: 4 })).rejects.toMatchObject({ code: 'too_large' });
  const none = readForImport(join(folder, 'none'), { mostBytes: MOST, files: new AllowedFiles([folder]) });
  await expect(none).rejects.toMatchObject({ code: 'ENOENT' });
});

test('as many files and folders as may be imported are, wherever they lie, and one more is refused', async () => {
  const half = limits.importFiles / 2;
  const folder = folderOf({});
  for (const name of ['a', 'b']) {
    mkdirSync(join(folder, name));
    for (let at = 1; at < half; at += 1) writeFileSync(join(folder, name, `${at}.md`), '');
  }
  expect(unzipped(await read(folder))).toHaveLength(2 * half - 2);
  writeFileSync(join(folder, 'b', 'More.md'), '');
  await expect(read(folder)).rejects.toMatchObject({ code: 'too_large' });
});

test('files that grow after they were counted are refused once they are too many bytes together', async () => {
  const folder = folderOf({ 'a.md': 'a', 'b.md': 'b' });
  symlinkSync('a.md', join(folder, 'z.md'));
  const grow = (bytes: number) => {
    for (const name of ['a.md', 'b.md']) writeFileSync(join(folder, name), 'x'.repeat(bytes));
  };
  /** Links are followed after the sizes of the files in their folder were read. */
  class Growing extends AllowedFiles {
    readonly #bytes: number;
    constructor(bytes: number) {
      super([folder]);
      this.#bytes = bytes;
    }
    override below(place: string, maxSteps: number): AllowedFiles {
      const files = super.below(place, maxSteps);
      const resolve = files.resolve.bind(files);
      files.resolve = async (path) => {
        if (path.endsWith('z.md')) grow(this.#bytes);
        return resolve(path);
      };
      return files;
    }
  }
  const grown = (bytes: number) => {
    grow(1);
    return readForImport(folder, { mostBytes: 3_000, files: new Growing(bytes) });
  };
  expect(unzipped(await grown(1_000))).toHaveLength(3);
  await expect(grown(1_001)).rejects.toMatchObject({ code: 'too_large' });
});

test('a folder as deep as a path can be is read, and a deeper one is reported', async () => {
  const deep = Array(limits.pathCharacters / 2 - 1)
    .fill('a')
    .join('/');
  const folder = folderOf({ [`${deep}/File`]: 'deep' });
  expect(unzipped(await read(folder))).toEqual([[`${deep}/File`, 'deep']]);
  mkdirSync(join(folder, deep, 'b'));
  await expect(read(folder)).rejects.toMatchObject({
    code: 'invalid_path',
    data: { problems: [{ path: `${deep}/b`, reason: expect.any(String) }] },
  });
});

test('a repository comes as a bundle of its history, wherever its folder is', async () => {
  const folder = folderOf({ 'Home.md': 'home' });
  git(folder, ['init', '--quiet', '--initial-branch=trunk']);
  git(folder, ['add', '.']);
  git(folder, ['commit', '--quiet', '-m', 'Begin']);
  const bundle = join(temporaryDirectory(), 'a.bundle');
  writeFileSync(bundle, await read(folder));
  expect(git(folder, ['bundle', 'list-heads', bundle])).toContain(git(folder, ['rev-parse', 'HEAD']));
});

test('the files of several exports are in one, and unpack as they were', async () => {
  const name = fc.stringMatching(/^[a-z]{1,3}$/);
  const folders = fc.array(fc.dictionary(name, fc.string({ unit: 'grapheme' }), { maxKeys: 4 }), {
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(folders, async (parts) => {
      const exports = parts.map((files, at) =>
        read(
          folderOf(Object.fromEntries(Object.entries(files).map(([path, text]) => [`${at}/${path}`, text]))),
        ),
      );
      async function* each() {
        yield* exports;
      }
      const joined = await joinExports(each(), new Date(0));
      const found: [string, string][] = [];
      for await (const { path, content } of unpackExport(joined))
        found.push([path, Buffer.from(content).toString()]);
      const wanted = parts.flatMap((files, at) =>
        Object.entries(files).map(([path, text]): [string, string] => [`${at}/${path}`, text.toWellFormed()]),
      );
      expect(found.toSorted()).toEqual(wanted.toSorted());
    }),
    { numRuns: 30 },
  );
});

test('several exports are one of as many bytes as an export may have, and no more', async () => {
  const exports = [await read(folderOf({ 'A.md': 'a' })), await read(folderOf({ 'B.md': 'b' }))];
  async function* each() {
    yield* exports;
  }
  const whole = Buffer.from(await joinExports(each(), new Date(0)));
  // Its directory follows the files, and has no share in the bound.
  const bytes = whole.readUInt32LE(whole.lastIndexOf('PK\x05\x06') + 16);
  expect(Buffer.from(await joinExports(each(), new Date(0), bytes))).toEqual(whole);
  await expect(joinExports(each(), new Date(0), bytes - 1)).rejects.toMatchObject({
    code: 'too_large',
    data: { bytes, most: bytes - 1 },
  });
});
