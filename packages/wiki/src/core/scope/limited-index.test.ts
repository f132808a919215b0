import { expect, test } from 'vitest';
import { bareRepository, temporaryDirectory } from '../../../test/native-git.ts';
import { openTestIndexes } from '../../../test/search/test-indexes.ts';
import { commitFilesTo, openTestRepository, text } from '../../../test/test-repository.ts';
import type { Index } from '../index-port.ts';
import { limitIndex } from './limited-index.ts';
import { LinksElsewhere } from './links-elsewhere.ts';

const scope = { read: ['notes/'], write: ['notes/'] };

/** A page came from elsewhere, another one moved within the scope, and one stays elsewhere. */
async function limitedWiki() {
  const repository = await openTestRepository(bareRepository());
  const long = (word: string) => `# ${word}\n\n${`${word} has a line of its own\n`.repeat(20)}`;
  await commitFilesTo(
    repository,
    text('secret/Came.md', long('Came')),
    text('secret/Zebra.md', long('Zebra')),
    text('notes/Old.md', long('Moved')),
  );
  await commitFilesTo(
    repository,
    { path: 'secret/Came.md', remove: true },
    text('notes/Came.md', long('Came')),
  );
  const commit = await commitFilesTo(
    repository,
    { path: 'notes/Old.md', remove: true },
    text('notes/New.md', long('Moved')),
  );
  const indexes = await openTestIndexes();
  const base = indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: false });
  const blobs = { add: () => undefined, includes: async () => true };
  return { base, limited: limitIndex(base, repository, scope, blobs, new LinksElsewhere(scope)), commit };
}

test('the history of a page names no place outside of the scope that it came from', async () => {
  const { base, limited, commit } = await limitedWiki();
  const originOf = async (index: Index, path: string) => {
    const { entries } = await index.history({ commit, path, offset: 0, limit: 10, pagesMost: 10 });
    return entries[0]?.origin;
  };
  expect(await originOf(base, 'notes/Came')).toBe('secret/Came');
  expect(await originOf(limited, 'notes/Came')).toBeNull();
  expect(await originOf(limited, 'notes/New')).toBe('notes/Old');
});

test('the anchors of a page outside of the scope are not there', async () => {
  const { base, limited, commit } = await limitedWiki();
  const asked = ['notes/New.md', 'secret/Zebra.md'];
  expect([...(await base.anchors(commit, asked)).keys()]).toEqual(asked);
  expect([...(await limited.anchors(commit, asked)).keys()]).toEqual(['notes/New.md']);
});
