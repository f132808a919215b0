import fs from 'node:fs';
import { expect, test } from 'vitest';
import { sampled } from '../../../labs/sample.ts';
import type { Disk } from '../src/folder/disk.ts';
import { BothSides } from './both-sides.ts';
import { Crash, crashInCommit, interruptedDisk } from './interrupted-disk.ts';

/** From one call to the next that is interrupted. */
const STEP = sampled(1, 7);

/** Passes once on such a disk; false if its call was not reached. */
async function passOn(sides: BothSides, call: number, disk: (call: number, reached: () => void) => Disk) {
  sides.stop();
  let isReached = false;
  const reached = () => {
    isReached = true;
  };
  try {
    await sides.pass({ disk: disk(call, reached) });
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
  sides.stop();
  return isReached;
}

test('a crash before any call of the file system loses nothing, and makes no conflict', async () => {
  const sides = await BothSides.open({ 'Merge.md': 'a\nb\nc\n', 'Take.md': 'old\n', 'Gone.md': 'x\n' });
  await sides.settle();
  for (let call = 0, isReached = true; isReached && call < 1_000; call += STEP) {
    const now = `${call}\n`;
    const merged = sides.read('Merge.md')?.toString() ?? '';
    sides.write('Merge.md', merged.replace(/^.*\n/, `mine ${now}`));
    // As many files in each round: else there would be more calls each time.
    fs.rmSync(sides.place(`Give ${call - STEP}.md`), { force: true });
    sides.write(`Give ${call}.md`, now);
    await sides.agentWrites('Merge.md', merged.replace(/.*\n$/, `theirs ${now}`));
    await sides.agentWrites('Take.md', now);
    await sides.agentWrites(`new/New ${call}.md`, now);
    if (call > 0) await sides.agentDeletes(`new/New ${call - STEP}.md`);
    await sides.pass();
    isReached = await passOn(sides, call, (at, reached) =>
      interruptedDisk(at, () => {
        reached();
        throw new Crash();
      }),
    );
    await sides.settle();
    const files = sides.files();
    expect(files, `call ${call}`).toEqual(await sides.inWiki());
    expect(files.get('Merge.md')).toBe(`mine ${now}b\ntheirs ${now}`);
    expect(files.get('Take.md')).toBe(now);
    expect(files.get(`Give ${call}.md`)).toBe(now);
    expect([...files.keys()].filter((path) => path.includes('conflict'))).toEqual([]);
    expect(fs.readdirSync(sides.place('.pagetree/new'))).toEqual([]);
  }
  expect(sides.said).toEqual([]);
});

test('a file that was taken out of the folder before a crash comes back if the wiki has it again', async () => {
  const sides = await BothSides.open({ 'Page.md': 'text\n' });
  await sides.settle();
  for (let call = 0, isReached = true; isReached && call < 1_000; call += 1) {
    await sides.agentDeletes('Page.md');
    isReached = await passOn(sides, call, (at, reached) =>
      interruptedDisk(at, () => {
        reached();
        throw new Crash();
      }),
    );
    await sides.agentWrites('Page.md', 'text\n');
    await sides.settle();
    expect([...sides.files()], `call ${call}`).toEqual([['Page.md', 'text\n']]);
    expect(await sides.inWiki()).toEqual(sides.files());
  }
});

test.each(['in place', 'by rename'])(
  'a save %s before any call while the file is replaced is kept',
  async (way) => {
    const sides = await BothSides.open({ 'Tea.md': 'a\nb\nc\n', 'Clash.md': 'x\n', 'Gone.md': 'g\n' });
    await sides.settle();
    for (let call = 0, isReached = true; isReached && call < 1_000; call += STEP) {
      const before = sides.read('Tea.md')?.toString() ?? '';
      await sides.agentWrites('Tea.md', before.replace(/.*\n$/, `theirs ${call}\n`));
      await sides.agentWrites('Clash.md', `theirs ${call}\n`);
      await sides.agentDeletes('Gone.md');
      const save = (path: string, text: string) => {
        if (way === 'in place') return sides.write(path, text);
        sides.write(`${path}.tmp`, text);
        fs.renameSync(sides.place(`${path}.tmp`), sides.place(path));
      };
      isReached = await passOn(sides, call, (at, reached) =>
        interruptedDisk(at, (takesName) => {
          reached();
          if (takesName && way === 'by rename') return;
          save('Tea.md', (sides.read('Tea.md')?.toString() ?? '').replace(/^.*\n/, `mine ${call}\n`));
          save('Clash.md', `mine ${call}\n`);
          save('Gone.md', `mine ${call}\n`);
        }),
      );
      const isSaved = sides.files().size > 0;
      sides.wait(5_000);
      await sides.settle();
      const files = sides.files();
      expect(files, `call ${call}`).toEqual(await sides.inWiki());
      const texts = [...files.values()].join('');
      expect(texts).toContain(`theirs ${call}\n`);
      if (isSaved && isReached && texts.includes(`mine ${call}`)) {
        expect(files.get('Tea.md'), `call ${call}`).toBe(`mine ${call}\nb\ntheirs ${call}\n`);
        expect(files.get('Gone.md')).toBe(`mine ${call}\n`);
      }
      for (const path of files.keys()) if (path.includes('conflict')) fs.unlinkSync(sides.place(path));
      await sides.agentWrites('Gone.md', `again ${call}\n`);
      await sides.settle();
    }
  },
);

test('a commit that landed in a crash is known as the own one, also if its files were saved again', async () => {
  for (const landed of [true, false]) {
    const sides = await BothSides.open({ 'Tea.md': 'tea\n', 'Gone.md': 'x\n' });
    await sides.settle();
    sides.write('Tea.md', 'first\n');
    sides.write('New.md', 'first\n');
    fs.unlinkSync(sides.place('Gone.md'));
    await sides.pass({ wiki: crashInCommit(sides.wiki, landed) });
    await expect(sides.pass()).rejects.toThrow(Crash);
    sides.stop();
    sides.write('Tea.md', 'second\n');
    sides.write('New.md', 'second\n');
    sides.write('Gone.md', 'second\n');
    await sides.settle();
    const files = sides.files();
    expect(files).toEqual(await sides.inWiki());
    expect([...files.keys()].sort()).toEqual(['Gone.md', 'New.md', 'Tea.md']);
    expect(new Set(files.values())).toEqual(new Set(['second\n']));
    expect(sides.said).toEqual([]);
  }
});

test('a program that has a file open and writes into it later is not overheard', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'a\nb\nc\n' });
  await sides.settle();
  const open = fs.openSync(sides.place('Tea.md'), 'r+');
  await sides.agentWrites('Tea.md', 'a\nb\ntheirs\n');
  await sides.pass();
  expect(sides.read('Tea.md')?.toString()).toBe('a\nb\ntheirs\n');
  fs.writeSync(open, 'A', 0);
  fs.closeSync(open);
  sides.stop();
  await sides.settle();
  expect(sides.read('Tea.md')?.toString()).toBe('A\nb\ntheirs\n');
  sides.wait(10_000);
  await sides.settle();
  expect(fs.readdirSync(sides.place('.pagetree/replaced'))).toEqual([]);
});

test('one process at a time mirrors a folder', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
  await sides.settle();
  await expect(openAgain(sides)).rejects.toThrow(/Another process mirrors the folder/);
  sides.stop();
  await sides.pass();
});

async function openAgain(sides: BothSides) {
  const { openMirror } = await import('../src/open-mirror.ts');
  const { nodeDisk } = await import('../src/folder/disk.ts');
  const call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
  return openMirror(sides.folder, {
    ...{ wiki: sides.wiki, name: null, call, disk: nodeDisk, now: Date.now },
    randomBytes: (count) => new Uint8Array(count),
    say: () => {},
  });
}
