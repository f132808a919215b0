import { limits } from '../../../src/contract/limits.ts';
import type { OperationName } from '../../../src/contract/operations.ts';
import { type Cases, given, headOf, NO_PATH } from './cases.ts';
import { opened, withLargeFolder } from './places.ts';

const noPath = { invalid_path: given({ path: NO_PATH }) };
const noFolder = { invalid_path: given({ folder: NO_PATH }) };

/** Operations that read pages and their history. */
export const READING = {
  read_page: {
    ...noPath,
    no_match: given({ path: 'Page', heading: 'None' }),
    ambiguous_match: given({ path: 'Page', heading: 'Twice' }),
  },
  search_pages: { too_large: given({ query: 'x' }, withLargeFolder) },
  get_history: noPath,
  diff_page: { invalid_path: given(async (wiki) => ({ path: NO_PATH, from: await headOf(wiki) })) },
  blame_page: {
    ...noPath,
    too_large: given({ path: 'Long' }, () => opened({ 'Long.md': '\n'.repeat(40_001) })),
  },
  get_links: noPath,
  list_mentions: noPath,
  view_page: {
    ...noPath,
    no_match: given({ path: 'Page', anchor: 'None' }),
    ambiguous_match: given({ path: 'Page', anchor: 'One/Twice' }),
  },
  preview_page: {
    invalid_path: given({ path: NO_PATH, content: 'x' }),
    too_large: given({ path: 'Page', content: 'x'.repeat(limits.pageBytes + 1) }),
  },
  view_conflict: noPath,
  list_folder: noFolder,
  list_folders: noFolder,
  view_graph: noPath,
} satisfies Partial<Record<OperationName, Cases>>;
