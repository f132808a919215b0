import { execFileSync, spawn } from 'node:child_process';
import fs, {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  onceCalled,
  onceExamined,
  onceOpened,
  openedPaths,
  replaceIn,
  withoutOpenedPaths,
} from '../../test/replaced-fs.ts';
import { AllowedFiles, isMissing } from './allowed-files.ts';

/** `allowed` is the folder of `--files`, and `outside` beside it has a file of the same name. */
let [parent, allowed, outside] = ['', '', ''];
let files: AllowedFiles;
const file = () => join(allowed, 'a', 'A.md');

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'pagetree-allowed-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  [allowed, outside] = [join(parent, 'allowed'), join(parent, 'outside')];
  for (const [folder, text] of [
    [allowed, 'mine'],
    [outside, 'SECRET'],
  ] as const) {
    mkdirSync(join(folder, 'a'), { recursive: true });
    writeFileSync(join(folder, 'a', 'A.md'), text);
  }
  files = new AllowedFiles([allowed]);
});

describe('what is opened is what was examined', () => {
  test('a folder that becomes a link out, after the path was followed, opens nothing outside', async () => {
    // The path is followed without a pause, so the folder is replaced before anything is opened.
    const opening = files.open(file());
    becomes(join(allowed, 'a'), (path) => symlinkSync(join(outside, 'a'), path));
    await expect(contentOf(opening)).rejects.toSatisfy(isMissing);
  });

  test('nor is such a folder listed', async () => {
    const listing = files.list(join(allowed, 'a'));
    becomes(join(allowed, 'a'), (path) => symlinkSync(join(outside, 'a'), path));
    await expect(listing).rejects.toSatisfy(isMissing);
  });

  test('nor is one that lies below such a folder', async () => {
    mkdirSync(join(allowed, 'a', 'b'));
    mkdirSync(join(outside, 'a', 'b'));
    writeFileSync(join(outside, 'a', 'b', 'Secret.md'), '');
    const listing = files.list(join(allowed, 'a', 'b'));
    becomes(join(allowed, 'a'), (path) => symlinkSync(join(outside, 'a'), path));
    await expect(listing).rejects.toSatisfy(isMissing);
  });

  test('a folder that becomes a link out, once it is opened, is listed itself', async () => {
    writeFileSync(join(outside, 'a', 'Secret.md'), '');
    onceCalled('readlinkSync', /^\/proc\/self\/fd\//, () =>
      becomes(join(allowed, 'a'), (path) => symlinkSync(join(outside, 'a'), path)),
    );
    // A folder that is gone has no names.
    expect(await files.list(join(allowed, 'a'))).toEqual([]);
  });

  test('a file that becomes a link at the last moment is not followed, and the answer says nothing of its target', async () => {
    const opening = files.open(file());
    onceExamined(file(), () => becomes(file(), (path) => symlinkSync(outside, path)));
    await expect(contentOf(opening)).rejects.toSatisfy(isMissing);
  });

  test('a file that becomes a FIFO at the last moment does not block', async () => {
    const unblocking = join(parent, 'unblocking');
    const opening = files.open(file());
    const makeFifo = (path: string) => {
      execFileSync('/usr/bin/env', ['mkfifo', path]);
      // Ends the wait of a process that opened the FIFO and blocks.
      const command = 'sleep 20; : > "$1"; : > "$2"';
      const child = spawn('/bin/sh', ['-c', command, 'sh', unblocking, path], { stdio: 'ignore' });
      onTestFinished(() => {
        child.kill();
      });
    };
    onceExamined(file(), () => becomes(file(), makeFifo));
    const before = readdirSync(`/proc/${process.pid}/fd`).length;
    await expect(contentOf(opening)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(readdirSync(`/proc/${process.pid}/fd`).length).toBe(before);
    expect(existsSync(unblocking)).toBe(false);
  });
});

test('a file that goes while it is opened is read, if every file is allowed', async () => {
  const opening = new AllowedFiles(null).open(file());
  onceOpened(file(), () => rmSync(file()));
  expect(await contentOf(opening)).toBe('mine');
});

describe('in a folder whose path was followed before', () => {
  const changes: Record<string, () => void> = {
    'the folder becomes a link out': () =>
      becomes(join(allowed, 'a'), (path) => symlinkSync(join(outside, 'a'), path)),
    'a file becomes a link out': () =>
      becomes(file(), (path) => symlinkSync(join(outside, 'a', 'A.md'), path)),
    'a file becomes a link out at the last moment': () =>
      onceExamined(file(), () => becomes(file(), (path) => symlinkSync(join(outside, 'a', 'A.md'), path))),
    'a file becomes a folder at the last moment': () =>
      onceExamined(file(), () => becomes(file(), (path) => mkdirSync(path))),
  };

  test.each(Object.entries(changes))('%s: nothing is opened', async (_, change) => {
    const descriptor = files.openIn(join(allowed, 'a'), 'A.md') ?? -1;
    expect(await contentOf(Promise.resolve(descriptor))).toBe('mine');
    change();
    const before = readdirSync(`/proc/${process.pid}/fd`).length;
    expect(files.openIn(join(allowed, 'a'), 'A.md')).toBeNull();
    expect(readdirSync(`/proc/${process.pid}/fd`).length).toBe(before);
  });
});

test('what is no file is not even opened, as that can have effects on a device', async () => {
  const pipe = join(allowed, 'a', 'pipe');
  execFileSync('/usr/bin/env', ['mkfifo', pipe]);
  const opened = openedPaths();
  expect(files.openIn(join(allowed, 'a'), 'pipe')).toBeNull();
  await expect(files.open(pipe)).rejects.toMatchObject({ code: 'invalid_input' });
  expect(opened).toEqual([]);
  closeSync(files.openIn(join(allowed, 'a'), 'A.md') ?? -1);
  expect(opened).toEqual([join(allowed, 'a', 'A.md')]);
});

describe.each(Object.entries(withoutOpenedPaths))('%s, which does not say what is opened', (_, become) => {
  beforeEach(become);

  test('files and folders are opened where they are', async () => {
    expect(await contentOf(files.open(file()))).toBe('mine');
    expect(await files.list(join(allowed, 'a'))).toEqual(['A.md']);
    expect(files.openIn(join(allowed, 'a'), 'A.md')).toBeNull();
  });

  test.each([
    ['open', 'forbidden'],
    ['list', 'ENOTDIR'],
  ] as const)('%s refuses a folder that becomes a link out', async (method, code) => {
    const before = readdirSync(`/proc/${process.pid}/fd`).length;
    const opening = method === 'open' ? files.open(file()) : files.list(join(allowed, 'a'));
    becomes(join(allowed, 'a'), (path) => symlinkSync(join(outside, 'a'), path));
    await expect(opening).rejects.toMatchObject({ code });
    expect(readdirSync(`/proc/${process.pid}/fd`).length).toBe(before);
  });

  test('a file of another file system that has the same number is not read', async () => {
    const { fstatSync } = fs;
    replaceIn(fs, {
      fstatSync: (descriptor: number) => {
        const found = fstatSync(descriptor);
        found.dev += 1;
        return found;
      },
    });
    await expect(files.open(file())).rejects.toSatisfy(isMissing);
  });

  test('a file that another one replaces while it is opened is not read', async () => {
    onceOpened(file(), () => becomes(file(), (path) => writeFileSync(path, 'another')));
    const opening = files.open(file());
    await expect(opening).rejects.toSatisfy(isMissing);
  });
});

async function contentOf(opening: Promise<number>): Promise<string> {
  const descriptor = await opening;
  try {
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function becomes(path: string, make: (path: string) => void): void {
  rmSync(path, { recursive: true });
  make(path);
}
