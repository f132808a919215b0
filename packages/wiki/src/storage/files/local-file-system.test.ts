import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/native-git.ts';
import { errorName, type FileSystem } from './file-system.ts';
import { localFileSystem } from './local-file-system.ts';
import { nodeFileSystem } from './node-file-system.ts';

const fileSystems: Record<string, FileSystem> = { localFileSystem, nodeFileSystem };

for (const [name, fs] of Object.entries(fileSystems)) {
  test(`${name} writes, moves, links, lists and reads at a position`, async () => {
    const directory = temporaryDirectory();
    const at = (file: string) => join(directory, file);
    const file = await fs.open(at('new'), 'w', 0o444);
    await file.write(Buffer.from('0123456789'));
    await file.sync();
    await file.close();
    await fs.rename(at('new'), at('moved'));
    await fs.link(at('moved'), at('linked'));
    await fs.symlink('target', at('symbolic'));
    await fs.mkdir(at('below'));

    const read = await fs.open(at('linked'), 'r');
    const buffer = Buffer.alloc(8);
    expect(await read.read(buffer, 2, 6, 7)).toBe(3);
    expect(buffer.toString('latin1')).toBe('\0\0' + '789' + '\0\0\0');
    expect(await read.size()).toBe(10);
    await read.close();
    const opened = await fs.open(directory, 'directory');
    await opened.sync();
    await opened.close();

    expect(await fs.readlink(at('symbolic'))).toBe('target');
    expect((await fs.readdir(directory)).sort()).toEqual(['below', 'linked', 'moved', 'symbolic']);
    const kinds = await Promise.all(
      ['moved', 'below', 'symbolic'].map(async (entry) => (await fs.lstat(at(entry))).kind),
    );
    expect(kinds).toEqual(['file', 'directory', 'symlink']);
    await fs.unlink(at('symbolic'));
    await fs.unlinkLast(at('linked'));
    await fs.rmdir(at('below'));
    expect(await fs.readdir(directory)).toEqual(['moved']);
  });

  test(`${name} throws errors that errorName distinguishes, and nothing at once`, async () => {
    const directory = temporaryDirectory();
    const missing = join(directory, 'missing');
    const failing: Record<string, (() => Promise<unknown>)[]> = {
      ENOENT: [
        () => fs.open(missing, 'r'),
        () => fs.readlink(missing),
        () => fs.readdir(missing),
        () => fs.lstat(missing),
        () => fs.unlink(missing),
        () => fs.unlinkLast(missing),
      ],
      EEXIST: [() => fs.mkdir(directory), () => fs.symlink('target', directory)],
      EISDIR: [() => fs.open(directory, 'w')],
    };
    for (const [errno, calls] of Object.entries(failing)) {
      for (const result of await Promise.allSettled(calls.map((call) => call()))) {
        expect(result.status === 'rejected' && errorName(result.reason)).toBe(errno);
      }
    }
  });

  test(`${name} reads and writes large parts while other work goes on`, async () => {
    const path = join(temporaryDirectory(), 'file');
    const content = Buffer.alloc(8_000_000, 'large');
    const written = await fs.open(path, 'w');
    expect(await whileOthersWork(() => written.write(content))).toBe(true);
    await written.close();
    const opened = await fs.open(path, 'r');
    const read = Buffer.alloc(content.length);
    expect(await whileOthersWork(() => opened.read(read, 0, read.length, 0))).toBe(true);
    await opened.close();
    expect(read.equals(content)).toBe(true);
  });

  test(`${name} closes a file once: closing it again harms no other file`, async () => {
    const path = join(temporaryDirectory(), 'file');
    const first = await fs.open(path, 'w');
    await first.close();
    const second = await fs.open(path, 'r');
    await first.close().catch(() => 'refused');
    expect(await second.size()).toBe(0);
    await second.close();
  });
}

/** True if other callbacks ran before the action ended. */
async function whileOthersWork(action: () => Promise<unknown>): Promise<boolean> {
  let ran = false;
  const other = setImmediate(() => {
    ran = true;
  });
  await action();
  clearImmediate(other);
  return ran;
}
