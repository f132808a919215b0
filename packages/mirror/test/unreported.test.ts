import { expect, test } from 'vitest';
import { BothSides } from './both-sides.ts';

test('a save that was not reported, into a file that the wiki changes, is found when the mirror would replace it', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'a\nb\nc\n', 'Gone.md': 'gone\n' });
  await sides.settle();
  // By now the mirror has looked again at what it wrote, and where its watches began.
  for (const _ of ['once', 'twice']) await sides.pass();
  sides.isDeaf = true;
  sides.write('Tea.md', 'mine\nb\nc\n');
  sides.write('Gone.md', 'changed\n');
  sides.write('New.md', 'new\n');
  await sides.agentWrites('Tea.md', 'a\nb\ntheirs\n');
  await sides.agentWrites('New.md', 'new\n');
  await sides.agentDeletes('Gone.md');
  await sides.settle();
  expect(sides.files()).toEqual(await sides.inWiki());
  expect(sides.files()).toEqual(
    new Map([
      ['Gone.md', 'changed\n'],
      ['New.md', 'new\n'],
      ['Tea.md', 'mine\nb\ntheirs\n'],
    ]),
  );
});
