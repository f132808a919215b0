import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { newWiki, openWriter } from '../../../test/storage/writers.ts';

it.each([
  ['local', 'this commit', 1],
  ['local', 'one before it', 0],
  ['shared', 'this commit', 1],
  ['shared', 'one before it', 0],
] as const)('a %s wiki that lost a commit moves a ref that names %s', async (placement, _, named) => {
  const { directory, commits } = await wikiOfFour(placement);
  git(directory, ['update-ref', 'refs/heads/main', commits[named]]);
  lose(directory, commits[1]);
  const { storage } = await openWriter(directory, { placement });
  expect(await storage.head()).toBe(commits[3]);
  await storage.settle();
  expect(git(directory, ['rev-parse', 'main'])).toBe(commits[3]);
});

it('a commit of git comes in beside a wiki that lost a commit before both', async () => {
  const { directory, commits } = await wikiOfFour('local');
  const foreign = git(directory, ['commit-tree', `${commits[2]}^{tree}`, '-p', commits[2], '-m', 'By hand']);
  git(directory, ['update-ref', 'refs/heads/main', foreign]);
  lose(directory, commits[0]);
  const { storage } = await openWriter(directory);
  const head = await storage.head();
  expect(git(directory, ['rev-parse', `${head}^`, `refs/pagetree/external/${foreign}`])).toBe(
    [commits[3], foreign].join('\n'),
  );
});

async function wikiOfFour(placement: 'local' | 'shared') {
  const directory = await newWiki({ shared: placement === 'shared' });
  const { put, storage } = await openWriter(directory, { placement });
  const commits: string[] = [];
  for (const page of ['A.md', 'B.md', 'C.md', 'D.md']) {
    await put(page, page);
    commits.push((await storage.head()) ?? '');
  }
  await storage.close();
  return { directory, commits: commits as [string, string, string, string] };
}

function lose(directory: string, commit: string): void {
  for (const ending of ['pack', 'idx']) rmSync(join(directory, `objects/pack/pack-${commit}.${ending}`));
}
