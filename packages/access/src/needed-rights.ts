import type { Call, Input, OperationName } from '@pagetree/wiki/contract';

/** `read` and `write` are limited to folders. `administer` is for what concerns a whole wiki, or the server. */
export type Right = 'read' | 'write' | 'administer';

/** The right that a call needs in its wiki. */
export function neededRight(operation: OperationName, input: unknown, call: Call): Right {
  const needed = NEEDED[operation] as Right | ((input: unknown, call: Call) => Right);
  return typeof needed === 'string' ? needed : needed(input, call);
}

/** Closed: an operation that is added to the contract has to be added here. */
const NEEDED: { [Name in OperationName]: Right | ((input: Input<Name>, call: Call) => Right) } = {
  read_page: 'read',
  read_pages: 'read',
  list_pages: 'read',
  search_pages: 'read',
  write_page: 'write',
  edit_page: 'write',
  append_to_page: 'write',
  edit_section: 'write',
  update_frontmatter: 'write',
  move_page: 'write',
  delete_page: 'write',
  commit_changes: 'write',
  get_history: 'read',
  show_changes: 'read',
  diff_page: 'read',
  blame_page: 'read',
  restore_page: 'write',
  revert_commit: 'write',
  get_links: 'read',
  check_wiki: 'read',
  list_attachments: 'read',
  put_attachment: 'write',
  get_attachment: 'read',
  delete_attachment: 'write',
  wiki_status: 'read',
  // Core refuses it where only a part of the wiki may be written, and where the owner has not allowed it.
  sync_wiki: 'write',
  maintain_wiki: 'administer',
  list_wikis: 'read',
  create_wiki: 'administer',
  // A history makes a wiki. Files go into one that is there.
  import_wiki: (input, call) => (isBundle(input.content, call.bytes) ? 'administer' : 'write'),
  // A bundle holds also what no operation shows, such as files with hostile names.
  export_wiki: ({ format }) => (format === 'bundle' ? 'administer' : 'read'),
  view_page: 'read',
  preview_page: 'read',
  view_commit: 'read',
  view_conflict: 'read',
  undo_changes: 'write',
  list_mentions: 'read',
  fix_link: 'write',
  list_changed: 'read',
  list_folder: 'read',
  list_folders: 'read',
  list_tags: 'read',
  view_graph: 'read',
  list_files: 'read',
  read_files: 'read',
  commit_files: 'write',
  list_refs: 'read',
  send_objects: 'read',
  // Core refuses it where only a part of the wiki may be written.
  receive_push: 'write',
  // A remote carries the whole wiki out of it.
  get_remote: 'administer',
  list_remotes: 'administer',
  set_remote: 'administer',
  report_sync: 'administer',
  merge_commits: 'write',
  // The call for which it is needs its own right as well.
  upload_part: 'write',
};

function isBundle(content: string | undefined, bytes: Uint8Array | undefined): boolean {
  const begin = bytes?.subarray(0, 3) ?? Buffer.from(content?.slice(0, 4) ?? '', 'base64');
  return Buffer.from(begin).toString('latin1') === '# v';
}
