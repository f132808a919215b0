import fs from 'node:fs';
import { expect, test } from 'vitest';
import { BothSides } from './both-sides.ts';

const LINES = Array.from({ length: 12 }, (_, at) => `line ${at}\n`);

/** A program that keeps the file open writes a line at its end before every second pass. */
async function writeOn(sides: BothSides, between: (at: number) => Promise<void>): Promise<void> {
  const open = fs.openSync(sides.place('Log.md'), 'a');
  for (const [at, line] of LINES.entries()) {
    fs.writeSync(open, line);
    // A file that has just changed waits for the next pass.
    for (const _ of ['found', 'taken in']) {
      sides.wait(1_000);
      await sides.pass();
    }
    await between(at);
  }
  fs.closeSync(open);
  await sides.settle();
}

test('every line of a program that keeps a file open stays, whatever replaces the file meanwhile', async () => {
  const sides = await BothSides.open({ 'Log.md': '# Log\n\nOne.\n\n' });
  await sides.settle();
  await writeOn(sides, async (at) => {
    if (at !== 3) return;
    const text = `${(await sides.inWiki()).get('Log.md')}`;
    await sides.agentWrites('Log.md', text.replace('One.', 'Two.'));
  });
  expect(sides.read('Log.md')?.toString()).toBe(`# Log\n\nTwo.\n\n${LINES.join('')}`);
  expect([...sides.files().keys()]).toEqual(['Log.md']);
});

test('if both sides write at the end, one copy has all lines of the program', async () => {
  const sides = await BothSides.open({ 'Log.md': '# Log\n\n' });
  await sides.settle();
  await writeOn(sides, async (at) => {
    if (at === 3) await sides.agentWrites('Log.md', '# Log\n\nanother end\n');
  });
  const files = sides.files();
  expect(files).toEqual(await sides.inWiki());
  expect(files.get('Log.md')).toBe('# Log\n\nanother end\n');
  const [copy, ...others] = [...files.keys()].filter((path) => path !== 'Log.md');
  expect(others).toEqual([]);
  expect(files.get(copy ?? '')).toBe(`# Log\n\n${LINES.join('')}`);
  expect(sides.said).toHaveLength(1);
});
