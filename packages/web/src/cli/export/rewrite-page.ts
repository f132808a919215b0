import { posix } from 'node:path';
import { nameOf } from './site-paths.ts';

/** Where an address of the site leads in a static one. */
export type Target =
  /** A file of the static site. One that browsers do not show is saved under the name `download`. */
  | { file: string; download?: string }
  /** An image that is part of the page. */
  | { data: string };

/**
 * A page of the site with addresses that lead from one file to another. A link that leads to nothing there loses its
 * address, and stays as text. The templates and the sanitizer write `<` for tags alone, and quote every attribute: what
 * these two patterns read is exactly the tags.
 * @param targetOf gets an address of the site without its fragment.
 */
export function rewritePage(
  page: string,
  from: string,
  targetOf: (address: string, asImage: boolean) => Target | null,
): string {
  return page.replaceAll(TAG, (_, name: string, attributes: string) => {
    const rewritten = attributes.replaceAll(ATTRIBUTE, (attribute, key: string, value = '') => {
      if (!ADDRESSES.has(key) || !value.startsWith('/')) return attribute;
      const [address = '', fragment] = decodeText(value).split('#');
      const target = targetOf(address, name === 'img');
      if (target === null) return '';
      if ('data' in target) return ` ${key}="${target.data}"`;
      const href = relativeAddress(from, target.file) + (fragment === undefined ? '' : `#${fragment}`);
      const download = target.download === undefined || name !== 'a' ? '' : encodeText(target.download);
      return ` ${key}="${encodeText(href)}"${download === '' ? '' : ` download="${download}"`}`;
    });
    return `<${name}${rewritten}>`;
  });
}

const TAG = /<([a-z][\w-]*)((?:\s+[\w:.-]+(?:="[^"]*")?)*)\s*>/g;
const ATTRIBUTE = /\s+([\w:.-]+)(?:="([^"]*)")?/g;
const ADDRESSES = new Set(['href', 'src', 'action', 'data-diagrams']);

/** The text of a page as a reader sees it, a line for each block. */
export function linesOfPage(page: string): string {
  const start = page.indexOf('<article>');
  const article = page.slice(start, page.lastIndexOf('</article>'));
  const text = article.replaceAll(
    /<(\/?)([a-z][\w-]*)(?:\s+[\w:.-]+(?:="[^"]*")?)*\s*>/g,
    (_, _end, name: string) => (BLOCKS.has(name) ? '\n' : name === 'td' || name === 'th' ? ' ' : ''),
  );
  const lines = decodeText(text).split('\n');
  return lines.flatMap((line) => line.replaceAll(/\s+/g, ' ').trim() || []).join('\n');
}

const BLOCKS = new Set(
  'article blockquote br dd details div dt figure h1 h2 h3 h4 h5 h6 hr li p pre section summary table tr'.split(
    ' ',
  ),
);

/** An address that leads from one file to another. */
function relativeAddress(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to) || nameOf(to);
  return path.split('/').map(encodeURIComponent).join('/');
}

function decodeText(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(amp|lt|gt|quot));/gi, (_, hex, decimal, name) =>
    name === undefined
      ? String.fromCodePoint(Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16))
      : (NAMED[name.toLowerCase()] ?? ''),
  );
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

function encodeText(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
