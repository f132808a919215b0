import { atOnce } from '../../../scheduling/in-turns.ts';
import { folderOf } from '../../paths/page-path.ts';
import { InlineScanner } from '../markdown/inline-scanner.ts';
import type { Link } from '../markdown/markdown.ts';
import { type LinkAddress, nameLike } from './link-names.ts';
import { type DestinationStyle, formatDestination, partsOf, styleOf } from './link-target.ts';
import type { LinkForm, LinkToWrite } from './link-to-write.ts';
import { relativePath } from './relative-path.ts';
import { standIn } from './stand-ins.ts';

/**
 * Forms of a rewritten wikilink, most similar first. In a body, the last is a Markdown link, which can hold
 * any name.
 */
export function* wikiForms(link: LinkToWrite): Generator<LinkForm> {
  const { written, led } = link;
  const old = led.anchor === null ? '' : `#${led.anchor}`;
  const anchor = link.anchor === null ? '' : `#${link.anchor}`;
  const path = written.slice(0, written.length - old.length).trim();
  for (const candidate of pathsAndExtended(path, link)) {
    const text = candidate + anchor + (link.shown === null ? '' : link.shown.bar + link.shown.text);
    yield { text, replaces: 'destination', sample: `[[${text}]]` };
  }
  // Obsidian does not recognise a Markdown link in a property.
  if (link.link.property === null) yield standIn(link);
}

/** Forms of a rewritten Markdown destination, most similar first. */
export function* inlineForms(toWrite: LinkToWrite): Generator<LinkForm> {
  const { link, written, led } = toWrite;
  const style = styleOf(link, written);
  const rest =
    (led.query === null ? '' : partsOf(written, style.syntax).query) + anchorLike(written, toWrite, style);
  const name = led.query === null ? link.target + (link.query ?? '') : link.target;
  for (const path of pathsAndExtended(name, toWrite)) {
    yield destinationForm(link, formatDestination(path, style) + rest);
  }
}

/** Those with the extension lead to a page if a file has the name of the page without it. */
function pathsAndExtended(path: string, link: LinkToWrite): string[] {
  return [...pathsLike(path, link), ...pathsLike(`${path}.md`, link)];
}

/**
 * Paths to the wanted page in the style of a written one, shortest first: a path from the page's folder or
 * from the root keeps its style; any other becomes the fewest last parts that lead there.
 */
function pathsLike(path: string, { link, led, wanted, at }: LinkToWrite): string[] {
  const name = nameLike(path, wanted);
  const relative = relativePath(folderOf(at), name);
  const fromRoot = `/${name}`;
  if (path.startsWith('/')) return [fromRoot];
  const dotted = relative.startsWith('../') ? relative : `./${relative}`;
  if (path.startsWith('./') || (link.kind === 'wiki' && path.startsWith('../'))) {
    return [dotted, relative, fromRoot];
  }
  if (led.by === 'relative' || path.startsWith('../')) return [relative, fromRoot];
  const parts = name.split('/');
  const endings = parts.map((_, index) => parts.slice(index).join('/')).toReversed();
  return link.kind === 'wiki' ? [...endings, fromRoot] : [...endings, relative, fromRoot];
}

/** Another destination for a Markdown link or one in HTML. */
export function destinationForm({ kind, angle }: Pick<Link, 'kind' | 'angle'>, text: string): LinkForm {
  if (kind === 'html') return { text, replaces: 'destination', sample: `<a href="${text}">` };
  return { text, replaces: 'destination', sample: angle ? `[x](<${text}>)` : `[x](${text})` };
}

/** The anchor of a Markdown link with its `#`, in its written form if it stays. */
export function anchorLike(
  written: string,
  { led, anchor }: Pick<LinkToWrite, 'led' | 'anchor'>,
  style: DestinationStyle,
): string {
  if (anchor === null || anchor === led.anchor) return partsOf(written, style.syntax).anchor;
  return `#${formatDestination(anchor, style)}`;
}

/**
 * Parses a form as it would be on the page, so that no name can make a link with another meaning. Null if it
 * would not be one link from its beginning to its end.
 */
export function readForm(form: LinkForm, link: Link, page: string): LinkAddress | null {
  const before = paragraphBefore(form, link, page);
  const text = before + form.sample;
  const scanner = new InlineScanner(text);
  atOnce(scanner.scan([{ start: 0, end: text.length }]));
  const found = scanner.links.find(({ end }) => end > before.length);
  return found !== undefined && found.end - found.start === form.sample.length ? found : null;
}

/**
 * The text before a form with a backtick: another backtick there may turn everything between them into code.
 */
function paragraphBefore({ sample }: LinkForm, { start, property }: Link, page: string): string {
  if (property !== null || !sample.includes('`')) return '';
  const before = page.slice(Math.max(0, start - MAX_PARAGRAPH), start);
  return before.split(/\n[ \t]*\r?\n/).at(-1) ?? '';
}

/** The number of characters in which the beginning of a paragraph is searched. */
const MAX_PARAGRAPH = 5_000;
