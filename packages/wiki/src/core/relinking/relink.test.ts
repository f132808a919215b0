import { expect, test } from 'vitest';
import { bareRepository, temporaryDirectory } from '../../../test/native-git.ts';
import { inProcess } from '../../../test/operations/local-backends.ts';
import { openTestWiki } from '../../../test/operations/test-wiki.ts';
import { openTestIndexes } from '../../../test/search/test-indexes.ts';
import { commitFilesTo, openTestRepository, text } from '../../../test/test-repository.ts';
import { limits } from '../../contract/limits.ts';
import type { Snapshot } from '../ports.ts';
import { findRetargeted } from './retargeted.ts';

test('a broken link into a folder that moves stays, though a page moves in a folder of the missing name', async () => {
  const wiki = await openTestWiki(inProcess, {
    'x/A.md': 'a',
    'docs/B.md': 'b',
    'P.md': '[t](x/docs) [a](x/A.md)\n',
  });
  const changes = [
    { op: 'move' as const, path: 'x/', new_path: 'y/' },
    { op: 'move' as const, path: 'docs/B', new_path: 'docs/C' },
  ];
  await wiki.run('commit_changes', { message: 'Move', changes });
  expect(await wiki.content('P')).toBe('[t](x/docs) [a](y/A.md)\n');
});

test('the first page of a wiki leads no link elsewhere', async () => {
  const wiki = await openTestWiki(inProcess);
  expect(await wiki.write('A', '[[B]]')).not.toHaveProperty('retargeted_total');
});

test('a refused move names the page that would be too long by its page path', async () => {
  const links = '[[A]]\n';
  const page = links + 'x'.repeat(limits.pageBytes - links.length);
  const wiki = await openTestWiki(inProcess, { 'A.md': 'a', 'f/P.md': page });
  const error = await wiki.refused('move_page', { path: 'A', new_path: 'A longer name' });
  expect(error).toMatchObject({ code: 'too_large', data: { path: 'f/P' } });
});

test('a write reads no page whose links of the same name lead where they led', async () => {
  const { repository, index } = await openParts();
  await commitFilesTo(repository, text('d/B.md', 'b'), text('P.md', '[[B]]'), text('x/y/P.md', '[[B]] in x'));
  const before = await repository.head();
  await commitFilesTo(repository, text('x/y/B.md', 'another'));
  const after = await repository.head();
  const read: string[] = [];
  const watched: Snapshot = {
    commit: after.commit,
    entry: (path) => after.entry(path),
    folder: (path) => after.folder(path),
    files: (folder) => after.files(folder),
    quarantined: () => after.quarantined(),
    size: (oid) => after.size(oid),
    beginning: (oid, most) => after.beginning(oid, most),
    blob: async (oid) => {
      const content = await after.blob(oid);
      read.push(Buffer.from(content).toString());
      return content;
    },
  };
  const found = await findRetargeted(index, { before, after: watched }, ['x/y/B.md'], 'given');
  expect(found?.map(({ page }) => page)).toEqual(['x/y/P.md']);
  expect(read).toContain('[[B]] in x');
  expect(read).not.toContain('[[B]]');
});

async function openParts() {
  const repository = await openTestRepository(bareRepository());
  const snapshotDirectory = temporaryDirectory();
  const index = (await openTestIndexes()).open({ repository, snapshotDirectory, readOnly: false });
  return { repository, index };
}
