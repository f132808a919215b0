import type { Blockquote, Nodes, Paragraph, PhrasingContent } from 'mdast';
import type { OwnElements } from './own-elements.ts';
import type { WikiSpan } from './wiki-spans.ts';

/** Turns `> [!note] Title` into a callout; with `-` or `+` after the kind it can be folded. Other quotes stay. */
export function shapeCallout(quote: Blockquote, own: OwnElements, spans: ReadonlyMap<Nodes, WikiSpan>): void {
  const [first] = quote.children;
  const [text] = first?.type === 'paragraph' ? first.children : [];
  const head = text?.type === 'text' ? HEAD.exec(text.value) : null;
  if (first?.type !== 'paragraph' || text?.type !== 'text' || head === null) return;
  const [written, kind = '', fold = ''] = head;
  text.value = text.value.slice(written.length);
  const [title, body] = splitAtLineEnd(first.children, spans);
  if (isEmpty(title))
    title.push({ type: 'text', value: kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase() });
  const properties = {
    className: ['callout', `callout-${kind.toLowerCase()}`],
    ...(fold === '+' && { open: true }),
  };
  const heading: Paragraph = {
    type: 'paragraph',
    children: title,
    data: {
      hName: fold === '' ? 'p' : 'summary',
      hProperties: own.mark({ properties: { className: ['callout-title'] } }),
    },
  };
  const rest: Paragraph[] = isEmpty(body) ? [] : [{ type: 'paragraph', children: body }];
  quote.children = [heading, ...rest, ...quote.children.slice(1)];
  quote.data = { hName: fold === '' ? 'div' : 'details', hProperties: own.mark({ properties }) };
}

const HEAD = /^\[!([A-Za-z][A-Za-z-]{0,29})\]([+-]?)[ \t]*/;

function splitAtLineEnd(
  children: readonly PhrasingContent[],
  spans: ReadonlyMap<Nodes, WikiSpan>,
): [PhrasingContent[], PhrasingContent[]] {
  for (const [index, child] of children.entries()) {
    if (child.type === 'break' && !spans.has(child))
      return [children.slice(0, index), children.slice(index + 1)];
    const lineFeed = child.type === 'text' ? child.value.indexOf('\n') : -1;
    if (child.type !== 'text' || lineFeed === -1) continue;
    const before = { ...child, value: child.value.slice(0, lineFeed) };
    const after = { ...child, value: child.value.slice(lineFeed + 1) };
    return [
      [...children.slice(0, index), before],
      [after, ...children.slice(index + 1)],
    ];
  }
  return [[...children], []];
}

function isEmpty(children: readonly PhrasingContent[]): boolean {
  return children.every((child) => child.type === 'text' && child.value.trim() === '');
}
