import { readPageText } from '@pagetree/wiki/page-text';
import type { Element, Nodes as HtmlNodes } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** The headings and links of a page that only one grammar finds, as `line: text`. */
export interface Differences {
  headings: { ours: string[]; theirs: string[]; total: number };
  links: { ours: string[]; theirs: string[]; total: number };
  /** Links in HTML, by their addresses. */
  html: { ours: string[]; theirs: string[]; total: number };
}

/** Compares the wiki's own scanner with micromark: headings of the page, and Markdown links that stay in the wiki. */
export function compareGrammars(text: string): Differences {
  const page = readPageText(text);
  const body = text.slice(page.bodyStart);
  const root = fromMarkdown(body, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const lineBase = text.slice(0, page.bodyStart).split('\n').length - 1;
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const headings = root.children.filter((node) => node.type === 'heading');
  const isInWikilink = (at: number) =>
    page.links.some(({ kind, start, end }) => kind === 'wiki' && start <= at && at < end);
  const links = linksIn(root)
    .map((node) => page.bodyStart + (node.position?.start.offset ?? 0))
    .filter((at) => !isInWikilink(at));
  const shown = (at: number) => `${lineOf(at)}: ${text.slice(at, at + 40).split('\n')[0]}`;
  return {
    headings: apart(
      page.headings.map(({ line, level }) => `${line}: ${'#'.repeat(level)}`),
      headings.map(
        ({ position, depth }) => `${lineBase + (position?.start.line ?? 0)}: ${'#'.repeat(depth)}`,
      ),
    ),
    links: apart(
      page.links.filter(({ kind }) => kind !== 'wiki' && kind !== 'html').map(({ start }) => shown(start)),
      links.map(shown),
    ),
    html: apart(
      page.links
        .filter(({ kind }) => kind === 'html')
        .flatMap(({ start, written }) => linksInHtml(written, lineOf(start))),
      htmlIn(root).flatMap((node) => linksInHtml(node.value, lineBase + (node.position?.start.line ?? 0))),
    ),
  };
}

function apart(ours: string[], theirs: string[]) {
  return {
    ours: ours.filter((each) => !theirs.includes(each)),
    theirs: theirs.filter((each) => !ours.includes(each)),
    total: new Set([...ours, ...theirs]).size,
  };
}

function htmlIn(root: Root) {
  const found: Extract<Nodes, { type: 'html' }>[] = [];
  const walk = (node: Nodes) => {
    if (node.type === 'html') found.push(node);
    if ('children' in node) for (const child of node.children) walk(child);
  };
  walk(root);
  return found;
}

/** As `line: address`, as a parser of HTML finds them. */
function linksInHtml(html: string, firstLine: number): string[] {
  const found: string[] = [];
  const walk = (node: HtmlNodes) => {
    if (node.type === 'element' && /^(?:code|pre|script|style|textarea)$/.test(node.tagName)) return;
    const address = node.type === 'element' ? addressIn(node) : '';
    if (node.type === 'element' && !FOREIGN.test(address) && !/^#?$/.test(address))
      found.push(`${firstLine - 1 + (node.position?.start.line ?? 0)}: ${address}`);
    if ('children' in node) for (const child of node.children) walk(child);
  };
  walk(fromHtml(html, { fragment: true }));
  return found;
}

function addressIn({ tagName, properties }: Element): string {
  const address =
    tagName === 'a' ? properties.href : /^(?:img|video|audio|source)$/.test(tagName) && properties.src;
  return typeof address === 'string' ? address.trim() : '';
}

const FOREIGN = /^(?:[a-z][a-z0-9+.-]+:|\/\/|\?)/i;

function linksIn(root: Root): Nodes[] {
  const found: Nodes[] = [];
  const walk = (node: Nodes) => {
    const isLink = node.type === 'link' || node.type === 'image' || node.type === 'definition';
    if (isLink && node.url !== '' && node.url !== '#' && !FOREIGN.test(node.url)) found.push(node);
    if ('children' in node) for (const child of node.children) walk(child);
  };
  walk(root);
  return found;
}
