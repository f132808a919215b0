import fs from 'node:fs';
import { expect, test } from 'vitest';
import { nodeDisk } from '../src/folder/disk.ts';
import { BothSides } from './both-sides.ts';

const COUNT = 300;

test('a change leads to a look at a few files, and not at all of them', async () => {
  const sides = await BothSides.open();
  for (let number = 0; number < COUNT; number += 1) sides.write(`f/${number % 10}/${number}.md`, 'text\n');
  let looks = 0;
  const lstatSync = ((...args: Parameters<typeof fs.lstatSync>) => {
    looks += 1;
    return fs.lstatSync(...args);
  }) as typeof fs.lstatSync;
  await sides.pass({ disk: { ...nodeDisk, lstatSync } });
  for (let passes = 0; passes < 10; passes += 1) await sides.pass();
  expect(sides.files()).toEqual(await sides.inWiki());
  const changes: (() => void | Promise<void>)[] = [
    () => sides.write('f/1/1.md', 'mine\n'),
    () => sides.write('f/1/New.md', 'new\n'),
    () => fs.renameSync(sides.place('f/1/New.md'), sides.place('f/2/Moved.md')),
    () => sides.agentWrites('f/3/3.md', 'theirs\n'),
    () => sides.agentWrites('f/3/4/Deep.md', 'deep\n'),
  ];
  for (const change of changes) {
    looks = 0;
    await change();
    for (let passes = 0; passes < 3; passes += 1) await sides.pass();
    expect(sides.files()).toEqual(await sides.inWiki());
    expect(looks, String(change)).toBeLessThan(COUNT / 3);
  }
});
