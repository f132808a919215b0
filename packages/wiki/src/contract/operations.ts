import type { z } from 'zod';
import type { Operation } from './operation.ts';
import {
  delete_attachment,
  get_attachment,
  list_attachments,
  put_attachment,
} from './operations/attachments.ts';
import { commit_changes, revert_commit, undo_changes } from './operations/batches.ts';
import { check_wiki } from './operations/checking.ts';
import { commit_files, list_files, read_files } from './operations/files.ts';
import { list_refs, merge_commits, receive_push, send_objects } from './operations/git.ts';
import { blame_page, diff_page, get_history, show_changes } from './operations/history.ts';
import { fix_link, get_links, list_mentions, view_graph } from './operations/links.ts';
import { maintain_wiki } from './operations/maintenance.ts';
import { edit_section, update_frontmatter } from './operations/parts.ts';
import { list_pages, read_page, read_pages, search_pages } from './operations/reading.ts';
import { get_remote, list_remotes, report_sync, set_remote, sync_wiki } from './operations/remotes.ts';
import { wiki_status } from './operations/status.ts';
import { upload_part } from './operations/uploads.ts';
import {
  list_changed,
  list_folder,
  list_folders,
  list_tags,
  preview_page,
  view_commit,
  view_conflict,
  view_page,
} from './operations/viewing.ts';
import { create_wiki, export_wiki, import_wiki, list_wikis } from './operations/wikis.ts';
import {
  append_to_page,
  delete_page,
  edit_page,
  move_page,
  restore_page,
  write_page,
} from './operations/writing.ts';

/** The contract: every operation by name, in the order in which clients list them. */
export const operations = {
  read_page,
  read_pages,
  list_pages,
  search_pages,
  write_page,
  edit_page,
  append_to_page,
  edit_section,
  update_frontmatter,
  move_page,
  delete_page,
  commit_changes,
  get_history,
  show_changes,
  diff_page,
  blame_page,
  restore_page,
  revert_commit,
  get_links,
  check_wiki,
  list_attachments,
  put_attachment,
  get_attachment,
  delete_attachment,
  wiki_status,
  sync_wiki,
  maintain_wiki,
  list_wikis,
  create_wiki,
  import_wiki,
  export_wiki,
  view_page,
  preview_page,
  view_commit,
  view_conflict,
  undo_changes,
  list_mentions,
  fix_link,
  list_changed,
  list_folder,
  list_folders,
  list_tags,
  view_graph,
  list_files,
  read_files,
  commit_files,
  list_refs,
  send_objects,
  receive_push,
  get_remote,
  list_remotes,
  set_remote,
  report_sync,
  merge_commits,
  upload_part,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
/** The input that a caller passes: fields with defaults are optional. */
export type CallInput<Name extends OperationName> = z.input<(typeof operations)[Name]['input']>;
/** The input that core receives: parsed, with defaults filled in. */
export type Input<Name extends OperationName> = z.output<(typeof operations)[Name]['input']>;
export type Output<Name extends OperationName> = z.output<(typeof operations)[Name]['output']>;

export const operationNames = Object.keys(operations) as OperationName[];

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}
