import { fromMarkdown } from 'mdast-util-from-markdown';
import { parse } from 'yaml';
import type { SlowLink } from './slow-resolver.ts';

/** A link of a page as another parser of Markdown than the wiki's finds it. */
export interface WrittenLink extends SlowLink {
  /** As it is written, with its brackets. */
  written: string;
  start: number;
  end: number;
  line: number;
  anchor: string | null;
  /** The text that a wikilink shows after `|`, or null. */
  shown: string | null;
  /** True if it is a string in the frontmatter; `start` and `end` are then those of its YAML. */
  isProperty: boolean;
}

/**
 * The links of a page, in order: wikilinks, Markdown links, images and definitions, but for links to the web. Text in
 * HTML counts, as the wiki wants it, but for comments and code.
 */
export function slowLinksOf(text: string): WrittenLink[] {
  const body = text.replace(FRONTMATTER, blank).replace(LATER_ITEM, '1');
  const nodes = nodesOf(body);
  const isOf = (types: string[]) => nodes.filter(({ type }) => types.includes(type));
  const visible = blanked(body, isOf(['code', 'inlineCode'])).replace(HIDDEN, blank);
  const wiki = wikilinksOf(blanked(visible, isOf(['html'])));
  const isInWiki = (at: number) => wiki.some(({ start, end }) => start <= at && at < end);
  const markdown = nodes
    .filter(
      ({ position: { start } }) => visible[start.offset] === body[start.offset] && !isInWiki(start.offset),
    )
    .flatMap((node) => (node.type === 'html' ? htmlLink(node, text) : markdownLink(node, text)));
  const inBody = [...wiki, ...markdown]
    .toSorted((a, b) => a.start - b.start)
    .map((link) => ({ ...link, written: text.slice(link.start, link.end), isProperty: false }));
  return [...propertyLinksOf(text), ...inBody].map((link) => ({ ...link, line: lineAt(text, link.start) }));
}

/** Strings in the frontmatter that are wikilinks. The vaults write them in double or single quotes. */
function propertyLinksOf(text: string): Omit<WrittenLink, 'line'>[] {
  let at = 0;
  return stringsIn(frontmatterOf(text)).flatMap((value) => {
    const forms = [JSON.stringify(value), `'${value.replaceAll("'", "''")}'`];
    const places = forms.map((form) => text.indexOf(form, at)).filter((place) => place !== -1);
    if (places.length === 0) return [];
    const start = Math.min(...places);
    const form = forms.find((each) => text.startsWith(each, start)) ?? '';
    at = start + form.length;
    const [link] = wikilinksOf(value);
    if (link?.start !== 0 || link.end !== value.length || value.startsWith('!')) return [];
    return [{ ...link, written: value, start, end: at, isProperty: true }];
  });
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** The aliases in a page's frontmatter. */
export function slowAliasesOf(text: string): string[] {
  const { aliases } = frontmatterOf(text);
  return Array.isArray(aliases) ? aliases.map(String) : [];
}

function frontmatterOf(text: string): Record<string, unknown> {
  const [frontmatter] = FRONTMATTER.exec(text) ?? [];
  return (frontmatter && parse(frontmatter.replace(/^---|---\s*$/g, ''))) || {};
}

const HIDDEN = /<!--[\s\S]*?-->|<(code|pre|script|style)[\s>][\s\S]*?<\/\1>/g;
const FRONTMATTER = /^---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/;

interface Node {
  type: string;
  url?: string;
  label?: string | null;
  children?: Node[];
  position: { start: { offset: number }; end: { offset: number } };
}

/** Blocks of HTML are read as one paragraph each: there are no lists, code or headings in them. */
function nodesOf(body: string): Node[] {
  const found: Node[] = [];
  const walk = (node: Node, { isInline, offset }: { isInline: boolean; offset: number }) => {
    const start = { offset: node.position.start.offset + offset };
    const end = { offset: node.position.end.offset + offset };
    if (node.type === 'html' && !isInline) {
      const html = body.slice(start.offset, end.offset);
      walk(fromMarkdown(html, { extensions: [NO_BLOCKS] }) as Node, { isInline: true, offset: start.offset });
      return;
    }
    found.push({ ...node, position: { start, end } });
    const within = { isInline: isInline || node.type === 'paragraph' || node.type === 'heading', offset };
    for (const child of node.children ?? []) walk(child, within);
  };
  walk(fromMarkdown(body) as Node, { isInline: false, offset: 0 });
  return found;
}

/**
 * micromark begins no list with a number above 1 after indented code and a blank line, as if the code were a paragraph:
 * https://github.com/micromark/micromark/pull/228
 */
const LATER_ITEM = /(?<=\n[ \t]*\r?\n {0,3})\d(?=[.)][ \t])/g;

