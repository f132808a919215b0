import fs from 'node:fs';
import { expect, test } from 'vitest';
import { BothSides } from './both-sides.ts';

test.each(['', '/new', '/replaced', '/turn'])('a link at .pagetree%s is not followed', async (part) => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
  const outside = `${sides.folder}-outside`;
  fs.mkdirSync(outside);
  fs.writeFileSync(`${outside}/thesis.txt`, 'thesis\n');
  fs.mkdirSync(sides.place(part === '' ? '' : '.pagetree'), { recursive: true });
  fs.symlinkSync(outside, sides.place(`.pagetree${part}`));
  await expect(sides.settle()).rejects.toThrow(/is a link/);
  expect(fs.readdirSync(outside)).toEqual(['thesis.txt']);
});

test.each(['../outside.txt', '/outside.txt', '.obsidian/plugins/x/main.js'])(
  'a late save that a foreign .pagetree has for %s is not written there',
  async (key) => {
    const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
    const kept = sides.place('.pagetree/replaced');
    fs.mkdirSync(kept, { recursive: true });
    fs.writeFileSync(`${kept}/1-1.json`, JSON.stringify({ key, version: 'a'.repeat(40) }));
    fs.writeFileSync(`${kept}/1-1`, 'hostile\n');
    await sides.settle();
    expect(fs.existsSync(sides.place(key))).toBe(false);
  },
);
