import { parseCommit } from '../objects/commit-text.ts';
import { parseTree, readablePath, SUBMODULE_MODE } from '../objects/tree-text.ts';
import type { ObjectReader, Oid } from '../storage.ts';
import { isLost } from '../storage-error.ts';

/** An object that cannot be read, and where it was first missed. */
export interface UnsoundObject {
  oid: Oid;
  /** `''` for a commit, or the folder of all. */
  path: string;
  commit: Oid;
  /** What is wrong, in plain words. */
  reason: string;
}

/** Reads objects to see whether they are all there, each once. */
export interface Soundness {
  /** Whether a commit, its history and all that they hold are there. */
  isComplete(commit: Oid): Promise<boolean>;
  /** Whether an object and all below it are there. */
  isSound(oid: Oid, path: string, commit: Oid): Promise<boolean>;
  readonly unsound: readonly UnsoundObject[];
  commitsRead(): number;
  objectsRead(): number;
}

export function openSoundness(objects: ObjectReader): Soundness {
  const complete = new Set<Oid>();
  const incomplete = new Set<Oid>();
  /** By oid: whether the object and all below it are there. */
  const known = new Map<Oid, boolean>();
  const unsound: UnsoundObject[] = [];

  async function isComplete(commit: Oid): Promise<boolean> {
    const reached = new Set([commit]);
    let all = true;
    for (const oid of reached) {
      if (complete.has(oid)) continue;
      const content = incomplete.has(oid) ? null : await read(oid, '', oid);
      if (content === null) {
        all = false;
        continue;
      }
      const { tree, parents } = parseCommit(content);
      for (const parent of parents) reached.add(parent);
      if (!(await isSound(tree, '', oid))) all = false;
    }
    if (!all) incomplete.add(commit);
    else for (const oid of reached) complete.add(oid);
    return all;
  }

  async function isSound(oid: Oid, path: string, commit: Oid): Promise<boolean> {
    const before = known.get(oid);
    if (before !== undefined) return before;
    const object = await readObject(oid, path, commit);
    let sound = object !== null;
    if (object?.type === 'tree') {
      for (const entry of parseTree(object.content)) {
        if (entry.mode === SUBMODULE_MODE) continue;
        const below = path === '' ? entry.name : `${path}/${entry.name}`;
        if (!(await isSound(entry.oid, below, commit))) sound = false;
      }
    }
    known.set(oid, sound);
    return sound;
  }

  async function read(oid: Oid, path: string, commit: Oid): Promise<Uint8Array | null> {
    return (await readObject(oid, path, commit))?.content ?? null;
  }

  async function readObject(oid: Oid, path: string, commit: Oid) {
    try {
      return await objects.read(oid);
    } catch (error) {
      if (!isLost(error)) throw error;
      if (!unsound.some((found) => found.oid === oid)) {
        unsound.push({ oid, path: readablePath(path), commit, reason: error.message });
      }
      return null;
    }
  }

  return {
    isComplete,
    isSound,
    unsound,
    commitsRead: () => complete.size,
    objectsRead: () => known.size,
  };
}
