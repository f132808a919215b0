import { idFor } from '@pagetree/wiki/anchor-ids';
import type { Element, ElementContent, Properties, Root, RootContent } from 'hast';
import { FOREIGN_LINK, foreignAddress, isLocalAddress } from './addresses.ts';
import { MATH_NAMES } from './formulas/math-names.ts';
import type { OwnElements } from './own-elements.ts';
import { foreignElement, shownSize } from './shape-links.ts';

/**
 * Gives our own elements their final form, and keeps only the harmless parts of the page's own HTML. The
 * sanitizer runs after this and trusts none of it.
 */
export function finishHtml(
  root: Root,
  { own, ids, notes }: { own: OwnElements; ids: Set<string>; notes: string },
): ElementContent[] {
  function finish(nodes: readonly RootContent[], inLink: boolean): ElementContent[] {
    const finished: ElementContent[] = [];
    for (const node of nodes) {
      if (node.type === 'text') finished.push(node);
      else if (node.type === 'element') {
        const html = own.find(node.properties)?.html;
        finished.push(html === undefined ? finishElement(node, inLink) : { type: 'raw', value: html });
      }
    }
    return finished;
  }

  function finishElement(node: Element, inLink: boolean): Element {
    const element = own.find(node.properties);
    const { tagName, properties, children } = element === undefined ? cleaned(node) : { ...node, ...element };
    const { title, alt } = node.properties;
    const kept = {
      ...(tagName === 'img' && typeof alt === 'string' && { alt: properties.alt || alt }),
      ...(title && { title }),
      ...(tagName === 'img' && { ...NO_SIZE, ...shownSize(node.properties, properties) }),
    };
    const { dataOwn: _, ...named }: Properties = { ...properties, ...kept };
    const isLink = tagName === 'a';
    const done = element?.children ?? finish(children, inLink || isLink);
    // A link within a link would end the outer one.
    if (isLink && inLink)
      return { type: 'element', tagName: 'span', properties: {}, children: shown(done, node, 'span') };
    return {
      type: 'element',
      tagName,
      properties: withSafeAddresses(named),
      children: shown(done, node, tagName),
    };
  }

  function cleaned(node: Element): Pick<Element, 'tagName' | 'properties' | 'children'> {
    const { tagName, properties, children } = node;
    if (tagName === 'img') return { children, ...imageOf(properties) };
    // Only our formulas are MathML: a browser parses what is in it by rules that attacks use.
    if (MATH_NAMES.has(tagName)) return { tagName: 'span', properties: {}, children };
    const { id, name, href, ariaDescribedBy, className, ...harmless } = properties;
    const label = tagName === 'input' ? { ariaLabel: properties.checked ? 'Done' : 'To do' } : {};
    const ours = { ...classesOf(className), ...label, ...idOf(properties), ...hrefOf(properties) };
    return { tagName, children, properties: { ...harmless, ...ours } };
  }

  /** Ids of footnotes are ours; an id in HTML is a place that links can name, unless a heading has it. */
  function idOf({ id, name, ariaDescribedBy }: Properties): Properties {
    const described = !ariaDescribedBy ? {} : { ariaDescribedBy: [`${notes}label`] };
    const written = typeof id === 'string' ? id : typeof name === 'string' ? name : '';
    if (written === 'footnote-label') return { id: `${notes}label` };
    if (written.startsWith(own.notePrefix)) {
      return { id: notes + written.slice(own.notePrefix.length), ...described };
    }
    const wanted = written === '' || notes !== NOTES ? '' : idFor(written);
    if (wanted === '' || ids.has(wanted)) return {};
    ids.add(wanted);
    return { id: wanted };
  }

  function hrefOf({ href }: Properties): Properties {
    if (typeof href !== 'string') return {};
    if (href.startsWith(`#${own.notePrefix}`)) {
      return { href: `#${notes}${href.slice(own.notePrefix.length + 1)}` };
    }
    if (href.startsWith('#')) return { href: `#${encodeURIComponent(idFor(href.slice(1)))}` };
    const address = foreignAddress(href);
    return address === null ? {} : { href: address, ...FOREIGN_LINK, className: ['link-foreign'] };
  }

  return finish(root.children, false);
}

/** The prefix of the ids of footnotes. The ids of headings have no full stop. */
export const NOTES = 'note.';

const NO_SIZE = { width: undefined, height: undefined };

/** An image in HTML names a file of the wiki only if the wiki knows it as a link, and is then our own. */
function imageOf({ src, alt }: Properties): Pick<Element, 'tagName' | 'properties'> {
  const { tagName = 'span', properties = {} } = foreignElement(typeof src === 'string' ? src : '', true);
  return { tagName, properties: { ...properties, ...(alt && { alt }) } };
}

/** The replacement of an image shows its text. */
function shown(children: ElementContent[], { tagName, properties }: Element, as: string): ElementContent[] {
  if (tagName !== 'img' || as === 'img' || children.length > 0) return children;
  const { alt } = properties;
  return typeof alt === 'string' && alt !== '' ? [{ type: 'text', value: alt }] : [];
}

/** The classes that GFM gives its own elements; a page that copies them in HTML gains nothing. */
function classesOf(className: Properties[string]): Properties {
  const known = [className].flat().filter((name) => GFM_CLASSES.test(String(name))) as string[];
  return known.length === 0 ? {} : { className: known };
}

const GFM_CLASSES = /^(?:contains-task-list|task-list-item|footnotes|sr-only|data-footnote-backref)$/;

function withSafeAddresses(properties: Properties): Properties {
  const { href, src } = properties;
  const isSafe = (address: string) => isLocalAddress(address) || foreignAddress(address) === address;
  const safe = { ...properties };
  if (typeof href === 'string' && !isSafe(href)) delete safe.href;
  if (typeof src === 'string' && !isLocalAddress(src)) delete safe.src;
  return safe;
}
