import { OID_BYTES } from './oid.ts';
import { asBuffer } from './tree-layout.ts';

/**
 * The range in which two trees differ, in bytes: from the first entry that may differ to the first entry of
 * their common end.
 */
export interface DifferentPart {
  from: number;
  oldEnd: number;
  newEnd: number;
}

/**
 * Finds the part to parse when comparing two tree objects. Most versions of a folder differ in one item of
 * hundreds, and parsing the others would be nearly the whole cost. If the bytes are no tree, returns them
 * whole.
 */
export function differentPart(before: Uint8Array, after: Uint8Array): DifferentPart {
  const [oldTree, newTree] = [asBuffer(before), asBuffer(after)];
  const from = lastItemAtOrBefore(oldTree, commonStart(oldTree, newTree));
  const whole = { from, oldEnd: oldTree.length, newEnd: newTree.length };
  const rest = commonEnd(oldTree, newTree, from);
  const oldEnd = firstItemAtOrAfter(oldTree, from, oldTree.length - rest);
  const newEnd = newTree.length - (oldTree.length - oldEnd);
  // Equal bytes need not be equal items: an oid may contain any bytes, including ones that look like an item.
  return firstItemAtOrAfter(newTree, from, newEnd) === newEnd ? { from, oldEnd, newEnd } : whole;
}

/** The number of bytes that both have in common at their beginning. */
function commonStart(one: Buffer, other: Buffer): number {
  let [low, high] = [0, Math.min(one.length, other.length)];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (one.compare(other, low, middle, low, middle) === 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The number of bytes that both have in common at their end, as far back as `from`. */
function commonEnd(one: Buffer, other: Buffer, from: number): number {
  let [low, high] = [0, Math.min(one.length, other.length) - from];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const [inOne, inOther] = [one.length - middle, other.length - middle];
    const isSame = one.compare(other, inOther, other.length - low, inOne, one.length - low) === 0;
    if (isSame) low = middle;
    else high = middle - 1;
  }
  return low;
}

function lastItemAtOrBefore(tree: Buffer, position: number): number {
  let item = 0;
  for (let next = nextItem(tree, item); next <= position && next > item; next = nextItem(tree, item))
    item = next;
  return item;
}

function firstItemAtOrAfter(tree: Buffer, from: number, position: number): number {
  let item = from;
  while (item < position) item = nextItem(tree, item);
  return item;
}

/** The position of the item after the one at `item`, or the end of the tree. */
function nextItem(tree: Buffer, item: number): number {
  const nameEnd = tree.indexOf(0, item);
  return nameEnd < 0 ? tree.length : Math.min(nameEnd + 1 + OID_BYTES, tree.length);
}
