import type { Output } from '@pagetree/wiki/contract';
import { byFolder } from './folders.ts';
import { day, lines, listHead, quoted, titleBeside } from './lines.ts';

/**
 * With sizes in bytes, and with the day of the last change if the call asks for times. Without the versions: a
 * write to a page needs the one that read_page gives along with its text.
 */
export function pageList({ pages, ...end }: Output<'list_pages'>, asked: Record<string, unknown>): string {
  const { sort, updated_since, updated_until } = asked;
  const hasDays = sort === 'updated' || updated_since !== undefined || updated_until !== undefined;
  return lines(
    listHead('pages', pages.length, end),
    byFolder(
      pages,
      ({ path, title, size, updated }) =>
        `${titleBeside(path, title)} ${size}${hasDays ? ` ${day(updated)}` : ''}`,
    ),
  );
}

export function attachmentList({ attachments, ...end }: Output<'list_attachments'>): string {
  return lines(
    listHead('attachments', attachments.length, end),
    byFolder(attachments, ({ type, version }) => ` ${type} version ${version}`),
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
