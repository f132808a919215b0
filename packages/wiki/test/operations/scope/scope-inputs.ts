import fc from 'fast-check';
import type { OperationName } from '../../../src/contract/operations.ts';
import { blobOid } from '../../../src/core/content-hash.ts';
import { SYNC_REPORT } from '../sync-report.ts';
import { elsewhere, HEAD, here } from './scope-wiki.ts';

/** The version of a page that a limited call must not see. */
export const guess = blobOid(Buffer.from(elsewhere['secret/A.md']));

const paths = [
  ...['notes/A', 'notes/B', 'notes/Deep/C', 'notes/New', 'notes/chart.png', 'wide/D'],
  ...['Home', 'secret/Zebra', 'secret/A', 'secret/zebra.png', 'notesX/Zebra', 'notes', 'secret/None', 'A'],
];
const path = fc.constantFrom(...paths);
const treePath = fc.constantFrom(...paths.map((each) => (each.endsWith('.png') ? each : `${each}.md`)));
const prefix = fc.constantFrom('', 'n', 'notes/', 'notes/D', 'secret/', 'w');
const version = fc.constantFrom(undefined, guess, blobOid(Buffer.from(here['notes/B.md'])));
const dryRun = fc.constantFrom(undefined, true);
const edits = fc.constant([{ old_string: 'text', new_string: 'words' }]);
const maybeHead = fc.constantFrom(undefined, HEAD);
const maybePath = fc.oneof(fc.constant(undefined), path);
const line = fc.constantFrom(1, 3);
export const bytes = Buffer.from('new').toString('base64');

/** Random inputs of every operation. */
export const inputs: { [Name in OperationName]: Record<string, fc.Arbitrary<unknown>> } = {
  read_page: {
    path: fc.oneof(
      path,
      fc.constantFrom('[[Zebra]]', 'Striped', '[[A#Plan]]', '[x](../secret/A.md)', 'First#No'),
    ),
    from: maybePath,
    at: maybeHead,
  },
  read_pages: { paths: fc.array(path, { minLength: 1, maxLength: 4 }) },
  list_pages: {
    prefix,
    sort: fc.constantFrom('path', 'title'),
    limit: fc.constantFrom(1, 50),
    tag: fc.constantFrom(undefined, 'tagged'),
  },
  search_pages: {
    query: fc.constantFrom('zebra', 'text', 'plan deep'),
    prefix,
    mode: fc.constantFrom('words', 'regex', 'passages'),
  },
  write_page: { path, content: fc.constantFrom('# New\n', 'see [[secret/Zebra]]\n'), version },
  edit_page: { path, edits, version, dry_run: dryRun },
  append_to_page: { path, content: fc.constant('more'), version },
  edit_section: {
    path,
    heading: fc.constant('Deep'),
    operation: fc.constant('append'),
    content: fc.constant('x'),
  },
  update_frontmatter: { path, set: fc.constant({ a: 1 }), version },
  move_page: { path, new_path: path, dry_run: dryRun },
  delete_page: { path, version: version.map((each) => each ?? guess), links_to: maybePath, dry_run: dryRun },
  commit_changes: {
    message: fc.constant('several'),
    changes: fc.array(fc.record({ op: fc.constant('append'), path, content: fc.constant('z') }), {
      minLength: 1,
      maxLength: 3,
    }),
    dry_run: dryRun,
  },
  get_history: { path: maybePath, limit: fc.constantFrom(1, 50) },
  show_changes: { since: fc.constantFrom(undefined, HEAD, '2020'), commit: maybeHead, prefix },
  diff_page: { path, from: fc.constant(HEAD) },
  blame_page: { path, at: maybeHead },
  restore_page: { path, commit: fc.constant(HEAD) },
  revert_commit: { commit: fc.constant(HEAD), dry_run: dryRun },
  get_links: { path },
  check_wiki: {
    prefix,
    kinds: fc.constantFrom(undefined, ['broken_link', 'orphan'], ['broken_anchor', 'ambiguous_link']),
  },
  list_attachments: { prefix },
  put_attachment: { path, content: fc.constant(bytes), version },
  get_attachment: { path },
  delete_attachment: { path, version: fc.constant(guess) },
  wiki_status: {},
  maintain_wiki: { mode: fc.constantFrom('tidy', 'check', 'repair') },
  list_wikis: {},
  create_wiki: { wiki: fc.constant('another') },
  import_wiki: { content: fc.constant(bytes), prefix, dry_run: dryRun },
  export_wiki: { format: fc.constantFrom('zip', 'bundle') },
  view_page: { path, at: maybeHead, anchor: fc.constantFrom(undefined, 'Plan') },
  preview_page: { path, content: fc.constantFrom('see [[Zebra]]\n', 'text'), base: version },
  view_conflict: { path },
  view_commit: { commit: fc.constant(HEAD) },
  undo_changes: { author: fc.constantFrom('a', 'n'), since: fc.constantFrom(HEAD, '2020'), dry_run: dryRun },
  list_mentions: { path },
  fix_link: { path, version, line, target: path, to: path, mention: dryRun, dry_run: dryRun },
  list_changed: { known: maybeHead },
  list_folder: { folder: fc.constantFrom('', 'notes', 'notes/Deep', 'secret', 'wide', 'A'), at: maybeHead },
  list_folders: {
    folder: fc.constantFrom('', 'notes', 'secret', 'wide'),
    at: fc.constantFrom(undefined, HEAD, 'today'),
  },
  list_tags: {},
  view_graph: { path: maybePath, depth: fc.constantFrom(1, 3) },
  list_files: { known: maybeHead },
  read_files: {
    files: fc.array(fc.record({ path: treePath, version: version.map((each) => each ?? guess) }), {
      minLength: 1,
      maxLength: 3,
    }),
  },
  commit_files: {
    files: fc
      .record({ path: treePath, version: version.map((each) => each ?? null), size: fc.constant(3) })
      .map((file) => [file]),
    content: fc.constant(bytes),
  },
  list_refs: {},
  send_objects: { wants: fc.constantFrom([HEAD], [guess]) },
  receive_push: { from: fc.constant('1'.repeat(40)), to: fc.constant('2'.repeat(40)) },
  sync_wiki: {},
  get_remote: {},
  list_remotes: {},
  set_remote: { remote: fc.constant(null) },
  report_sync: {
    url: fc.constant('https://example.org/x.git'),
    report: fc.constant(SYNC_REPORT),
  },
  merge_commits: { commit: fc.constant('2'.repeat(40)), source: fc.constant('a branch') },
  upload_part: { upload: fc.constant('3'.repeat(32)), total: fc.constant(3), content: fc.constant(bytes) },
};