const NO_BLOCKS = {
  disable: {
    null: [
      'blockQuote',
      'codeFenced',
      'codeIndented',
      'definition',
      'headingAtx',
      'htmlFlow',
      'list',
      'setextUnderline',
      'thematicBreak',
    ],
  },
};

type Found = Omit<WrittenLink, 'written' | 'line' | 'isProperty'>;

function wikilinksOf(plain: string): Found[] {
  return [...plain.matchAll(/(?<!\\)!?\[\[((?:(?!\[\[)[^\n])+?)\]\]/g)].flatMap((match) => {
    const [whole, inner = ''] = match;
    const [destination = '', shown = null] = inner.split(/\\?\|([^\n]*)/);
    const { target, anchor } = parted(destination.trim());
    if (target === '' && anchor === null) return [];
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(target)) return [];
    const start = match.index;
    return [{ kind: 'wiki', target, anchor, shown: shown?.trim() ?? null, start, end: start + whole.length }];
  });
}

function markdownLink({ type, url = '', label, position }: Node, text: string): Found[] {
  if (type !== 'link' && type !== 'image' && type !== 'definition') return [];
  if (!isOfWiki(url)) return [];
  if (type === 'definition' && label?.startsWith('^')) return [];
  const start = position.start.offset;
  const end = position.end.offset;
  if (text.startsWith('<', start)) return [];
  return [{ kind: 'markdown', ...addressIn(url), shown: null, start, end }];
}

function isOfWiki(url: string): boolean {
  return url !== '' && !/^(?:[a-z][a-z0-9+.-]*:|\/\/|\?)/i.test(url);
}

function addressIn(url: string): Pick<Found, 'target' | 'query' | 'anchor'> {
  const { target: whole, anchor } = parted(url);
  const [, target = '', query] = /^([^?]*)(\?.*)?$/s.exec(whole) ?? [];
  return { target: decoded(target), ...(query !== undefined && { query: decoded(query) }), anchor };
}

/** The vaults write references in HTML for `&` alone. */
function htmlLink({ position }: Node, text: string): Found[] {
  const [start, end] = [position.start.offset, position.end.offset];
  const [, name = ''] = /^<(a|img|video|audio|source)\s/i.exec(text.slice(start, end)) ?? [];
  if (name === '') return [];
  const attribute = name.toLowerCase() === 'a' ? 'href' : 'src';
  const value = new RegExp(`\\s${attribute}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(
    text.slice(start, end),
  );
  const url = (value?.[1] ?? value?.[2] ?? value?.[3] ?? '').replaceAll('&amp;', '&').trim();
  return isOfWiki(url) ? [{ kind: 'markdown', ...addressIn(url), shown: null, start, end }] : [];
}

function parted(destination: string): { target: string; anchor: string | null } {
  const hash = destination.indexOf('#');
  if (hash === -1) return { target: destination, anchor: null };
  return { target: destination.slice(0, hash).trim(), anchor: destination.slice(hash + 1) };
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function blanked(text: string, nodes: readonly Node[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { position } of nodes.toSorted((a, b) => a.position.start.offset - b.position.start.offset)) {
    const [start, end] = [position.start.offset, position.end.offset];
    if (start < done) continue;
    pieces.push(text.slice(done, start), blank(text.slice(start, end)));
    done = end;
  }
  return pieces.join('') + text.slice(done);
}

/** The same length, so that places stay. */
function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
