import { parseCommit } from '../../formats/commit.ts';
import type { ObjectType, Oid } from '../../formats/oid.ts';
import { commitFault } from '../fsck/commit-faults.ts';
import type { Fault } from '../fsck/fault.ts';
import { fileFault } from '../fsck/file-faults.ts';
import { tagFault, taggedObject } from '../fsck/tag-faults.ts';
import { type JudgedFile, treeFault } from '../fsck/tree-faults.ts';
import { BOUNDS } from './bounds.ts';
import type { Refusals } from './refusals.ts';

/** Judges objects from elsewhere, one by one, as `git fsck --strict` does. */
export class ObjectJudge {
  readonly #refusals: Refusals;
  readonly #named: (oid: Oid, type: ObjectType) => void;
  readonly #files = new Map<Oid, Set<JudgedFile>>();
  #treeBytes = 0;

  /** Calls `named` with each object to which another one refers, and the type that the reference requires. */
  constructor(refusals: Refusals, named: (oid: Oid, type: ObjectType) => void = () => undefined) {
    this.#refusals = refusals;
    this.#named = named;
  }

  get hasFiles(): boolean {
    return this.#files.size > 0;
  }

  /** The files that git judges because of the names that folders give them. */
  get files(): Iterable<Oid> {
    return this.#files.keys();
  }

  isFile(oid: Oid): boolean {
    return this.#files.has(oid);
  }

  look(type: ObjectType, oid: Oid, content: Uint8Array): void {
    if (type === 'blob') return;
    const { tooLarge, refusedObject } = this.#refusals;
    const most = BOUNDS.bytesOf[type];
    if (content.length > most) {
      throw tooLarge(`the ${type} ${oid} has ${content.length} bytes; the most is ${most}`);
    }
    const fault = this.#faultOf(type, content);
    if (fault !== null) throw refusedObject(type, oid, fault.text);
    if (type === 'commit') this.#nameOfCommit(content);
    if (type === 'tag') {
      const tagged = taggedObject(content);
      this.#named(tagged.oid, tagged.type);
    }
  }

  /** Records the verdict of git about a file that it judges because of the name that a folder gives it. */
  lookAtFile(type: ObjectType, oid: Oid, content: Uint8Array): void {
    const { tooLarge, refusedObject } = this.#refusals;
    for (const file of this.#files.get(oid) ?? []) {
      if (content.length > BOUNDS.judgedFileBytes) {
        throw tooLarge(`a .${file} has ${content.length} bytes; the most is ${BOUNDS.judgedFileBytes}`);
      }
      const fault = fileFault(file, content);
      if (fault !== null) throw refusedObject(type, oid, `as .${file}, ${fault.text}`);
    }
  }

  #faultOf(type: Exclude<ObjectType, 'blob'>, content: Uint8Array): Fault | null {
    if (type === 'tree') return this.#lookAtTree(content);
    return type === 'commit' ? commitFault(content) : tagFault(content);
  }

  #lookAtTree(content: Uint8Array): Fault | null {
    this.#treeBytes += content.length;
    if (this.#treeBytes > BOUNDS.treeBytes) {
      throw this.#refusals.tooLarge(`its folders have more than ${BOUNDS.treeBytes} bytes together`);
    }
    return treeFault(content, ({ kind, oid, judged }) => {
      if (kind === 'submodule') return;
      this.#named(oid, kind === 'folder' ? 'tree' : 'blob');
      if (judged === null) return;
      const files = this.#files.get(oid) ?? new Set();
      this.#files.set(oid, files.add(judged));
    });
  }

  #nameOfCommit(content: Uint8Array): void {
    const { tree, parents } = parseCommit(content);
    // A commit without faults names a tree.
    if (tree !== null) this.#named(tree, 'tree');
    for (const parent of parents) this.#named(parent, 'commit');
  }
}
