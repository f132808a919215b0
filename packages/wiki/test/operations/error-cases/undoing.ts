import type { OperationName } from '../../../src/contract/operations.ts';
import type { TestWiki } from '../test-wiki.ts';
import { type Cases, given, headOf, OLD_REQUEST } from './cases.ts';
import { FILE, opened, versionOf, withLargeFolder } from './places.ts';

/** Operations that undo commits. */
export const UNDOING = {
  revert_commit: {
    version_conflict: given(changedSince),
    invalid_path: given(folderInThePlace),
    too_large: given(async (wiki) => ({ commit: await headOf(wiki) }), withLargeFolder),
    write_state_unknown: given(async (wiki) => ({ commit: await headOf(wiki), request_id: OLD_REQUEST })),
  },
  undo_changes: {
    version_conflict: given(changedSince),
    invalid_path: given(folderInThePlace),
    too_large: given(async (wiki) => ({ commit: await headOf(wiki) }), manyFiles),
    write_state_unknown: given(async (wiki) => ({ commit: await headOf(wiki), request_id: OLD_REQUEST })),
  },
} satisfies Partial<Record<OperationName, Cases>>;

/** A wiki whose only commit added more files than are undone at once. */
function manyFiles(): Promise<TestWiki> {
  return opened(Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`${at}.bin`, 'x'])));
}

/** The input that undoes a commit after which its page was changed in the same place. */
async function changedSince(wiki: TestWiki): Promise<object> {
  const { commit, version } = await wiki.run('write_page', { path: 'New', content: 'one\n' });
  await wiki.run('write_page', { path: 'New', content: 'two\n', version: version ?? '' });
  return { commit };
}

/** The input that undoes the deletion of a file in whose place a folder lies now. */
async function folderInThePlace(wiki: TestWiki): Promise<object> {
  const { commit } = await wiki.run('delete_attachment', { path: 'a.bin', version: versionOf(FILE) });
  await wiki.write('a.bin/Page', 'x');
  return { commit };
}
