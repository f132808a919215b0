/** Where two trees differ, in bytes: from an item that may be another, to the first item of their common rest. */
export interface DifferentPart {
  from: number;
  oldEnd: number;
  newEnd: number;
}

/**
 * Finds what must be parsed to compare two tree objects. Most versions of a folder differ in one item of
 * hundreds, and to parse the others is nearly all that a comparison would cost. Bytes that are no tree come out
 * whole.
 */
export function differentPart(before: Uint8Array, after: Uint8Array): DifferentPart {
  const [oldTree, newTree] = [asBuffer(before), asBuffer(after)];
  const from = lastItemAtOrBefore(oldTree, commonStart(oldTree, newTree));
  const whole = { from, oldEnd: oldTree.length, newEnd: newTree.length };
  const rest = commonEnd(oldTree, newTree, from);
  const oldEnd = firstItemAtOrAfter(oldTree, from, oldTree.length - rest);
  const newEnd = newTree.length - (oldTree.length - oldEnd);
  // The same bytes need not be the same items: an oid may hold anything, also what looks like an item.
  return firstItemAtOrAfter(newTree, from, newEnd) === newEnd ? { from, oldEnd, newEnd } : whole;
}

/** How many bytes the two have in common at their beginning. */
function commonStart(one: Buffer, other: Buffer): number {
  let [low, high] = [0, Math.min(one.length, other.length)];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (one.compare(other, low, middle, low, middle) === 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The same at their end, as far back as `from`. */
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

/** Where the item after the one at `item` begins; the end of the tree where there is none. */
function nextItem(tree: Buffer, item: number): number {
  const nameEnd = tree.indexOf(0, item);
  return nameEnd < 0 ? tree.length : Math.min(nameEnd + 1 + OID_BYTES, tree.length);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const OID_BYTES = 20;
