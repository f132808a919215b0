import { folderOf } from '../page-path.ts';
import { InlineScanner } from './inline-scanner.ts';
import { inlineForms, type LinkForm, wikiForms } from './link-forms.ts';
import type { LinkResolver, ResolvedLink } from './link-resolver.ts';
import { encodesLetters, formatDestination } from './link-target.ts';
import type { Link } from './markdown.ts';
import { scanBlocks } from './markdown-blocks.ts';
import { scanInline } from './markdown-links.ts';
import { joinPath, relativePath } from './relative-path.ts';

/** What a move does to links. All paths are tree paths. */
export interface LinkMove {
  /** New places of the files that move, by their old ones. */
  moved: ReadonlyMap<string, string>;
  before: LinkResolver;
  after: LinkResolver;
}

export interface RewrittenLinks {
  text: string;
  /** How many links were written anew. */
  count: number;
}

/**
 * The text of a page, which lay at `page` before the move, with every link leading where it led before. A link
 * that still does is left alone; one written anew keeps its style, its text and its anchor.
 */
export function rewriteLinks(text: string, page: string, move: LinkMove): RewrittenLinks {
  const at = move.moved.get(page) ?? page;
  const changes = scanInline(text, scanBlocks(text)).links.flatMap((link) => {
    const written = text.slice(link.destination.start, link.destination.end);
    const change = rewriteLink(link, written, { ...move, from: page, at });
    return change === null ? [] : [change];
  });
  const pieces: string[] = [];
  let kept = 0;
  for (const change of changes.sort((a, b) => a.start - b.start)) {
    pieces.push(text.slice(kept, change.start), change.text);
    kept = change.end;
  }
  return { text: pieces.join('') + text.slice(kept), count: changes.length };
}

interface Change {
  start: number;
  end: number;
  text: string;
}

/** The page lay at `from` and lies at `at`. */
interface Rewriting extends LinkMove {
  from: string;
  at: string;
}

function rewriteLink(link: Link, written: string, rewriting: Rewriting): Change | null {
  const { moved, before, after, from, at } = rewriting;
  const led = before.resolve(link, from);
  if (led === null) return rebase(link, written, rewriting);
  if (led.by === 'self') return null;
  const wanted = moved.get(led.path) ?? led.path;
  const leads = after.resolve(link, at);
  const staysRelative = led.by !== 'relative' || leads?.by === 'relative';
  if (leads?.path === wanted && staysRelative) return null;

  const forms = link.kind === 'wiki' ? wikiForms : inlineForms;
  for (const form of forms({ link, written, led, wanted, at, after })) {
    if (leadsTo(form, wanted, led, rewriting)) return changeTo(form, link);
  }
  return null;
}

/** A link to a page that is still to be written goes on naming the same place when its own page moves. */
function rebase(link: Link, written: string, { from, at }: Rewriting): Change | null {
  if (link.kind === 'wiki' || link.target.startsWith('/') || folderOf(from) === folderOf(at)) return null;
  const place = joinPath(folderOf(from), link.target);
  if (place === null) return null;
  const hash = written.indexOf('#');
  const anchor = hash === -1 ? '' : written.slice(hash);
  const path = relativePath(folderOf(at), place);
  const style = { angle: link.angle, encodeAll: encodesLetters(written) };
  return { ...link.destination, text: formatDestination(path, style) + anchor };
}

/** Reads a form as it would stand on the page, so that no name can make a link that means something else. */
function leadsTo(form: LinkForm, wanted: string, led: ResolvedLink, { after, at }: Rewriting): boolean {
  const scanner = new InlineScanner(form.sample);
  scanner.scan({ start: 0, end: form.sample.length });
  const [link, another] = scanner.links;
  if (link === undefined || another !== undefined) return false;
  if (link.end - link.start !== form.sample.length) return false;
  const leads = after.resolve(link, at);
  return leads?.path === wanted && leads.anchor === led.anchor;
}

function changeTo(form: LinkForm, link: Link): Change {
  if (form.replaces === 'link') return { start: link.start, end: link.end, text: form.text };
  return { ...link.destination, text: form.text };
}
