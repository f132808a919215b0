import type { Output } from '@pagetree/wiki/contract';
import { block, commitName, json, lines, quoted } from './lines.ts';

type Page = Output<'read_page'>;
type Row = Output<'read_pages'>['pages'][number];

/** The page's Markdown under a line of facts. */
export function pageText(page: Page): string {
  return lines(`${quoted(page.path)} version ${page.version} commit ${commitName(page.commit)}`, rest(page));
}

export function pagesText({ commit, pages }: Output<'read_pages'>): string {
  return lines(
    `commit ${commitName(commit)}`,
    pages.map((row) => lines(heading(row), isPage(row) ? rest(row) : null)),
  );
}

function heading({ path, version, error }: Row): string {
  if (error !== undefined) return `${quoted(path)} error: ${error}`;
  return `${quoted(path)} version ${version}`;
}

function isPage(row: Row): row is Row & Page {
  return row.error === undefined && row.content !== undefined;
}

/**
 * Title, frontmatter and headings stand in the Markdown itself. They are shown apart if the text is not: all
 * of them without any text, and the headings with the first part of a long page.
 */
function rest(page: Page): string {
  const { content, start_line, total_lines, truncated } = page;
  const isFirst = start_line === 1;
  const isWhole = isFirst && !truncated && lineCount(content) >= total_lines;
  const hasText = content !== '' || total_lines === 0;
  return lines(
    !hasText && `title ${quoted(page.title)}, frontmatter ${json(page.frontmatter)}`,
    isWhole ? null : `lines: ${total_lines}${hasText ? `, here from ${start_line}` : ''}`,
    page.next_start_line !== null &&
      `truncated: next_start_line ${page.next_start_line}, next_start_char ${page.next_start_char ?? 0}`,
    page.note !== null && !saysOnlyNextPart(page) && page.note,
    (!hasText || (isFirst && truncated)) && outline(page),
    hasText && !truncated && content !== '' && !content.endsWith('\n') && 'without a line break at its end',
    hasText && block(content),
  );
}

/** The facts say it already. */
function saysOnlyNextPart({ note, truncated }: Page): boolean {
  return truncated && note !== null && /^This is a part of the page\.[^.]*\.$/.test(note);
}

/** The headings that the text after it does not show. */
function outline({ outline, next_start_line }: Page): string[] {
  const rows = outline
    .filter(({ line }) => line >= (next_start_line ?? 1))
    .map(({ level, text, line }) => `${line} ${'#'.repeat(level)} ${quoted(text)}`);
  return rows.length === 0 ? [] : ['outline, by line:', ...rows];
}

function lineCount(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}
