import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../wiki/test/native-git.ts';
import { BothSides } from './both-sides.ts';

/** A commit of native git, as a push makes it. */
function push(sides: BothSides, files: Record<string, Buffer | string>): void {
  const clone = join(sides.folder, '..', 'clone');
  git(join(sides.folder, '..'), ['clone', '--quiet', sides.repository, clone]);
  for (const [path, content] of Object.entries(files)) fs.writeFileSync(join(clone, path), content);
  git(clone, ['add', '--all']);
  git(clone, ['-c', 'user.name=Pia', '-c', 'user.email=pia@example.org', 'commit', '--quiet', '-m', 'Push']);
  git(clone, ['push', '--quiet', 'origin', 'HEAD:main']);
  fs.rmSync(clone, { recursive: true });
}

test('a file of the wiki that is too large to be read holds up no other one', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n', 'Both.bin': 'a' });
  await sides.settle();
  const large = Buffer.alloc(50_000_001);
  push(sides, { 'Both.bin': large, 'Film.mp4': large, 'New.md': 'new\n' });
  sides.write('Mine.md', 'mine\n');
  sides.write('Both.bin', 'mine');
  await sides.settle();
  expect([...sides.files().keys()].sort()).toEqual(['Both.bin', 'Mine.md', 'New.md', 'Tea.md']);
  expect(sides.files().get('Both.bin')).toBe('mine');
  expect((await sides.agentReads('Mine.md'))?.toString()).toBe('mine\n');
  expect(sides.said).toEqual([expect.stringMatching(/^Not kept in step: .*"Film\.mp4".*more bytes/)]);
});
