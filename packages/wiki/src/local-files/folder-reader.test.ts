import { execFileSync } from 'node:child_process';
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { noise } from '../../../../labs/noise.ts';
import { onceExamined, openedPaths, replaceIn, withoutOpenedPaths } from '../../test/replaced-fs.ts';
import { AllowedFiles } from './allowed-files.ts';
import { type FolderReader, HandleReader, openFolder, PathReader } from './folder-reader.ts';

/** `allowed` is the folder of `--files`, `folder` in it is read, and `outside` beside it has files of the same names. */
let [allowed, folder, outside] = ['', '', ''];
let files: AllowedFiles;

beforeEach(() => {
  const parent = mkdtempSync(join(tmpdir(), 'pagetree-folder-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  [allowed, outside] = [join(parent, 'allowed'), join(parent, 'outside')];
  folder = join(allowed, 'folder');
  for (const [place, text] of [
    [folder, 'mine'],
    [outside, 'SECRET'],
  ] as const) {
    mkdirSync(join(place, 'a', 'b'), { recursive: true });
    for (const path of ['Home.md', 'a/A.md', 'a/b/B.md']) writeFileSync(join(place, path), text);
  }
  files = new AllowedFiles([allowed]).below(folder, 1_000);
});

const readers: Record<string, () => Promise<FolderReader>> = {
  'by handles': async () => {
    const reader = await openFolder(files, folder);
    expect(reader).toBeInstanceOf(HandleReader);
    return reader;
  },
  'by paths': async () => new PathReader(files, folder),
};

/** Changes between the listing of a folder and the reading of its files. */
const changes: Record<string, () => void> = {
  'the file becomes a link out': () => replace('a/b/B.md', () => link('a/b/B.md')),
  'the file becomes a link to another file of the folder': () =>
    replace('a/b/B.md', () => symlinkSync('../A.md', join(folder, 'a/b/B.md'))),
  'the file becomes a FIFO': () =>
    replace('a/b/B.md', () => {
      execFileSync('/usr/bin/env', ['mkfifo', join(folder, 'a/b/B.md')]);
    }),
  'the file becomes a folder': () => replace('a/b/B.md', () => mkdirSync(join(folder, 'a/b/B.md'))),
  'the file goes': () => replace('a/b/B.md', () => {}),
  'its folder becomes a link out': () => replace('a/b', () => link('a/b')),
  'its folder becomes a file': () => replace('a/b', () => writeFileSync(join(folder, 'a/b'), '')),
  'the folder above becomes a link out': () => replace('a', () => link('a')),
  'the folder above becomes a link to itself': () => replace('a', () => symlinkSync('a', join(folder, 'a'))),
};

describe.each(Object.entries(readers))('%s', (_, open) => {
  test('all files are listed and read, in any order', async () => {
    const reader = await open();
    expect(await names(reader, '')).toEqual(['Home.md', 'a']);
    expect(await names(reader, 'a/b')).toEqual(['B.md']);
    expect(await names(reader, 'a')).toEqual(['A.md', 'b']);
    for (const path of ['a/b/B.md', 'Home.md', 'a/A.md', 'a/b/B.md', 'Home.md'])
      expect(Buffer.from(await reader.read(path, 4)).toString()).toBe('mine');
    reader.close();
  });

  test.each(Object.entries(changes))('%s: it is refused, and nothing outside is read', async (_, change) => {
    const reader = await open();
    await names(reader, 'a/b');
    // The handle of another folder is the one that is open.
    await names(reader, '');
    change();
    await expect(reader.read('a/b/B.md', 100)).rejects.toMatchObject({
      code: expect.stringMatching(/^(invalid_input|forbidden)$/),
      message: expect.not.stringContaining('SECRET'),
    });
    reader.close();
  });

  test('a folder that moved out after it was listed is followed nowhere', async () => {
    const reader = await open();
    await names(reader, 'a');
    renameSync(join(folder, 'a'), join(outside, 'moved'));
    writeFileSync(join(outside, 'moved', 'b', 'B.md'), 'SECRET');
    await expect(reader.read('a/b/B.md', 100)).rejects.toMatchObject({ code: 'invalid_input' });
    reader.close();
  });

  test('a file that grew is not read beyond the bound', async () => {
    const reader = await open();
    writeFileSync(join(folder, 'Home.md'), 'more than it was');
    await expect(reader.read('Home.md', 4)).rejects.toMatchObject({ code: 'too_large' });
    reader.close();
  });

  test('a folder that became a link out is not listed', async () => {
    const reader = await open();
    replace('a', () => link('a'));
    await expect(reader.list('a', 100)).rejects.toMatchObject({
      code: expect.stringMatching(/^(invalid_input|forbidden)$/),
    });
    reader.close();
  });

  test('if the folder itself becomes a link out, nothing outside is read', async () => {
    const reader = await open();
    renameSync(folder, `${folder}-before`);
    symlinkSync(outside, folder);
    const read = await reader.read('Home.md', 100).then(
      (bytes) => Buffer.from(bytes).toString(),
      ({ code }: { code?: string }) => code,
    );
    // The folder that was opened may still be read.
    expect(['mine', 'invalid_input', 'forbidden']).toContain(read);
    reader.close();
  });

  test('as many entries as the most are listed, and more are refused', async () => {
    const reader = await open();
    expect(await reader.list('', 2)).toHaveLength(2);
    await expect(reader.list('', 1)).rejects.toMatchObject({ code: 'too_large' });
    reader.close();
  });

  test('a file of any size comes whole', async () => {
    const reader = await open();
    for (const size of [0, 1, 2 ** 18 - 1, 2 ** 18, 2 ** 18 + 1, 1_000_000]) {
      const bytes = noise(size);
      writeFileSync(join(folder, 'file'), bytes);
      expect(bytes.equals(await reader.read('file', size)), `${size} bytes`).toBe(true);
    }
    reader.close();
  });

  test('a name that is not UTF-8 is refused, and one with a replacement character is a name', async () => {
    const reader = await open();
    writeFileSync(join(folder, 'a', 'x\ufffd.md'), 'mine');
    expect(await names(reader, 'a')).toEqual(['A.md', 'b', 'x\ufffd.md']);
    writeFileSync(Buffer.concat([Buffer.from(join(folder, 'a', 'x')), Buffer.from([0xff])]), 'mine');
    await expect(reader.list('a', 100)).rejects.toMatchObject({ code: 'invalid_path' });
    reader.close();
  });
});

test('a file that goes while its folder is listed ends the import, as a file that changed', async () => {
  const reader = await openFolder(files, folder);
  const listed = reader.list('', 100);
  for (const path of ['Home.md', 'a']) rmSync(join(folder, path), { recursive: true });
  await expect(listed).rejects.toMatchObject({ code: 'invalid_input' });
  reader.close();
});

test('a folder that is a link, or gets another one above it while it is opened, is not read', async () => {
  const before = handles();
  symlinkSync('a', join(folder, 'link'));
  await expect(openFolder(files, join(folder, 'link'))).rejects.toMatchObject({ code: 'invalid_input' });
  mkdirSync(join(outside, 'folder'));
  class MovedMeanwhile extends AllowedFiles {
    override async resolve(path: string): Promise<string> {
      const real = await super.resolve(path);
      renameSync(allowed, `${allowed}-before`);
      symlinkSync(outside, allowed);
      return real;
    }
  }
  const moved = openFolder(new MovedMeanwhile([allowed]), folder);
  await expect(moved).rejects.toMatchObject({ code: 'invalid_input' });
  expect(handles()).toBe(before);
});

/** A file of the kernel says that it has a page of memory, and has fewer bytes. */
const SHORTER = '/sys/devices/system/cpu/online';

test.runIf(existsSync(SHORTER))('a file with fewer bytes than it says is read to its end', async () => {
  const reader = await openFolder(new AllowedFiles([dirname(SHORTER)]), dirname(SHORTER));
  expect(Buffer.from(await reader.read('online', 10_000)).toString()).toMatch(/^[\d,-]+\n$/);
  reader.close();
});

test.each([1_000, 300_000])(
  'a file that becomes shorter than its %i bytes is read to its end',
  async (size) => {
    const bytes = noise(size);
    const path = join(folder, 'Home.md');
    writeFileSync(path, bytes);
    const reader = await openFolder(files, folder);
    const { fstatSync } = fs;
    replaceIn(fs, {
      fstatSync: (descriptor: number) => {
        const status = fstatSync(descriptor);
        truncateSync(path, 600);
        return status;
      },
    });
    expect(bytes.subarray(0, 600).equals(await reader.read('Home.md', size))).toBe(true);
    reader.close();
  },
);

test.each(Object.entries(withoutOpenedPaths))('on %s files are read by paths', async (_, become) => {
  const before = handles();
  become();
  const reader = await openFolder(files, folder);
  expect(reader).toBeInstanceOf(PathReader);
  expect(Buffer.from(await reader.read('a/A.md', 10)).toString()).toBe('mine');
  reader.close();
  expect(handles()).toBe(before);
});

test('on another system a folder may be spelled otherwise than on its disk', async () => {
  // The link stands for a disk that ignores case.
  symlinkSync('folder', join(allowed, 'FOLDER'));
  withoutOpenedPaths['another system']?.();
  const spelled = join(allowed, 'FOLDER');
  const reader = await openFolder(new AllowedFiles([allowed]).below(spelled, 1_000), spelled);
  expect(await names(reader, '')).toEqual(['Home.md', 'a']);
  expect(Buffer.from(await reader.read('a/A.md', 10)).toString()).toBe('mine');
  reader.close();
});

test('what is no file is not even opened, nor what takes the place of a file', async () => {
  const reader = await openFolder(files, folder);
  await reader.read('a/A.md', 10);
  execFileSync('/usr/bin/env', ['mkfifo', join(folder, 'a', 'pipe')]);
  const opened = openedPaths();
  await expect(reader.read('a/pipe', 10)).rejects.toMatchObject({ code: 'invalid_input' });
  expect(opened).toEqual([]);
  const before = handles();
  for (const make of [mkdirSync, (path: string) => execFileSync('/usr/bin/env', ['mkfifo', path])]) {
    onceExamined(/^\/proc\/self\/fd\/\d+\/A\.md$/, () =>
      replace('a/A.md', () => make(join(folder, 'a/A.md'))),
    );
    await expect(reader.read('a/A.md', 10)).rejects.toMatchObject({ code: 'invalid_input' });
    replace('a/A.md', () => writeFileSync(join(folder, 'a/A.md'), 'mine'));
  }
  expect(opened).toHaveLength(2);
  expect(handles()).toBe(before);
  reader.close();
});

test('files from a quarter of a megabyte on are read in a thread, so that other calls go on meanwhile', async () => {
  const reader = await openFolder(files, folder);
  const sizes: number[] = [];
  const { readSync } = fs;
  replaceIn(fs, {
    readSync: (descriptor: number, buffer: Buffer, offset: number, length: number, position: number) => {
      sizes.push(length);
      return readSync(descriptor, buffer, offset, length, position);
    },
  });
  for (const size of [0, 1, 2 ** 18 - 1, 2 ** 18, 2 ** 18 + 1]) {
    writeFileSync(join(folder, 'file'), noise(size));
    await reader.read('file', size);
  }
  expect(sizes).toEqual([1, 2 ** 18 - 1]);
  reader.close();
});

test('handles are closed, however many folders were read', async () => {
  for (let at = 0; at < 100; at += 1) mkdirSync(join(folder, `${at}`));
  const before = handles();
  const reader = await openFolder(files, folder);
  for (let at = 0; at < 100; at += 1) await reader.list(`${at}`, 10);
  for (let at = 0; at < 10; at += 1) await reader.read('a/b/B.md', 10);
  expect(handles()).toBeLessThanOrEqual(before + 3);
  reader.close();
  expect(handles()).toBe(before);
});

function handles(): number {
  return readdirSync(`/proc/${process.pid}/fd`).length;
}

async function names(reader: FolderReader, path: string): Promise<string[]> {
  return (await reader.list(path, 100)).map(({ name }) => name).toSorted();
}

function replace(path: string, make: () => void): void {
  rmSync(join(folder, path), { recursive: true });
  make();
}

function link(path: string): void {
  symlinkSync(join(outside, path), join(folder, path));
}
