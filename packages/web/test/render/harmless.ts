import {
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html as namespaces,
  parse,
  parseFragment,
  serialize,
} from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/**
 * Everything in this HTML that a browser could run, load or follow, or that looks like a part of our pages.
 * Independent of the sanitizer: its lists are its own.
 */
export function harmIn(html: string): string[] {
  const page = `<!doctype html><main>${html}</main>`;
  const once = serialize(parse(page));
  const harm = [parse(page), parse(once), parseFragment(html)].flatMap((tree) => harmBelow(tree));
  // HTML that changes when it is parsed again is a way to deceive sanitizers.
  if (serialize(parse(once)) !== once) harm.push('another tree when it is parsed again');
  const main = /^<html><head><\/head><body><main>([\s\S]*)<\/main><\/body><\/html>$/.exec(
    once.replace(/^<!DOCTYPE html>/i, ''),
  );
  if (main === null) harm.push('leaves the element that it is in');
  return [...new Set(harm)];
}

function harmBelow(node: Node): string[] {
  if (defaultTreeAdapter.isCommentNode(node)) return ['a comment'];
  const own = defaultTreeAdapter.isElementNode(node) ? harmOf(node) : [];
  return 'childNodes' in node ? [...own, ...node.childNodes.flatMap(harmBelow)] : own;
}

function harmOf({ tagName, namespaceURI, attrs }: Element): string[] {
  const isMath = namespaceURI === namespaces.NS.MATHML;
  const known = isMath ? MATH.test(tagName) : namespaceURI === namespaces.NS.HTML && HTML.test(tagName);
  const harm = known ? [] : [`<${tagName}>`];
  for (const { name, value } of attrs) {
    const isKnown = (isMath ? MATH_ATTRIBUTES : ATTRIBUTES).test(name);
    if (!isKnown) harm.push(`${tagName} ${name}`);
    if (name === 'href' && !ADDRESS.test(value)) harm.push(`${tagName} href=${value}`);
    if (name === 'src' && !LOCAL.test(value)) harm.push(`${tagName} src=${value}`);
    if (name === 'id' && !ID.test(value)) harm.push(`${tagName} id=${value}`);
  }
  const isCheckbox = attrs.some(({ name, value }) => name === 'type' && value === 'checkbox');
  const isDisabled = attrs.some(({ name }) => name === 'disabled');
  if (tagName === 'input' && !(isCheckbox && isDisabled)) harm.push('an input that is no disabled checkbox');
  return harm;
}

const HTML =
  /^(?:html|head|body|main|a|abbr|b|bdi|bdo|blockquote|br|caption|cite|code|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|h[1-6]|hr|i|img|input|ins|kbd|li|mark|ol|p|pre|q|rp|rt|ruby|s|samp|section|small|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|wbr)$/;
const ATTRIBUTES =
  /^(?:id|class|title|lang|dir|align|href|rel|src|alt|width|height|loading|open|start|reversed|type|value|checked|disabled|colspan|rowspan|scope|aria-label|aria-describedby|data-footnotes|data-footnote-ref|data-footnote-backref)$/;
const MATH =
  /^(?:math|mrow|mi|mn|mo|ms|mtext|mspace|mover|munder|munderover|msub|msup|msubsup|mfrac|msqrt|mroot|mtable|mtr|mtd|mstyle|mpadded|mphantom|menclose|merror)$/;
const MATH_ATTRIBUTES =
  /^(?:xmlns|display|mathvariant|mathcolor|accent|accentunder|fence|form|stretchy|symmetric|separator|largeop|movablelimits|lspace|rspace|width|height|depth|minsize|maxsize|linebreak|linethickness|columnalign|columnspacing|rowspacing|columnlines|rowlines|scriptlevel|displaystyle|voffset|notation)$/;
/** No second slash and no backslash: they would name another host. */
const LOCAL = /^\/(?![/\\])[^\\]*$/;
/** Or the page again, with one image from elsewhere. */
const ADDRESS = /^(?:(?:https?:\/\/|mailto:|#|\/(?![/\\]))[^\\]*|\?image=https?%3A%2F%2F[^&\\]*)$/;
/** The ids of the page around it have a full stop and begin with `ui`. */
const ID = /^(?:\^[a-z0-9-]+|note\..+|[\p{L}\p{M}\p{N}\p{Pc}-]+(?:\.\d+)?|\.\d+)$/u;
