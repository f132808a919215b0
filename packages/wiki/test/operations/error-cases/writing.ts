import { limits } from '../../../src/contract/limits.ts';
import type { OperationName } from '../../../src/contract/operations.ts';
import type { TestWiki } from '../test-wiki.ts';
import {
  type Case,
  type Cases,
  given,
  headOf,
  NO_PATH,
  OLD_REQUEST,
  OTHER_VERSION,
  ofWrite,
} from './cases.ts';
import { FULL, full, LINK_LINE, PAGE, versionOf, withLargeFolder } from './places.ts';

const version = versionOf(PAGE);
const TOO_MUCH = 'x'.repeat(limits.pageBytes + 1);
const edit = (old_string: string) => ({ path: 'Page', edits: [{ old_string, new_string: 'new' }] });
const change = (op: string, input: object) => given({ message: 'Batch', changes: [{ op, ...input }] });
const section = (heading: string) => ({ path: 'Page', heading, operation: 'append', content: 'x' });

/** Operations that write one page or several. */
export const WRITING = {
  write_page: {
    ...ofWrite({ path: 'New', content: 'x' }, given({ path: 'New', content: TOO_MUCH })),
    already_exists: given({ path: 'Page', content: 'x' }),
    would_truncate: given({ path: 'Page', content: '# One\n', version }),
  },
  edit_page: {
    ...ofWrite(
      edit('Part'),
      given({ path: 'Full', edits: [{ old_string: '[[A]]', new_string: '[[None]]' }] }, full),
    ),
    no_match: given(edit('none')),
    ambiguous_match: given(edit('same')),
  },
  append_to_page: ofWrite({ path: 'Page', content: 'x' }, given({ path: 'Full', content: 'x' }, full)),
  edit_section: {
    ...ofWrite(section('Part'), given({ ...section('Part'), content: TOO_MUCH })),
    no_match: given(section('None')),
    ambiguous_match: given(section('Twice')),
    would_truncate: given({ ...section('One'), operation: 'replace' }),
  },
  update_frontmatter: ofWrite(
    { path: 'Page', set: { tags: ['x'] } },
    given({ path: 'Full', set: { tags: ['x'] } }, full),
  ),
  move_page: {
    ...ofWrite({ path: 'Page', new_path: 'New' }, given({ path: 'Page', new_path: 'A longer name' }, full)),
    already_exists: given({ path: 'Page', new_path: 'Other' }),
  },
  delete_page: ofWrite(
    { path: 'Page', version },
    given({ path: 'large/Page', version: OTHER_VERSION }, withLargeFolder),
  ),
  restore_page: {
    version_conflict: restored({ version: OTHER_VERSION }),
    invalid_path: restored({ path: NO_PATH }),
    too_large: restored({ path: 'large/Page' }, withLargeFolder),
    write_state_unknown: restored({ request_id: OLD_REQUEST }),
  },
  fix_link: {
    ...ofWrite(
      { path: 'Page', version, line: LINK_LINE, target: 'Gone', to: 'Other' },
      given({ path: 'Full', version: versionOf(FULL), line: 1, target: 'A', to: 'Page' }, full),
    ),
    no_match: given({ path: 'Page', version, line: 1, target: 'Gone' }),
  },
  commit_changes: {
    version_conflict: change('append', { path: 'Page', content: 'x', version: OTHER_VERSION }),
    invalid_path: change('append', { path: NO_PATH, content: 'x' }),
    too_large: change('write', { path: 'New', content: TOO_MUCH }),
    write_state_unknown: given({
      ...{ message: 'Batch', changes: [{ op: 'append', path: 'Page', content: 'x' }] },
      request_id: OLD_REQUEST,
    }),
    already_exists: change('write', { path: 'Page', content: 'x' }),
    would_truncate: change('write', { path: 'Page', content: '# One\n', version }),
    no_match: change('edit', edit('none')),
    ambiguous_match: change('edit', edit('same')),
  },
} satisfies Partial<Record<OperationName, Cases>>;

/** The case of a page that is restored as of the newest commit, with other arguments besides. */
function restored(others: object, place?: () => Promise<TestWiki>): Case {
  return given(async (wiki) => ({ path: 'Page', commit: await headOf(wiki), ...others }), place);
}
