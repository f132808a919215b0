import fs from 'node:fs';
import { expect, test } from 'vitest';
import { type Disk, nodeDisk } from '../src/folder/disk.ts';
import { BothSides } from './both-sides.ts';

/** A disk that stores times to 2 s, as FAT does, and no other time of a change. `reads` has what was read. */
function coarseDisk(reads: string[] = []): Disk {
  const lstatSync = ((...args: Parameters<typeof fs.lstatSync>) => {
    const status = fs.lstatSync(...args);
    if (status === undefined) return undefined;
    return Object.assign(status, { mtimeMs: Math.floor(Number(status.mtimeMs) / 2_000) * 2_000, ctimeMs: 0 });
  }) as typeof fs.lstatSync;
  const readFileSync = ((...args: Parameters<typeof fs.readFileSync>) => {
    reads.push(String(args[0]));
    return fs.readFileSync(...args);
  }) as typeof fs.readFileSync;
  return { ...nodeDisk, lstatSync, readFileSync };
}

/** Saves a text of the same size, with the time that the file has. */
function saveUnseen(sides: BothSides, text: string): void {
  const { mtime, atime } = fs.statSync(sides.place('Tea.md'));
  fs.writeFileSync(sides.place('Tea.md'), text);
  fs.utimesSync(sides.place('Tea.md'), atime, mtime);
}

test.each(['while the mirror runs', 'and is there when it starts again'])(
  'a second save with the size and the time of the first one is found %s',
  async (way) => {
    const sides = await BothSides.open({ 'Tea.md': 'tea 0\n' });
    await sides.settle();
    const disk = coarseDisk();
    await sides.pass({ disk });
    sides.write('Tea.md', 'some tea 1\n');
    for (let passes = 0; passes < 3; passes += 1) await sides.pass();
    expect((await sides.inWiki()).get('Tea.md')).toBe('some tea 1\n');
    saveUnseen(sides, 'some tea 2\n');
    if (way !== 'while the mirror runs') sides.stop();
    await sides.pass({ disk });
    for (let passes = 0; passes < 12; passes += 1) await sides.pass();
    expect((await sides.inWiki()).get('Tea.md')).toBe('some tea 2\n');
  },
);

test('a file is read once more, and not again', async () => {
  const reads: string[] = [];
  const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
  await sides.pass({ disk: coarseDisk(reads) });
  for (let passes = 0; passes < 12; passes += 1) await sides.pass();
  reads.length = 0;
  for (let passes = 0; passes < 12; passes += 1) await sides.pass();
  expect(reads.filter((path) => path.endsWith('Tea.md'))).toEqual([]);
});
