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
 * Title, frontmatter and headings stand in the Markdown itself, and are shown apart if the text is not. With
 * the first part of a long page stands how to get the headings of the rest.
 */
function rest(page: Page): string {
  const { content, start_line, total_lines, truncated } = page;
  const isFirst = start_line === 1;
  const isWhole = isFirst && !truncated && lineCount(content) >= total_lines;
  const hasText = content !== '' || total_lines === 0;
  return lines(
    !hasText && `title ${quoted(page.title)}${frontmatter(page)}`,
    isWhole ? null : `lines: ${total_lines}${hasText ? `, here from ${start_line}` : ''}${nextPart(page)}`,
    page.note !== null && !saysOnlyNextPart(page) && page.note,
    isFirst && hasText && truncated && 'mode "outline" lists the headings',
    !hasText && outline(page),
    hasText && !truncated && content !== '' && !content.endsWith('\n') && 'without a line break at its end',
    hasText && block(content),
  );
}

function frontmatter({ frontmatter }: Page): string {
  return Object.keys(frontmatter).length === 0 ? '' : `, frontmatter ${json(frontmatter)}`;
}

function nextPart({ next_start_line, next_start_char }: Page): string {
  if (next_start_line === null) return '';
  const character = next_start_char ? `, next_start_char ${next_start_char}` : '';
  return `, truncated: next_start_line ${next_start_line}${character}`;
}

/** The facts say it already. */
function saysOnlyNextPart({ note, truncated }: Page): boolean {
  return truncated && note !== null && /^This is a part of the page\.[^.]*\.$/.test(note);
}

function outline({ outline }: Page): string[] {
  const rows = outline.map(({ level, text, line }) => `${line} ${'#'.repeat(level)} ${quoted(text)}`);
  return rows.length === 0 ? [] : ['outline, by line:', ...rows];
}

function lineCount(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}
