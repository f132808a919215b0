import { readPageText } from '@pagetree/wiki/page-text';
import type { Element, ElementContent, Nodes } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toHtml } from 'hast-util-to-html';
import { decodeString } from 'micromark-util-decode-string';
import { normalizeUri } from 'micromark-util-sanitize-uri';
import { renderPage } from '../../src/render/render-page.ts';

/** Every link of the wiki leads to the address that is written. */
export async function rendered(markdown: string): Promise<string> {
  const links = readPageText(markdown).links.map(({ written, destination }) => ({
    written,
    href: `/local/${normalizeUri(decodeString(destination))}`,
  }));
  const context = {
    path: 'Page',
    links,
    addressOf: String,
    attachmentAddress: String,
    embed: async () => null,
  };
  return (await renderPage(markdown, context)).html;
}

/** HTML with its attributes in order, without our additions to it: ids, classes, relations, and colors in code. */
export function normal(html: string): string {
  const tree = fromHtml(html, { fragment: true });
  strip(tree);
  return toHtml(tree)
    .replace(/\s+/g, ' ')
    .replace(/> | </g, (mark) => mark.trim())
    .trim();
}

function strip(node: Nodes): void {
  if (node.type === 'element') {
    const { id, rel, className, loading, ariaLabel, href, src, ...kept } = node.properties;
    const addresses = Object.entries({ href, src }).filter(([, address]) => address !== undefined);
    const written = addresses.map(([name, address]): [string, string] => [
      name,
      String(address)
        .replace('/local/', '')
        .replace(/^[A-Z]+:/, (scheme) => scheme.toLowerCase()),
    ]);
    const all: Element['properties'] = { ...kept, ...Object.fromEntries(written) };
    node.properties = Object.fromEntries(Object.entries(all).toSorted());
  }
  if (!('children' in node)) return;
  const children = node.children as ElementContent[];
  node.children = children.flatMap((child) =>
    isColored(child) ? child.children : child.type === 'comment' ? [] : [child],
  );
  for (const child of node.children) strip(child);
}

function isColored(node: ElementContent): node is Element {
  return (
    node.type === 'element' && node.tagName === 'span' && String(node.properties.className).startsWith('hljs')
  );
}
