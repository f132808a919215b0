import { atOnce } from '../../../scheduling/in-turns.ts';
import { folderOf, lastPartOf, pageNameOf } from '../../paths/page-path.ts';
import { InlineScanner } from '../markdown/inline-scanner.ts';
import type { Link } from '../markdown/markdown.ts';
import { nameLike } from './link-names.ts';
import type { ResolvedLink } from './link-resolver.ts';
import { formatDestination } from './link-target.ts';
import type { LinkForm, LinkToWrite } from './link-to-write.ts';
import { relativePath } from './relative-path.ts';

/**
 * A Markdown link that replaces a wikilink, to a page whose name no wikilink can hold. Its form is one that
 * people do not write, between `<` and `>` and yet with its dots, so that it becomes a wikilink again once
 * the page has another name.
 */
export function standIn({ link, anchor, wanted, at, shown }: Omit<LinkToWrite, 'led' | 'written'>): LinkForm {
  const text = (link.alias ?? shown?.text ?? nameOf(wanted)).replace(ESCAPED, '\\$&');
  const style = { syntax: 'markdown', angle: true, encodeAll: false, bareBars: false } as const;
  const path = relativePath(folderOf(at), nameLike('.md', wanted));
  const dotted = path.startsWith('../') ? path : `./${path}`;
  const hash = anchor === null ? '' : `#${formatDestination(anchor, style)}`;
  const destination = formatDestination(dotted, style) + hash;
  const written = `${link.embed ? '!' : ''}[${text}](<${destination}>)`;
  return { text: written, replaces: 'link', sample: written };
}

/** The wikilink that a Markdown link replaces, with its shown text; null if it replaces none. */
export function wikilinkBehind(
  link: Link,
  page: string,
  led: ResolvedLink,
  from: string,
): (Pick<LinkToWrite, 'link' | 'written' | 'led'> & { shown: string }) | null {
  if (link.alias === null) return null;
  const shown = link.alias.replace(/\\([\\[\]`<>|!])/g, '$1');
  const alias = shown === nameOf(led.path) ? null : shown;
  const wikilink: Link = { ...link, kind: 'wiki', alias };
  const again = standIn({ link: wikilink, anchor: led.anchor, wanted: led.path, at: from, shown: null });
  if (again.text !== page.slice(link.start, link.end)) return null;
  // A person may have written a link to a name that a wikilink can hold.
  if (fitsWikilink(pageNameOf(led.path) ?? led.path)) return null;
  return { link: wikilink, written: '', led: { ...led, by: 'name' }, shown };
}

/** The form of a wikilink with its brackets. */
export function asWholeLink(form: LinkForm, { embed }: Link): LinkForm {
  const text = form.replaces === 'link' ? form.text : `${embed ? '!' : ''}[[${form.text}]]`;
  return { text, replaces: 'link', sample: text };
}

const ESCAPED = /[\\[\]`<>|!]/g;

function nameOf(treePath: string): string {
  return lastPartOf(pageNameOf(treePath) ?? treePath);
}

function fitsWikilink(name: string): boolean {
  const written = `[[/${name}]]`;
  const scanner = new InlineScanner(written);
  atOnce(scanner.scan([{ start: 0, end: written.length }]));
  const [link] = scanner.links;
  return link?.end === written.length && link.alias === null;
}
