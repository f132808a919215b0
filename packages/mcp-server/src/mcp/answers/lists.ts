import type { Output } from '@pagetree/wiki/contract';
import { day, lines, listHead, quoted, titleBeside } from './lines.ts';

/** Without the versions: a write to a page needs the one that read_page gives along with its text. */
export function pageList({ pages, ...end }: Output<'list_pages'>): string {
  return lines(
    listHead('pages', pages.length, end),
    pages.map(
      ({ path, title, size, updated }) =>
        `- ${quoted(path)}${titleBeside(path, title)} ${size} ${day(updated)}`,
    ),
  );
}

export function attachmentList({ attachments, ...end }: Output<'list_attachments'>): string {
  return lines(
    listHead('attachments', attachments.length, end),
    attachments.map(({ path, type, version }) => `- ${quoted(path)} ${type} version ${version}`),
  );
}

export function folderList({ folders, total }: Output<'list_folders'>): string {
  return lines(
    listHead('folders', folders.length, { total, next_cursor: null }),
    folders.map(({ path, pages }) => `- ${quoted(path)} ${pages}`),
  );
}

export function tagList({ tags, ...end }: Output<'list_tags'>): string {
  return lines(
    listHead('tags', tags.length, end),
    tags.map(({ tag, pages }) => `- ${quoted(tag)} ${pages}`),
  );
}
