import { callOperation } from '../../src/contract/dispatch.ts';
import type { operations } from '../../src/contract/operations.ts';
import type { Call, Wiki } from '../../src/contract/wiki.ts';
import { SYNC_REPORT } from '../operations/sync-report.ts';

export const call: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: 'test/1' } };

/** Calls with fields left out or given, in an order that works on a new wiki. */
export const calls: [keyof typeof operations, Record<string, unknown>][] = [
  ['wiki_status', {}],
  ['list_wikis', {}],
  ['write_page', { path: 'A', content: '# A\n\nText with [[B]].\n', request_id: 'one' }],
  ['write_page', { path: 'B', content: '# B\n\n## Part\n\nx\n', message: 'Begin', allow_shrink: true }],
  ['edit_page', { path: 'A', edits: [{ old_string: 'Text', new_string: 'More' }] }],
  [
    'edit_page',
    { path: 'A', edits: [{ old_string: 'e', new_string: 'e', replace_all: true }], dry_run: true },
  ],
  ['append_to_page', { path: 'A', content: 'End.' }],
  ['edit_section', { path: 'B', heading: 'Part', operation: 'append', content: 'y' }],
  ['update_frontmatter', { path: 'B', set: { tags: ['t'] } }],
  ['read_page', { path: 'A' }],
  ['read_page', { path: 'A', mode: 'outline' }],
  ['read_pages', { paths: ['A', 'B'] }],
  ['list_pages', {}],
  ['list_pages', { prefix: '', sort: 'updated', limit: 1 }],
  ['search_pages', { query: 'More' }],
  ['search_pages', { query: 'Mo.e', mode: 'regex', context_lines: 1 }],
  ['move_page', { path: 'B', new_path: 'C' }],
  [
    'commit_changes',
    {
      message: 'Both',
      changes: [
        { op: 'write', path: 'D', content: 'd' },
        { op: 'append', path: 'C', content: 'z' },
      ],
    },
  ],
  ['get_history', { path: 'A' }],
  ['get_history', {}],
  ['diff_page', { path: 'A', from: 'FIRST' }],
  ['blame_page', { path: 'A' }],
  ['show_changes', { since: '2020' }],
  ['get_links', { path: 'A' }],
  ['view_page', { path: 'A' }],
  ['preview_page', { path: 'A', content: 'x' }],
  ['view_conflict', { path: 'A' }],
  ['view_commit', { commit: 'FIRST' }],
  ['undo_changes', { commit: 'FIRST', dry_run: true }],
  ['fix_link', { path: 'A', version: 'NOW', line: 3, target: 'C', dry_run: true }],
  ['list_mentions', { path: 'C' }],
  ['list_changed', { known: 'FIRST' }],
  ['list_folder', {}],
  ['list_folders', {}],
  ['list_tags', {}],
  ['view_graph', { path: 'A' }],
  ['list_files', { known: 'FIRST' }],
  ['commit_files', { files: [{ path: 'F.md', version: null, size: 1 }], content: 'eA==' }],
  ['read_files', { files: [{ path: 'F.md', version: 'c1b0730e0133447badcfd47fd144e254807b06e1' }] }],
  ['list_refs', {}],
  ['send_objects', { wants: 'HEAD' }],
  ['receive_push', { from: 'HEAD', to: 'HEAD' }],
  ['sync_wiki', {}],
  ['set_remote', { remote: null }],
  ['get_remote', {}],
  ['list_remotes', {}],
  ['report_sync', { url: 'https://example.org/x.git', report: SYNC_REPORT }],
  ['merge_commits', { commit: 'HEAD', source: 'a branch' }],
  ['upload_part', { upload: 'a'.repeat(32), total: 3, content: 'YWJj' }],
  ['check_wiki', {}],
  ['put_attachment', { path: 'a.txt', content: 'eA==' }],
  ['list_attachments', {}],
  ['get_attachment', { path: 'a.txt' }],
  ['delete_attachment', { path: 'a.txt', version: 'NOW' }],
  ['delete_page', { path: 'D', version: 'NOW' }],
  ['restore_page', { path: 'A', commit: 'FIRST', version: 'NOW' }],
  ['maintain_wiki', {}],
  ['create_wiki', { wiki: 'other' }],
  ['export_wiki', {}],
];

/** Puts in what a fixed call cannot know: the version that the page or file has now, the first commit of a page, the head. */
export async function filledIn(wiki: Wiki, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const filled = { ...input };
  if (input.version === 'NOW') {
    const reading = String(input.path).includes('.') ? 'get_attachment' : 'read_page';
    const read = await callOperation(wiki, reading, { path: input.path }, call);
    filled.version = (read as { version: string }).version;
  }
  for (const name of ['from', 'commit', 'known']) {
    if (input[name] !== 'FIRST') continue;
    filled[name] = (await wiki.get_history({ path: 'A', limit: 50 }, call)).entries.at(-1)?.commit;
  }
  for (const name of ['from', 'to', 'commit']) {
    if (input[name] === 'HEAD') filled[name] = (await wiki.wiki_status({}, call)).head;
  }
  if (input.wants === 'HEAD') filled.wants = [(await wiki.wiki_status({}, call)).head];
  return filled;
}
