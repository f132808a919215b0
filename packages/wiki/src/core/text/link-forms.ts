import { folderOf, lastPartOf, pagePathOf } from '../page-path.ts';
import type { LinkResolver, ResolvedLink } from './link-resolver.ts';
import { encodesLetters, formatDestination } from './link-target.ts';
import type { Link } from './markdown.ts';
import { relativePath } from './relative-path.ts';

/** One way to write a link. */
export interface LinkForm {
  text: string;
  replaces: 'destination' | 'link';
  /** A whole link of this form, to be read as a test. */
  sample: string;
}

export interface LinkToWrite {
  /** The link as it is, what is written as its destination, and where that led. */
  link: Link;
  written: string;
  led: ResolvedLink;
  /** The tree path where it shall lead, from the page at the tree path `at`. */
  wanted: string;
  at: string;
  after: LinkResolver;
}

/** Ways to write a wikilink anew, the most like it first; the last is a Markdown link, which can hold any name. */
export function* wikiForms(link: LinkToWrite): Generator<LinkForm> {
  const { written, led } = link;
  const anchor = led.anchor === null ? '' : `#${led.anchor}`;
  const path = written.slice(0, written.length - anchor.length).trim();
  for (const candidate of [...pathsLike(path, link), ...withExtension(path, link)]) {
    const text = candidate + anchor;
    yield { text, replaces: 'destination', sample: `[[${text}]]` };
  }
  yield markdownLink(link);
}

/** Ways to write the destination of a Markdown link anew, the most like it first. */
export function* inlineForms(toWrite: LinkToWrite): Generator<LinkForm> {
  const { link, written, wanted, at } = toWrite;
  const hash = written.indexOf('#');
  const anchor = hash === -1 ? '' : written.slice(hash);
  const style = { angle: link.angle, encodeAll: encodesLetters(written) };
  const paths = [...pathsLike(link.target, toWrite), ...withExtension(link.target, toWrite)];
  const relative = relativePath(folderOf(at), nameLike(link.target, wanted));
  for (const path of [...paths, relative, `./${relative}`]) {
    const text = formatDestination(path, style) + anchor;
    yield { text, replaces: 'destination', sample: link.angle ? `[x](<${text}>)` : `[x](${text})` };
  }
}

/**
 * Paths to what is wanted in the manner of one that is written: from the page's folder, from the root, or with
 * as few parts as it had, where no other page is named so.
 */
function pathsLike(path: string, { link, led, wanted, at, after }: LinkToWrite): string[] {
  const name = nameLike(path, wanted);
  const relative = relativePath(folderOf(at), name);
  const fromRoot = `/${name}`;
  if (path.startsWith('/')) return [fromRoot];
  if (path.startsWith('./'))
    return [relative.startsWith('../') ? relative : `./${relative}`, relative, fromRoot];
  if (led.by === 'relative' || path.startsWith('../')) return [relative, fromRoot];

  const parts = name.split('/');
  const had = path.split('/').length;
  const wasWhole = had > 1 && led.by === 'path';
  const shorter = wasWhole
    ? []
    : parts
        .map((_, index) => parts.slice(index).join('/'))
        .toReversed()
        .slice(had - 1);
  const unique = shorter.filter((candidate) => after.isUnique(candidate));
  return link.kind === 'wiki' ? [...unique, name, fromRoot] : [...unique, name, relative, fromRoot];
}

/** A page needs its extension in a link where a file has the name that it has without. */
function withExtension(path: string, link: LinkToWrite): string[] {
  const isPage = pagePathOf(link.wanted) !== null;
  return isPage && !/\.md$/i.test(path) ? pathsLike(`${path}.md`, link) : [];
}

/** The name by which links call a file: a page's without its extension, unless the link had it. */
function nameLike(path: string, treePath: string): string {
  const page = pagePathOf(treePath);
  if (page === null) return treePath.normalize('NFC');
  return /\.md$/i.test(path) ? `${page}.md` : page;
}

/** For names that no wikilink can hold, such as those with a bar. */
function markdownLink({ link, led, wanted, at }: LinkToWrite): LinkForm {
  const name = pagePathOf(wanted) ?? wanted;
  const shown = (link.alias ?? lastPartOf(name)).replace(/[\\[\]`<>|!]/g, '\\$&');
  const style = { angle: false, encodeAll: false };
  const path = relativePath(folderOf(at), nameLike('.md', wanted));
  const anchor = led.anchor === null ? '' : `#${formatDestination(led.anchor, style)}`;
  const text = `${link.embed ? '!' : ''}[${shown}](${formatDestination(`./${path}`.replace('./../', '../'), style)}${anchor})`;
  return { text, replaces: 'link', sample: text };
}
