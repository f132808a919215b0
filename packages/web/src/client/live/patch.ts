import { diffArrays } from 'diff';

/**
 * Makes `shown` show `fresh`, where it showed `known`: replaces the blocks that differ and touches nothing else, so that
 * what the reader opened, selected or focused stays. A child of `shown` stands for each child of `known`, whatever a
 * script made of it. Calls `changed` with each new block.
 */
export function patch(
  shown: Element,
  known: Element,
  fresh: Element,
  changed: (block: Element) => void,
): void {
  patchAttributes(shown, known, fresh);
  const places = [...shown.childNodes];
  const before = [...known.childNodes];
  if (places.length !== before.length) {
    if (!isInUse(shown)) shown.replaceChildren(...[...fresh.childNodes].map(copyOf));
    return;
  }
  for (const { at, was, is } of differences(before, [...fresh.childNodes])) {
    const place = places[at] ?? null;
    if (was === null) {
      if (is !== null) insert(shown, is, place, changed);
    } else if (place instanceof Element && isParent(was) && isParent(is) && was.tagName === is.tagName)
      patch(place, was, is, changed);
    else if (place !== null && !isInUse(place)) {
      if (is !== null) insert(shown, is, place, changed);
      place.remove();
    }
  }
}

/** A node in the place of another one. */
interface Difference {
  /** The number of the node that is replaced, or before which one is added. */
  at: number;
  /** Null for a node that is added. */
  was: Node | null;
  /** Null for a node that is removed. */
  is: Node | null;
}

/** Nodes that were removed and added at the same place are taken for changed ones, in their order. */
function differences(before: readonly Node[], after: readonly Node[]): Difference[] {
  const found: Difference[] = [];
  let [at, next, removed] = [0, 0, 0];
  const end = (added: number) => {
    for (let each = 0; each < Math.max(removed, added); each += 1) {
      const was = each < removed ? (before[at + each] ?? null) : null;
      const is = each < added ? (after[next + each] ?? null) : null;
      found.push({ at: at + Math.min(each, removed), was, is });
    }
    at += removed;
    next += added;
    removed = 0;
  };
  for (const step of diffArrays(before.map(textOf), after.map(textOf))) {
    if (step.removed) removed = step.count;
    else if (step.added) end(step.count);
    else {
      end(0);
      at += step.count;
      next += step.count;
    }
  }
  end(0);
  return found;
}

function insert(into: Element, node: Node, before: Node | null, changed: (block: Element) => void): void {
  const copy = copyOf(node);
  into.insertBefore(copy, before);
  if (copy instanceof Element) changed(copy);
  else if (copy.textContent?.trim()) changed(into);
}

/** A node of another document, in this one. No script of it runs: the document that it is from has none that may. */
function copyOf(node: Node): Node {
  return document.importNode(node, true);
}

function textOf(node: Node): string {
  return node instanceof Element ? node.outerHTML : `${node.nodeType} ${node.nodeValue}`;
}

/** True for a list, a table and the like, whose blocks are compared one by one. */
function isParent(node: Node | null): node is Element {
  return node instanceof Element && [...node.children].some((child) => child.matches(BLOCKS));
}

const BLOCKS =
  'h1, h2, h3, h4, h5, h6, p, pre, ul, ol, li, dl, dt, dd, table, thead, tbody, tr, blockquote, details, figure, section, div, nav';

/** True for what a person may be writing in. The boxes of a list of tasks are disabled. */
function isInUse(node: Node): boolean {
  return node instanceof Element && (node.matches(FIELDS) || node.querySelector(FIELDS) !== null);
}

const FIELDS = ':is(form, input, textarea, select):not(:disabled)';

function patchAttributes(shown: Element, known: Element, fresh: Element): void {
  const names = new Set([...known.getAttributeNames(), ...fresh.getAttributeNames()]);
  for (const name of names) {
    const value = fresh.getAttribute(name);
    if (value === known.getAttribute(name)) continue;
    if (value === null) shown.removeAttribute(name);
    else shown.setAttribute(name, value);
  }
}
