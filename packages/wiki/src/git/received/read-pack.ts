import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { throwIfCancelled } from '../../contract/errors.ts';
import { inflateAside } from '../../formats/inflate.ts';
import {
  CHECKSUM_BYTES,
  type GitObject,
  type ObjectType,
  type Oid,
  objectHeader,
} from '../../formats/oid.ts';
import { applyDelta, DeltaError } from '../../formats/packs/delta.ts';
import { type Yield, yielding } from '../../scheduling/yielding.ts';
import { BOUNDS } from './bounds.ts';
import { DeltaTree } from './delta-tree.ts';
import { damaged, type PackEntry, PackScan } from './pack-scan.ts';
import { OF_BUNDLE, type Refusals } from './refusals.ts';

/**
 * Called with each object of a pack once. The first reading leaves out large files stored whole, of which
 * only the oid counts.
 */
export type VisitObject = (type: ObjectType, oid: Oid, content: Uint8Array) => void;

export interface PackReaderOptions {
  signal?: AbortSignal | undefined;
  /** The words of the errors. */
  refusals?: Refusals;
  /** For a thin pack: an object outside of it on which a delta rests, or null. */
  readBase?: (oid: Oid) => Promise<GitObject | null>;
}

/**
 * Reads a pack from elsewhere in bounded time and memory, with pauses for other calls. Throws `invalid_input`
 * and `too_large`.
 */
export class PackReader {
  readonly #bytes: Uint8Array;
  readonly #signal: AbortSignal | undefined;
  readonly #yield: Yield = yielding(TURN_MS);
  readonly #types = new Map<Oid, ObjectType>();
  readonly #refusals: Refusals;
  readonly #readBase: (oid: Oid) => Promise<GitObject | null>;
  readonly #bases = new Map<Oid, GitObject['type']>();
  #baseBytes = 0;
  /** The offsets of the deltas that this reading has resolved. */
  readonly #resolved = new Set<number>();
  #entries: readonly PackEntry[] = [];
  /** The size of all contents on which deltas still rest. */
  #heldBytes = 0;

  constructor(bytes: Uint8Array, options: PackReaderOptions = {}) {
    const { signal, refusals = OF_BUNDLE, readBase = async () => null } = options;
    this.#bytes = bytes;
    this.#signal = signal;
    this.#refusals = refusals;
    this.#readBase = readBase;
  }

  /** Every object with its place, in the order of the pack. */
  get entries(): readonly PackEntry[] {
    return this.#entries;
  }

  get types(): ReadonlyMap<Oid, ObjectType> {
    return this.#types;
  }

