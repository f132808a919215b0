import { atOnce, type Steps } from '../../../scheduling/in-turns.ts';
import { lastPartOf } from '../../paths/page-path.ts';
import {
  aliasesOf,
  type FrontmatterProblem,
  parseFrontmatterOf,
  tagsOf,
} from '../frontmatter/frontmatter.ts';
import { idSteps, type PageAnchors } from './anchors.ts';
import type { Heading, Link } from './markdown.ts';
import { blockSteps } from './markdown-blocks.ts';
import { inlineSteps } from './markdown-links.ts';
import { plainText } from './outline.ts';

/** All data derived from the text of one page. */
export interface PageFacts {
  title: string;
  frontmatter: Record<string, unknown>;
  /** The reason why its frontmatter could not be read; it then counts as empty. */
  frontmatterProblem: FrontmatterProblem | null;
  headings: Heading[];
  /** The targets of anchors besides the headings. */
  ids: Omit<PageAnchors, 'headings'>;
  links: Link[];
  /** The total number of links: `links` has the first ones. */
  linkCount: number;
  /** Tags of the frontmatter and the text, without `#`, each once. */
  tags: string[];
  /** How many there are in all: `tags` has the first ones. */
  tagCount: number;
  aliases: string[];
}

/** Later tags on the same page are text: no page of prose has so many. */
export const MAX_TAGS = 10_000;
/** Longer titles are cut, as lists show them. */
const longestTitle = 300;

export function factsOf(pagePath: string, text: string): PageFacts {
  return atOnce(factSteps(pagePath, text));
}

/** The same in steps, for a page of any size, which takes up to a second. Callers must not change the result: it is kept. */
export function* factSteps(pagePath: string, text: string): Steps<PageFacts> {
  const kept = KEPT.get(pagePath);
  if (kept?.text === text) return kept.facts;
  const facts = yield* readSteps(pagePath, text);
  keep(pagePath, text, facts);
  return facts;
}

/** The last results by path: to show a changed page, the index and the operation both need its facts. */
const KEPT = new Map<string, { text: string; facts: PageFacts }>();
const MAX_KEPT = 30;
const MAX_KEPT_CHARACTERS = 50_000;

function keep(pagePath: string, text: string, facts: PageFacts): void {
  KEPT.delete(pagePath);
  if (text.length > MAX_KEPT_CHARACTERS) return;
  KEPT.set(pagePath, { text, facts });
  const [oldest] = KEPT.keys();
  if (KEPT.size > MAX_KEPT && oldest !== undefined) KEPT.delete(oldest);
}

function* readSteps(pagePath: string, text: string): Steps<PageFacts> {
  const blocks = yield* blockSteps(text);
  const { data, problem, document } = parseFrontmatterOf(text, blocks.frontmatter);
  yield;
  const { links, linkCount, tags } = yield* inlineSteps(text, blocks, document);
  yield;
  const ids = yield* idSteps(text, blocks);
  yield;
  const allTags = new Set(tagsOf(data));
  for (const { name } of tags) allTags.add(name);
  yield;
  return {
    title: titleOf(pagePath, data, blocks.headings),
    frontmatter: data,
    frontmatterProblem: problem,
    headings: blocks.headings,
    ids,
    links,
    linkCount,
    tags: [...allTags].slice(0, MAX_TAGS),
    tagCount: allTags.size,
    aliases: aliasesOf(data),
  };
}

/**
 * The frontmatter's title, else a level-1 heading before any other heading, else the last part of the path. A
 * heading further down names a part of the page, not the page.
 */
export function titleOf(
  pagePath: string,
  frontmatter: Record<string, unknown>,
  headings: readonly Heading[],
): string {
  const { title } = frontmatter;
  const named = typeof title === 'string' || typeof title === 'number' ? String(title).trim() : '';
  const [first] = headings;
  const headed = first?.level === 1 ? plainText(first.text) : '';
  const written = named || headed || lastPartOf(pagePath);
  return written.length > longestTitle ? written.slice(0, longestTitle).toWellFormed() : written;
}
