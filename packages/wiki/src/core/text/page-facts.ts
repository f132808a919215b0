import { lastPartOf } from '../page-path.ts';
import { aliasesOf, type FrontmatterProblem, readFrontmatter, tagsOf } from './frontmatter.ts';
import type { Heading, Link } from './markdown.ts';
import { scanBlocks } from './markdown-blocks.ts';
import { scanInline } from './markdown-links.ts';
import { plainText } from './outline.ts';

/** All that is derived from the text of one page. */
export interface PageFacts {
  title: string;
  frontmatter: Record<string, unknown>;
  /** Why its frontmatter could not be read; it then counts as having none. */
  frontmatterProblem: FrontmatterProblem | null;
  headings: Heading[];
  links: Link[];
  /** Of the frontmatter and the text, without `#`, each once. */
  tags: string[];
  aliases: string[];
}

/** Longer titles are cut: they are shown in lists. */
const longestTitle = 300;

export function factsOf(pagePath: string, text: string): PageFacts {
  const blocks = scanBlocks(text);
  const { data, problem } = readFrontmatter(text, blocks.frontmatter);
  const { links, tags } = scanInline(text, blocks);
  return {
    title: titleOf(pagePath, data, blocks.headings),
    frontmatter: data,
    frontmatterProblem: problem,
    headings: blocks.headings,
    links,
    tags: [...new Set([...tagsOf(data), ...tags.map(({ name }) => name)])],
    aliases: aliasesOf(data),
  };
}

/** The frontmatter's title, else the first heading, else the last part of the path. */
export function titleOf(
  pagePath: string,
  frontmatter: Record<string, unknown>,
  headings: readonly Heading[],
): string {
  const { title } = frontmatter;
  const named = typeof title === 'string' || typeof title === 'number' ? String(title).trim() : '';
  const written = named || plainText(headings[0]?.text ?? '') || lastPartOf(pagePath);
  return written.length > longestTitle ? written.slice(0, longestTitle).toWellFormed() : written;
}
