import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { zipOfNames } from '../../../wiki/test/operations/archives.ts';
import { replaceIn } from '../../../wiki/test/replaced-fs.ts';
import { saveFile, saveFolder } from './save-local-files.ts';

const EMPTY_ZIP = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagetree-save-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

it('a file is saved unchanged, with no other file beside it', async () => {
  await saveFile(join(folder, 'new.bin'), Buffer.from('bytes'));
  expect(readdirSync(folder)).toEqual(['new.bin']);
  expect(readFileSync(join(folder, 'new.bin'), 'utf8')).toBe('bytes');
});

it.each([0o000, 0o022])('a saved file is not readable by other users (umask %o)', async (mask) => {
  const before = process.umask(mask);
  onTestFinished(() => {
    process.umask(before);
  });
  await saveFile(join(folder, 'new.bin'), Buffer.from('bytes'));
  await saveFolder(join(folder, 'new'), [EMPTY_ZIP]);
  expect(statSync(join(folder, 'new.bin')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700);
});

it.each(['file', 'folder'])('a %s that appeared meanwhile is left as it is', async (kind) => {
  const place = join(folder, 'taken');
  if (kind === 'file') writeFileSync(place, 'mine');
  else mkdirSync(join(place, 'mine'), { recursive: true });
  const refused = { code: 'already_exists' };
  await expect(saveFile(place, Buffer.from('bytes'))).rejects.toMatchObject(refused);
  await expect(saveFolder(place, [EMPTY_ZIP])).rejects.toMatchObject(refused);
  expect(readdirSync(folder)).toEqual(['taken']);
  expect(kind === 'file' ? readFileSync(place, 'utf8') : readdirSync(place).join()).toBe('mine');
});

it.each([
  ['EEXIST', 'already_exists'],
  ['ENOTEMPTY', 'already_exists'],
  ['ENOTDIR', 'already_exists'],
  ['EIO', 'backend_unavailable'],
])('a folder that the system does not move to its place with %s is refused as %s', async (code, refusal) => {
  replace('rename', async () => Promise.reject(systemError(code)));
  await expect(saveFolder(join(folder, 'new'), [EMPTY_ZIP])).rejects.toMatchObject({ code: refusal });
  expect(readdirSync(folder)).toEqual([]);
});

it('until a file is complete it has a name that tools neither read nor write', async () => {
  const seen: string[] = [];
  async function* content() {
    seen.push(...readdirSync(folder));
    yield Buffer.from('bytes');
  }
  await saveFile(join(folder, 'new.bin'), content());
  expect(seen).toEqual([expect.stringMatching(/^\.pagetree-part-/)]);
});

it('a file gets its name only after all of it is on the disk', async () => {
  const calls: string[] = [];
  const { open, link } = files;
  replace('open', async (...given: Parameters<typeof open>) => {
    const file = await open(...given);
    for (const name of ['writeFile', 'sync'] as const) {
      const call = file[name].bind(file) as (...given: unknown[]) => Promise<void>;
      Object.assign(file, {
        [name]: async (...given: unknown[]) => {
          await call(...given);
          await pause(10);
          calls.push(name);
        },
      });
    }
    return file;
  });
  replace('link', async (...given: Parameters<typeof link>) => {
    calls.push('link');
    return link(...given);
  });
  await saveFile(join(folder, 'new.bin'), Buffer.from('bytes'));
  expect(calls).toEqual(['writeFile', 'sync', 'link']);
});

it('a disk that did not take a file is reported, and nothing is saved', async () => {
  const { open } = files;
  replace('open', async (...given: Parameters<typeof open>) => {
    const file = await open(...given);
    return Object.assign(file, { sync: async () => Promise.reject(systemError('EIO')) });
  });
  await expect(saveFile(join(folder, 'new.bin'), Buffer.from('bytes'))).rejects.toMatchObject({
    code: 'backend_unavailable',
    cause: { code: 'EIO' },
  });
  expect(readdirSync(folder)).toEqual([]);
});

it('a missing folder is reported as a place that cannot be written', async () => {
  const place = join(folder, 'missing', 'new.bin');
  const error = await saveFile(place, Buffer.from('bytes')).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'backend_unavailable',
    text: {
      happened: expect.stringMatching(/missing\/new\.bin" could not be written on this machine: ENOENT.*\.$/),
      now: 'Nothing new is there, and the wiki is as it was.',
      next: 'Name another place, or tell the person who runs this server to make room or to let it write there.',
      atTerminal: 'Make room or see to the rights of that folder, or name another place.',
    },
    data: { local_path: place },
    cause: { code: 'ENOENT' },
  });
});

it('what fails while the content comes is reported as it is, and leaves nothing', async () => {
  const failure = new Error('The content ended early.');
  async function* content() {
    yield Buffer.from('bytes');
    throw failure;
  }
  await expect(saveFile(join(folder, 'new.bin'), content())).rejects.toBe(failure);
  expect(readdirSync(folder)).toEqual([]);
});

it('a folder is saved with all its folders, not readable by other users', async () => {
  await saveFolder(join(folder, 'new'), [zipOfNames(['Home.md', 'a/b/C.md'])]);
  expect(readdirSync(join(folder, 'new'), { recursive: true }).toSorted()).toEqual([
    'Home.md',
    'a',
    'a/b',
    'a/b/C.md',
  ]);
  expect(readFileSync(join(folder, 'new', 'a', 'b', 'C.md'), 'utf8')).toBe('small');
  for (const path of ['a', 'a/b']) expect(statSync(join(folder, 'new', path)).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'new', 'a', 'b', 'C.md')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['new']);
});