  /** The objects outside of a thin pack on which its deltas rest. */
  get bases(): readonly Oid[] {
    return [...this.#bases.keys()].filter((oid) => !this.#types.has(oid));
  }

  /** The first reading, which names every object. */
  async read(visit: VisitObject): Promise<void> {
    const scan = new PackScan(this.#bytes, this.#refusals);
    const end = this.#bytes.length - CHECKSUM_BYTES;
    const checksum = await this.#sha1('', this.#bytes.subarray(0, end));
    if (!checksum.equals(this.#bytes.subarray(end))) throw damaged(this.#refusals);
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
    await this.#resolveThin(visit);
    if (this.#types.size < this.#entries.length) throw this.#refusals.baseMissing();
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
    if (!wantsDelta) return;
    this.#resolved.clear();
    await this.#resolveDeltas(visit);
    const tree = new DeltaTree(this.#entries);
    for (const oid of this.#bases.keys()) await this.#resolveOnBase(oid, tree, visit);
  }

  async #resolveDeltas(visit: VisitObject): Promise<void> {
    const tree = new DeltaTree(this.#entries);
    for (const entry of this.#entries) {
      if (entry.type === null) continue;
      const deltas = tree.childrenOf(entry);
      if (deltas.length === 0) continue;
      const root = { type: entry.type, content: await this.#inflate(entry) };
      await this.#resolveAbove(root, deltas, tree, visit);
    }
  }

  /** Resolves the deltas that rest on objects outside of the pack. */
  async #resolveThin(visit: VisitObject): Promise<void> {
    if (this.#types.size === this.#entries.length) return;
    const tree = new DeltaTree(this.#entries);
    for (const { oid, base } of this.#entries) {
      // One that was resolved meanwhile has its oid. One whose base is not outside may rest on another delta.
      if (oid === null && typeof base === 'string') await this.#resolveOnBase(base, tree, visit);
    }
  }

  async #resolveOnBase(oid: Oid, tree: DeltaTree, visit: VisitObject): Promise<void> {
    const base = await this.#readBase(oid);
    if (base === null) return;
    if (!this.#bases.has(oid)) this.#countBase(base.content.length);
    this.#bases.set(oid, base.type);
    await this.#resolveAbove(base, tree.childrenOf({ offset: NOWHERE, oid }), tree, visit);
  }

  /** A delta of some bytes can make us read the largest object of the wiki. */
  #countBase(bytes: number): void {
    this.#baseBytes += bytes;
    if (this.#baseBytes > BOUNDS.inflatedBytes) {
      throw this.#refusals.tooLarge(`its deltas rest on more than ${BOUNDS.inflatedBytes} bytes`);
    }
  }

  async #resolveAbove(
    { type, content: rootContent }: GitObject,
    deltas: PackEntry[],
    tree: DeltaTree,
    visit: VisitObject,
  ): Promise<void> {
    const bases = [{ content: rootContent, deltas, depth: 1 }];
    this.#heldBytes = rootContent.length;
    for (let base = bases.at(-1); base !== undefined; base = bases.at(-1)) {
      const delta = base.deltas.pop();
      // The last delta has most further ones on it: from here on the base itself is not needed, so chains
      // take little memory.
      if (base.deltas.length === 0) {
        bases.pop();
        this.#heldBytes -= base.content.length;
      }
      // An object may be in the wiki and in the pack: then there are two ways to the deltas that rest on it.
      if (delta === undefined || this.#resolved.has(delta.offset)) continue;
      this.#resolved.add(delta.offset);
      const content = this.#built(base.content, await this.#inflate(delta));
      const oid = delta.oid ?? (await this.#oidOf(type, content));
      // On the second reading the delta has its oid already.
      if (delta.oid === null) this.#name(delta, type, oid);
      visit(type, oid, content);
      const above = tree.childrenOf(delta);
      if (above.length > 0) {
        if (base.depth === BOUNDS.deltaDepth) throw tooDeep(this.#refusals);
        bases.push({ content, deltas: above, depth: base.depth + 1 });
        this.#hold(content.length);
      }
      await this.#pause();
    }
  }

  #hold(bytes: number): void {
    this.#heldBytes += bytes;
    if (this.#heldBytes > BOUNDS.heldBytes) {
      throw this.#refusals.tooLarge('its deltas take too much memory at once');
    }
  }

  #name(entry: PackEntry, type: ObjectType, oid: Oid): void {
    if (this.#types.has(oid)) throw this.#refusals.broken(`its pack holds the object ${oid} twice`);
    this.#types.set(oid, type);
    entry.oid = oid;
  }

  async #oidOf(type: ObjectType, content: Uint8Array): Promise<Oid> {
    return (await this.#sha1(objectHeader(type, content.length), content)).toString('hex');
  }

  async #inflate({ dataAt, end, size }: PackEntry): Promise<Uint8Array> {
    const inflated = await inflateAside(this.#bytes.subarray(dataAt, end), size);
    if (typeof inflated === 'string') throw damaged(this.#refusals);
    return inflated.content;
  }

  #built(base: Uint8Array, delta: Uint8Array): Uint8Array {
    try {
      return applyDelta(base, delta);
    } catch (error) {
      throw error instanceof DeltaError ? damaged(this.#refusals, error) : error;
    }
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

function tooDeep({ tooLarge, withLessDepth }: Refusals) {
  return tooLarge(
    `in its pack more than ${BOUNDS.deltaDepth} deltas rest on one another (${withLessDepth} makes fewer)`,
  );
}

const NOTHING = new Uint8Array();
const TURN_MS = 20;
/** No entry of a pack lies there. */
const NOWHERE = -1;
const HASHED_AT_ONCE = 4_000_000;
