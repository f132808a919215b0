import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { throwIfCancelled } from '../../contract/errors.ts';
import { inflateAside } from '../../formats/inflate.ts';
import { CHECKSUM_BYTES, type ObjectType, type Oid, objectHeader } from '../../formats/oid.ts';
import { applyDelta, DeltaError } from '../../formats/packs/delta.ts';
import { type Yield, yielding } from '../../scheduling/yielding.ts';
import { BOUNDS, broken, historyTooLarge } from './bounds.ts';
import { DeltaTree } from './delta-tree.ts';
import { damaged, type PackEntry, PackScan } from './pack-scan.ts';

/**
 * Called with each object of a pack once. The first reading leaves out large files stored whole, of which
 * only the oid counts.
 */
export type VisitObject = (type: ObjectType, oid: Oid, content: Uint8Array) => void;

/**
 * Reads a pack from elsewhere in bounded time and memory, with pauses for other calls. Throws `invalid_input`
 * and `too_large`.
 */
export class PackReader {
  readonly #bytes: Uint8Array;
  readonly #signal: AbortSignal | undefined;
  readonly #yield: Yield = yielding(TURN_MS);
  readonly #types = new Map<Oid, ObjectType>();
  #entries: readonly PackEntry[] = [];
  /** The size of all contents on which deltas still rest. */
  #heldBytes = 0;

  constructor(bytes: Uint8Array, signal?: AbortSignal) {
    this.#bytes = bytes;
    this.#signal = signal;
  }

  /** Every object with its place, in the order of the pack. */
  get entries(): readonly PackEntry[] {
    return this.#entries;
  }

  get types(): ReadonlyMap<Oid, ObjectType> {
    return this.#types;
  }

  /** The first reading, which names every object. */
  async read(visit: VisitObject): Promise<void> {
    const scan = new PackScan(this.#bytes);
    const end = this.#bytes.length - CHECKSUM_BYTES;
    const checksum = await this.#sha1('', this.#bytes.subarray(0, end));
    if (!checksum.equals(this.#bytes.subarray(end))) throw damaged();
    while (scan.isUnfinished()) {
      const { entry, content } = await scan.next();
      entry.crc32 = crc32(this.#bytes.subarray(entry.offset, entry.end));
      if (entry.type !== null) {
        const oid = entry.oid ?? (await this.#oidOf(entry.type, content ?? NOTHING));
        this.#name(entry, entry.type, oid);
        if (content !== null) visit(entry.type, oid, content);
      }
      await this.#pause();
    }
    this.#entries = scan.entries;
    await this.#resolveDeltas(visit);
    if (this.#types.size < this.#entries.length) {
      throw broken('its pack is damaged: a delta rests on an object that is not in it');
    }
  }

  /**
   * Reads the wanted objects once more, and all deltas if one of them is wanted. Only after the first reading
   * is it known which objects need a second look.
   */
  async readAgain(isWanted: (oid: Oid) => boolean, visit: VisitObject): Promise<void> {
    for (const entry of this.#entries) {
      if (entry.type === null || entry.oid === null || !isWanted(entry.oid)) continue;
      visit(entry.type, entry.oid, await this.#inflate(entry));
      await this.#pause();
    }
    const wantsDelta = this.#entries.some(({ type, oid }) => type === null && oid !== null && isWanted(oid));
    if (wantsDelta) await this.#resolveDeltas(visit);
  }

  async #resolveDeltas(visit: VisitObject): Promise<void> {
    const tree = new DeltaTree(this.#entries);
    for (const entry of this.#entries) {
      if (entry.type === null) continue;
      const deltas = tree.childrenOf(entry);
      if (deltas.length > 0) await this.#resolveAbove(entry, entry.type, deltas, tree, visit);
    }
  }

  async #resolveAbove(
    root: PackEntry,
    type: ObjectType,
    deltas: PackEntry[],
    tree: DeltaTree,
    visit: VisitObject,
  ): Promise<void> {
    const bases = [{ content: await this.#inflate(root), deltas, depth: 1 }];
    this.#heldBytes = root.size;
    for (let base = bases.at(-1); base !== undefined; base = bases.at(-1)) {
      const delta = base.deltas.pop();
      // The last delta has most further ones on it: from here on the base itself is not needed, so chains
      // take little memory.
      if (base.deltas.length === 0) {
        bases.pop();
        this.#heldBytes -= base.content.length;
      }
      if (delta === undefined) continue;
      const content = built(base.content, await this.#inflate(delta));
      const oid = delta.oid ?? (await this.#oidOf(type, content));
      // On the second reading the delta has its oid already.
      if (delta.oid === null) this.#name(delta, type, oid);
      visit(type, oid, content);
      const above = tree.childrenOf(delta);
      if (above.length > 0) {
        if (base.depth === BOUNDS.deltaDepth) throw tooDeep();
        bases.push({ content, deltas: above, depth: base.depth + 1 });
        this.#hold(content.length);
      }
      await this.#pause();
    }
  }

  #hold(bytes: number): void {
    this.#heldBytes += bytes;
    if (this.#heldBytes > BOUNDS.heldBytes) throw historyTooLarge('its deltas take too much memory at once');
  }

  #name(entry: PackEntry, type: ObjectType, oid: Oid): void {
    if (this.#types.has(oid)) throw broken(`its pack holds the object ${oid} twice`);
    this.#types.set(oid, type);
    entry.oid = oid;
  }

  async #oidOf(type: ObjectType, content: Uint8Array): Promise<Oid> {
    return (await this.#sha1(objectHeader(type, content.length), content)).toString('hex');
  }

  async #inflate({ dataAt, end, size }: PackEntry): Promise<Uint8Array> {
    const inflated = await inflateAside(this.#bytes.subarray(dataAt, end), size);
    if (typeof inflated === 'string') throw damaged();
    return inflated.content;
  }

  async #sha1(head: string, bytes: Uint8Array): Promise<Buffer> {
    const hash = createHash('sha1').update(head);
    for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
      if (at > 0) await this.#pause();
      hash.update(bytes.subarray(at, at + HASHED_AT_ONCE));
    }
    return hash.digest();
  }

  async #pause(): Promise<void> {
    throwIfCancelled(this.#signal);
    await this.#yield();
  }
}

function built(base: Uint8Array, delta: Uint8Array): Uint8Array {
  try {
    return applyDelta(base, delta);
  } catch (error) {
    throw error instanceof DeltaError ? damaged(error) : error;
  }
}

function tooDeep() {
  return historyTooLarge(
    `in its pack more than ${BOUNDS.deltaDepth} deltas rest on one another (\`git -c pack.depth=50 bundle create\` makes fewer)`,
  );
}

const NOTHING = new Uint8Array();
const TURN_MS = 20;
const HASHED_AT_ONCE = 4_000_000;