it('two pages that are one file here are refused, and nothing is saved', async () => {
  await expect(saveFolder(join(folder, 'new'), [zipOfNames(['A.md', 'A.md'])])).rejects.toMatchObject({
    code: 'invalid_path',
    text: {
      happened: 'The wiki holds "A.md", which cannot be written as a file on this machine.',
      now: 'Nothing was exported.',
      next: 'Export it with format "bundle", or rename that page.',
      atTerminal: 'Export it with --format bundle, or rename that page.',
    },
  });
  expect(readdirSync(folder)).toEqual([]);
});

it('a page that cannot be written for another reason is reported as a place that cannot be written', async () => {
  replace('open', async () => Promise.reject(systemError('ENOSPC')));
  await expect(saveFolder(join(folder, 'new'), [zipOfNames(['A.md'])])).rejects.toMatchObject({
    code: 'backend_unavailable',
  });
  expect(readdirSync(folder)).toEqual([]);
});

describe('on a disk without hard links', () => {
  const codes = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'EMLINK', 'EISDIR', 'UNKNOWN'];

  it.each(codes)('that says %s, a file is saved all the same', async (code) => {
    replace('link', async () => Promise.reject(systemError(code)));
    await saveFile(join(folder, 'new.bin'), Buffer.from('bytes'));
    expect(readdirSync(folder)).toEqual(['new.bin']);
    expect(readFileSync(join(folder, 'new.bin'), 'utf8')).toBe('bytes');
    expect(statSync(join(folder, 'new.bin')).mode & 0o777).toBe(0o600);
  });

  it('a file that appeared meanwhile is left as it is', async () => {
    replace('link', async () => Promise.reject(systemError('EPERM')));
    writeFileSync(join(folder, 'taken'), 'mine');
    await expect(saveFile(join(folder, 'taken'), Buffer.from('bytes'))).rejects.toMatchObject({
      code: 'already_exists',
    });
    expect(readFileSync(join(folder, 'taken'), 'utf8')).toBe('mine');
  });

  it('a file that cannot be moved to its place leaves none there', async () => {
    replace('link', async () => Promise.reject(systemError('EPERM')));
    replace('rename', async () => Promise.reject(systemError('EIO')));
    await expect(saveFile(join(folder, 'new.bin'), Buffer.from('bytes'))).rejects.toMatchObject({
      code: 'backend_unavailable',
      cause: { code: 'EIO' },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a file that cannot be moved to a place that is gone is reported with the reason of the move', async () => {
    replace('link', async () => Promise.reject(systemError('EPERM')));
    replace('rename', async () => {
      rmSync(join(folder, 'new.bin'));
      throw systemError('EIO');
    });
    await expect(saveFile(join(folder, 'new.bin'), Buffer.from('bytes'))).rejects.toMatchObject({
      code: 'backend_unavailable',
      cause: { code: 'EIO' },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a place that cannot be made is reported with its reason', async () => {
    replace('link', async () => Promise.reject(systemError('EPERM')));
    const open = files.open;
    replace('open', async (...given: Parameters<typeof open>) => {
      if (given[0] === join(folder, 'new.bin')) throw systemError('EACCES');
      return open(...given);
    });
    await expect(saveFile(join(folder, 'new.bin'), Buffer.from('bytes'))).rejects.toMatchObject({
      code: 'backend_unavailable',
      cause: { code: 'EACCES' },
    });
  });

  it('another failure to link is reported, and nothing is saved in another way', async () => {
    replace('link', async () => Promise.reject(systemError('EIO')));
    await expect(saveFile(join(folder, 'new.bin'), Buffer.from('bytes'))).rejects.toMatchObject({
      code: 'backend_unavailable',
      cause: { code: 'EIO' },
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

it('a file is saved even if what was made beside it cannot be removed', async () => {
  replace('rm', async () => Promise.reject(systemError('EBUSY')));
  await saveFile(join(folder, 'new.bin'), Buffer.from('bytes'));
  expect(readFileSync(join(folder, 'new.bin'), 'utf8')).toBe('bytes');
});

it.each([
  ...['../evil.md', 'a/../../evil.md', 'a/../../new-beside/evil.md', '.git/config', 'a/.envrc', '/evil.md'],
  // Windows reads these as folders and drives.
  ...['a\\..\\..\\evil.md', '..\\evil.md', '\\evil.md', 'C:\\evil.md'],
])('a zip that contains %j is not saved at all', async (name) => {
  const zip = zipOfNames(['Fine.md', name]);
  await expect(saveFolder(join(folder, 'new'), [zip])).rejects.toMatchObject({ code: 'invalid_path' });
  expect(readdirSync(folder, { recursive: true })).toEqual([]);
});

/** What the system reports. */
function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: no`), { code, errno: -1 });
}

/** Replaces a function of node:fs/promises for all modules, until the test ends. */
function replace<Name extends 'link' | 'open' | 'rename' | 'rm'>(
  name: Name,
  replacement: (...given: Parameters<(typeof files)[Name]>) => Promise<unknown>,
): void {
  replaceIn(files, { [name]: replacement });
}
