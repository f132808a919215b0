import type { Link, Span } from '../markdown/markdown.ts';
import { parseDestination } from './link-target.ts';

/**
 * The links of an opening tag that begins at this offset: the `href` of an `a`, the `src` of an image, a video or a
 * sound, the `poster` of a video, and each image in a `srcset`. Only those that lead into the wiki.
 */
export function linksOfTag(tag: string, offset: number): Omit<Link, 'line'>[] {
  const name = /^<(a|img|video|audio|source)(?=\s)/i.exec(tag)?.[1]?.toLowerCase();
  if (name === undefined) return [];
  return addressesIn(tag, name).flatMap(({ start, end }) => {
    const target = parseDestination(tag.slice(start, end), 'html');
    if (target === null || (target.target === '' && !target.anchor)) return [];
    return [
      {
        kind: 'html' as const,
        embed: name !== 'a',
        ...target,
        alias: null,
        start: offset,
        end: offset + tag.length,
        destination: { start: offset + start, end: offset + end },
        property: null,
        angle: false,
      },
    ];
  });
}

/** The addresses in the attributes of a tag, in their order. Of several attributes of one name the first counts. */
function addressesIn(tag: string, name: string): Span[] {
  const wanted = new Set(ATTRIBUTES[name]);
  const found: Span[] = [];
  ATTRIBUTE.lastIndex = 1 + name.length;
  for (let match = ATTRIBUTE.exec(tag); match !== null; match = ATTRIBUTE.exec(tag)) {
    const [whole, attribute = '', value = ''] = match;
    if (!wanted.delete(attribute.toLowerCase())) continue;
    const isQuoted = /^["']/.test(value);
    const inner = isQuoted ? value.slice(1, -1) : value;
    const start = match.index + whole.length - (isQuoted ? 1 : 0) - inner.length;
    const addresses = attribute.toLowerCase() === 'srcset' ? addressesInSet(inner) : trimmed(inner);
    for (const address of addresses) found.push({ start: start + address.start, end: start + address.end });
  }
  return found;
}

const ATTRIBUTES: Record<string, string[]> = {
  a: ['href'],
  img: ['src', 'srcset'],
  video: ['src', 'poster'],
  audio: ['src'],
  source: ['src', 'srcset'],
};

const ATTRIBUTE = /\s+([a-z_:][\w.:-]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/giy;

function trimmed(value: string): Span[] {
  const start = value.length - value.trimStart().length;
  return [{ start, end: Math.max(start, value.trimEnd().length) }];
}

/** The addresses in `a.png 1x, b.png 2x`. Linear in the length of the value. */
function addressesInSet(value: string): Span[] {
  const found: Span[] = [];
  for (let at = 0; found.length < MAX_CANDIDATES; ) {
    const start = at + lengthAt(/[\s,]*/y, value, at);
    at = start + lengthAt(/\S*/y, value, start);
    if (at === start) break;
    let end = at;
    while (value[end - 1] === ',') end -= 1;
    found.push({ start, end });
    // The width or density.
    if (end === at) at += lengthAt(/[^,]*/y, value, at);
  }
  return found;
}

/** Nobody offers one image in more sizes. */
const MAX_CANDIDATES = 100;

function lengthAt(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0].length ?? 0;
}
