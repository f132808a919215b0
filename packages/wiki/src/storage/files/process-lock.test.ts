import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/native-git.ts';
import { fileSystemError } from '../../../test/storage/observed-file-system.ts';
import { freezing } from '../../../test/storage/writers.ts';
import type { FileSystem } from './file-system.ts';
import { type Host, randomName } from './host.ts';
import { nodeFileSystem } from './node-file-system.ts';
import { nodeHost } from './node-host.ts';
import { openProcessLock, parseRecord } from './process-lock.ts';

it('is held by one process at a time, and says by which', async () => {
  const { path, open } = place();
  const [one, two] = [open(), open()];
  expect(await one.take()).toBe(true);
  expect(await two.take()).toBe(false);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  await one.release();
  expect(await two.take()).toBe(true);
  await two.close();
});

it('works and closes even if its record was deleted with old temporary files', async () => {
  const { path, temporary, open } = place();
  const lock = open();
  const sweep = () => {
    for (const name of readdirSync(temporary)) rmSync(join(temporary, name));
  };
  for (let times = 0; times < 2; times += 1) {
    expect(await lock.take()).toBe(true);
    sweep();
    await lock.release();
  }
  expect(await lock.take()).toBe(true);
  await lock.release();
  sweep();
  await lock.close();
  expect(existsSync(path)).toBe(false);
});

it('works if the folder of its record is lost, as copies leave out empty folders', async () => {
  const { path, temporary, open } = place();
  rmSync(temporary, { recursive: true });
  const lock = open();
  await lock.sign(`${path}-signed`);
  expect(await lock.take()).toBe(true);
});

it('leaves no lock without an owner if the disk is full', async () => {
  const { path, open } = place();
  const full: FileSystem = {
    ...withoutLinksTo('main.lock'),
    open: async (file, flags, mode) => ({
      ...(await nodeFileSystem.open(file, flags, mode)),
      ...(file === path && { write: () => Promise.reject(fileSystemError(28, 'ENOSPC')) }),
    }),
  };
  await expect(open({ fs: full }).take()).rejects.toMatchObject({ data: { errno: 'ENOSPC' } });
  expect(existsSync(path)).toBe(false);
  expect(await open().take()).toBe(true);
});

it('has one record, however many files it marks at once', async () => {
  const { path, temporary, open } = place();
  const lock = open();
  await Promise.all(['one', 'two', 'three'].map((name) => lock.sign(`${path}-${name}`)));
  expect(readdirSync(temporary)).toHaveLength(1);
  await lock.close();
  expect(readdirSync(temporary)).toEqual([]);
});

it('is taken from a process of this machine that has ended', async () => {
  const { open } = place();
  await open({ host: deadProcess() }).take();
  const living = open();
  expect(await living.take()).toBe(true);
});

it('is taken from a dead process whose number another process has now', async () => {
  const { open } = place();
  const { self } = nodeHost();
  if (self.started === '') return expect(self.boot).toBe('');
  await open({ host: { ...nodeHost(), self: { ...self, started: '1' } } }).take();
  expect(await open().take()).toBe(true);
});

it.each([
  ['of another machine', { hostname: 'another-machine' }],
  ['of another container', { namespace: 'pid:[1]' }],
])('is left to a process %s, whose state is unknown', async (_, difference) => {
  const { open } = place();
  const dead = deadProcess();
  await open({ host: { ...dead, self: { ...dead.self, ...difference } } }).take();
  expect(await open().take()).toBe(false);
});

it.each([
  ['by a link', nodeFileSystem],
  ['by a copy, where the folder lies on another disk', withoutLinksTo('elsewhere')],
])('marks a file as its own %s', async (_, fs) => {
  const { path, open } = place();
  const elsewhere = `${path}-elsewhere`;
  const lock = open({ fs });
  await lock.sign(elsewhere);
  expect(await lock.take()).toBe(true);
  expect(parseRecord(readFileSync(elsewhere, 'utf8'))).toEqual(parseRecord(readFileSync(path, 'utf8')));
});

it.each(['', '5c606ba93a69133b14de3259d968493962c359f6\n'])(
  'is left to git, which writes %j into it',
  async (text) => {
    const { path, open } = place();
    writeFileSync(path, text);
    expect(await open().take()).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

it('is not taken from a living process by one that froze after it saw a dead one', async () => {
  const { path, open } = place();
  await open({ host: deadProcess() }).take();
  const pause = freezing(({ name, path: to }) => name === 'link' && to.includes('claims'));
  const slow = open(pause);
  const taking = slow.take();
  await pause.frozen;
  const fast = open();
  expect(await fast.take()).toBe(true);
  const held = readFileSync(path, 'utf8');
  pause.thaw();
  expect(await taking).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe(held);
});

it('is taken even if a process died while it removed a dead lock', async () => {
  const { open } = place();
  await open({ host: deadProcess() }).take();
  const pause = freezing(({ name, path }) => name === 'rename' && path.includes('temporary'));
  void open({ ...pause, host: deadProcess() }).take();
  await pause.frozen;
  expect(await open().take()).toBe(true);
});

function place() {
  const directory = temporaryDirectory();
  const [path, claims] = [join(directory, 'main.lock'), join(directory, 'claims')];
  const temporary = join(directory, 'temporary');
  mkdirSync(temporary);
  const open = ({ fs = nodeFileSystem, host = nodeHost() }: { fs?: FileSystem; host?: Host } = {}) =>
    openProcessLock({
      fs,
      host,
      path,
      claims,
      temporaryName: () => join(temporary, randomName(host)),
    });
  return { path, temporary, open };
}

function withoutLinksTo(place: string): FileSystem {
  const link: FileSystem['link'] = async (existing, path) => {
    if (path.endsWith(place)) throw fileSystemError(18, 'EXDEV');
    await nodeFileSystem.link(existing, path);
  };
  return { ...nodeFileSystem, link };
}

/** A host as a process had it that ended since. */
function deadProcess(): Host {
  const { pid } = spawnSync('true');
  return { ...nodeHost(), self: { ...nodeHost().self, pid, started: '' } };
}
