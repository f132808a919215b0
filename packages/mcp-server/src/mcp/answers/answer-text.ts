import type { OperationName, Output } from '@pagetree/wiki/contract';
import { changesText } from './changes.ts';
import { blameText, diffText, historyText } from './history.ts';
import { json } from './lines.ts';
import { findingsText, linksText } from './links.ts';
import { attachmentList, folderList, pageList, tagList } from './lists.ts';
import { pagesText, pageText } from './pages.ts';
import { searchText } from './search.ts';
import { statusText, syncText } from './status.ts';
import {
  batchText,
  changedText,
  deletedText,
  movedText,
  putText,
  revertText,
  writtenText,
} from './written.ts';

type Fields = Record<string, unknown>;

/**
 * The answer of an operation as a model reads it; as JSON on one line where there is no shorter form. `asked`
 * are the arguments of the call: what it asked for is shown in full.
 */
export function answerText(name: OperationName, output: Fields, asked: Fields = {}): string {
  const text = texts[name] as ((output: Fields, asked: Fields) => string) | undefined;
  return text === undefined ? json(output) : text(output, asked);
}

const texts: { [Name in OperationName]?: (output: Output<Name>, asked: Fields) => string } = {
  read_page: pageText,
  read_pages: pagesText,
  list_pages: pageList,
  search_pages: searchText,
  write_page: writtenText,
  edit_page: changedText,
  append_to_page: changedText,
  edit_section: changedText,
  update_frontmatter: changedText,
  move_page: movedText,
  delete_page: deletedText,
  commit_changes: batchText,
  get_history: historyText,
  show_changes: changesText,
  diff_page: diffText,
  blame_page: blameText,
  restore_page: writtenText,
  revert_commit: revertText,
  get_links: linksText,
  check_wiki: findingsText,
  list_attachments: attachmentList,
  put_attachment: putText,
  delete_attachment: deletedText,
  wiki_status: statusText,
  sync_wiki: syncText,
  list_folders: folderList,
  list_tags: tagList,
};
