import { parseCommit } from '../../formats/commit.ts';
import { CHECKSUM_BYTES, EMPTY_TREE, type GitObject, type ObjectType, type Oid } from '../../formats/oid.ts';
import type { PackBytes } from '../../formats/packs/pack.ts';
import { encodePackIndex, type IndexEntry } from '../../formats/packs/pack-index.ts';
import { yielding } from '../../scheduling/yielding.ts';
import { commitFault } from '../fsck/commit-faults.ts';
import { fileFault } from '../fsck/file-faults.ts';
import { tagFault, taggedObject } from '../fsck/tag-faults.ts';
import { type JudgedFile, treeFault } from '../fsck/tree-faults.ts';
import { BOUNDS, broken, historyTooLarge, refusedObject } from './bounds.ts';
import type { PackEntry } from './pack-scan.ts';
import { PackReader, type VisitObject } from './read-pack.ts';

export interface JudgedPack extends PackBytes {
  types: ReadonlyMap<Oid, ObjectType>;
  /** Commits and trees, as far as they fit into some megabytes: they are measured next. */
  kept: ReadonlyMap<Oid, GitObject>;
}

/**
 * Makes the index of a pack from elsewhere. Verifies that every object matches its oid, that `git fsck
 * --strict` accepts it, and that it refers only to objects of the pack. Throws `invalid_input` and
 * `too_large`.
 */
export async function indexPack(packBytes: Uint8Array, signal?: AbortSignal): Promise<JudgedPack> {
  const reader = new PackReader(packBytes, signal);
  const judge = new Judge();
  const kept = new Map<Oid, GitObject>();
  let keptBytes = 0;
  await reader.read((type, oid, content) => {
    judge.look(type, oid, content);
    if (type !== 'commit' && type !== 'tree') return;
    keptBytes += content.length + KEPT_OVERHEAD_BYTES;
    if (keptBytes <= MAX_KEPT_BYTES) kept.set(oid, { type, content });
  });
  judge.requireComplete(reader.types);
  if (judge.hasFiles) {
    const look: VisitObject = (type, oid, content) => judge.lookAtFile(type, oid, content);
    await reader.readAgain((oid) => judge.isFile(oid), look);
  }
  const indexBytes = encodePackIndex(await sorted(reader.entries), packBytes.subarray(-CHECKSUM_BYTES));
  return { packBytes, indexBytes, types: reader.types, kept };
}

/** Sorts by oid. Sorting all entries at once would hold up other calls. */
async function sorted(entries: readonly PackEntry[]): Promise<IndexEntry[]> {
  const pause = yielding(TURN_MS);
  const places = entries.map(({ oid, offset, crc32 }) => ({ oid: oid ?? '', offset, crc32 }));
  const parts = Map.groupBy(places, ({ oid }) => oid.slice(0, 2));
  const all: IndexEntry[] = [];
  for (const beginning of [...parts.keys()].sort()) {
    for (const place of (parts.get(beginning) ?? []).sort((a, b) => (a.oid < b.oid ? -1 : 1)))
      all.push(place);
    await pause();
  }
  return all;
}

const TURN_MS = 20;
const MAX_KEPT_BYTES = 16_000_000;
const KEPT_OVERHEAD_BYTES = 400;

/** The facts known about the objects of one pack. */
class Judge {
  /** For each object that another one refers to: the type that the reference requires. */
  readonly #named = new Map<Oid, ObjectType>();
  readonly #files = new Map<Oid, Set<JudgedFile>>();
  #treeBytes = 0;

  get hasFiles(): boolean {
    return this.#files.size > 0;
  }

  isFile(oid: Oid): boolean {
    return this.#files.has(oid);
  }

  look(type: ObjectType, oid: Oid, content: Uint8Array): void {
    if (type === 'blob') return;
    const most = BOUNDS.bytesOf[type];
    if (content.length > most) {
      throw historyTooLarge(`the ${type} ${oid} has ${content.length} bytes; the most is ${most}`);
    }
    const fault =
      type === 'tree'
        ? this.#lookAtTree(content)
        : type === 'commit'
          ? commitFault(content)
          : tagFault(content);
    if (fault !== null) throw refusedObject(type, oid, fault.text);
    if (type === 'commit') this.#nameOfCommit(content);
    if (type === 'tag') {
      const tagged = taggedObject(content);
      this.#name(tagged.oid, tagged.type);
    }
  }

  /** Records the verdict of git about a file that it judges because of the name that a folder gives it. */
  lookAtFile(type: ObjectType, oid: Oid, content: Uint8Array): void {
    for (const file of this.#files.get(oid) ?? []) {
      if (content.length > BOUNDS.judgedFileBytes) {
        throw historyTooLarge(
          `a .${file} has ${content.length} bytes; the most is ${BOUNDS.judgedFileBytes}`,
        );
      }
      const fault = fileFault(file, content);
      if (fault !== null) throw refusedObject(type, oid, `as .${file}, ${fault.text}`);
    }
  }

  /** Throws if an object refers to one that is missing or of another type. */
  requireComplete(types: ReadonlyMap<Oid, ObjectType>): void {
    for (const [oid, type] of this.#named) {
      const found = types.get(oid);
      if (found === undefined && oid === EMPTY_TREE && type === 'tree') continue;
      if (found === undefined) throw broken(`it lacks the ${type} ${oid}`);
      if (found !== type) throw refusedObject(found, oid, `another object names it as a ${type}`);
    }
  }

  #lookAtTree(content: Uint8Array) {
    this.#treeBytes += content.length;
    if (this.#treeBytes > BOUNDS.treeBytes) {
      throw historyTooLarge(`its folders have more than ${BOUNDS.treeBytes} bytes together`);
    }
    return treeFault(content, ({ kind, oid, judged }) => {
      if (kind === 'submodule') return;
      this.#name(oid, kind === 'folder' ? 'tree' : 'blob');
      if (judged === null) return;
      const files = this.#files.get(oid) ?? new Set();
      this.#files.set(oid, files.add(judged));
    });
  }

  #nameOfCommit(content: Uint8Array): void {
    const { tree, parents } = parseCommit(content);
    // A commit without faults names a tree.
    if (tree !== null) this.#name(tree, 'tree');
    for (const parent of parents) this.#name(parent, 'commit');
  }

  #name(oid: Oid, type: ObjectType): void {
    const known = this.#named.get(oid);
    if (known === type) return;
    if (known !== undefined) throw refusedObject(known, oid, `another object names it as a ${type}`);
    this.#named.set(oid, type);
    if (this.#named.size > BOUNDS.objects) throw broken(`it lacks objects that it names, such as ${oid}`);
  }
}
