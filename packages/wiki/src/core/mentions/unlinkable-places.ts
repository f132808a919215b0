import type { Steps } from '../../scheduling/in-turns.ts';
import type { Span } from '../text/markdown/markdown.ts';

/**
 * The places of a paragraph where words cannot become a link, though they are neither code nor a link into the wiki:
 * brackets, which may be a link to elsewhere, a reference or a footnote, with their destinations; definitions, anchors
 * of HTML, formulas and addresses.
 */
export function* unlinkableSteps(prose: string): Steps<Span[]> {
  const places: Span[] = [];
  const kinds = [
    brackets(prose),
    anchors(prose),
    matches(prose, /\$\$(?:[^$]|\$(?!\$))*\$\$|\$[^$\r\n]+\$/g),
    matches(prose, /^[ \t>]*\[(?!\^)[^\]\r\n]*\]:.*/gm),
    addresses(prose),
  ];
  for (const kind of kinds) {
    for (const place of kind) {
      places.push(place);
      if (places.length % PLACES_AT_ONCE === 0) yield;
    }
    yield;
  }
  return places;
}

const PLACES_AT_ONCE = 1_000;

function* brackets(prose: string): Generator<Span> {
  const open: number[] = [];
  const places = /\\[\s\S]|[[\]]/g;
  for (let found = places.exec(prose); found !== null; found = places.exec(prose)) {
    if (found[0] === '[') open.push(found.index);
    if (found[0] !== ']') continue;
    const start = open.pop();
    if (start === undefined) continue;
    const close = prose[found.index + 1] === '(' ? prose.indexOf(')', found.index) : -1;
    yield { start, end: (close === -1 ? found.index : close) + 1 };
  }
}

/** From the first tag that opens to the one that closes it. */
function* anchors(prose: string): Generator<Span> {
  let start: number | null = null;
  for (const { 0: tag, index } of prose.matchAll(/<\/?a(?=[\s>])/gi)) {
    if (tag[1] !== '/') start ??= index;
    else if (start !== null) {
      yield { start, end: index };
      start = null;
    }
  }
}

function* addresses(prose: string): Generator<Span> {
  for (const place of matches(prose, /\S+/g)) {
    const token = prose.slice(place.start, place.end);
    if (/:\/\/|[^\s@]@[^\s@]|^\W*www\./i.test(token)) yield place;
  }
}

function* matches(prose: string, pattern: RegExp): Generator<Span> {
  for (const { 0: found, index } of prose.matchAll(pattern))
    yield { start: index, end: index + found.length };
}
