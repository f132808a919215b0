import { parseCommit } from '../../formats/commit.ts';
import { readableName } from '../../formats/names.ts';
import type { Oid } from '../../formats/oid.ts';
import { parseTree, SUBMODULE_MODE } from '../../formats/tree.ts';
import type { OidList } from '../maintenance/oid-list.ts';
import { NOT_SOUND, type Run, SOUND } from '../maintenance/run.ts';
import type { JudgeObject, ObjectReader } from '../storage.ts';
import { isLost, isTooLarge } from '../storage-error.ts';

/** An object that is damaged or missing, and the first place that refers to it. */
export interface UnsoundObject {
  oid: Oid;
  /** `''` for a commit or the root tree. */
  path: string;
  commit: Oid;
  /** The damage, in plain words. */
  reason: string;
}

/** Reads objects to verify that all of them exist, each once in a run. Methods throw OutOfTime. */
export interface Soundness {
  /** True if a commit, its history and all their objects exist. */
  isComplete(commit: Oid): Promise<boolean>;
  /** True if an object and everything below it exist. */
  isSound(oid: Oid, path: string, commit: Oid): Promise<boolean>;
  /** The objects that cannot be read. */
  readonly unsound: readonly UnsoundObject[];
  /** The first existing objects that git would refuse or that are too large to be read. */
  readonly refused: readonly UnsoundObject[];
  commitsRead(): number;
  objectsRead(): number;
}

/** A walk back from a commit: the commits before this position were examined. */
interface Walk {
  commit: Oid;
  at: number;
  all: boolean;
}

export function openSoundness(run: Run, objects: ObjectReader, judge: JudgeObject = () => null): Soundness {
  const complete = run.list('complete');
  const incomplete = run.list('incomplete');
  /** Objects that exist with everything below them, and the others. */
  const sound = run.list(SOUND);
  const notSound = run.list(NOT_SOUND);
  const unsound = run.slot<UnsoundObject[]>('unsound', []).value;
  const refused = run.slot<UnsoundObject[]>('refused', []).value;
  const walk = run.slot<Walk | null>('walk', null);

  async function isComplete(commit: Oid): Promise<boolean> {
    const goesOn = walk.value?.commit === commit;
    const reached = goesOn ? run.list('walked') : run.clear('walked', [commit]);
    const state = (goesOn && walk.value) || { commit, at: 0, all: true };
    walk.value = state;
    for (; state.at < reached.size; state.at += 1) {
      const oid = reached.at(state.at) as Oid;
      if (!complete.has(oid) && !(await isWhole(oid, reached))) state.all = false;
    }
    if (!state.all) incomplete.add(commit);
    else for (const oid of reached) complete.add(oid);
    walk.value = null;
    return state.all;
  }

  /** True if a commit exists with its tree. Adds its parents to `reached`. */
  async function isWhole(commit: Oid, reached: OidList): Promise<boolean> {
    const object = incomplete.has(commit) ? null : await readObject(commit, '', commit);
    if (object === null) return false;
    const { tree, parents } = parseCommit(object.content);
    for (const parent of parents) reached.add(parent);
    // A commit that is not read, or that git would refuse, names no tree.
    return tree === null || isSound(tree, '', commit);
  }

  async function isSound(oid: Oid, path: string, commit: Oid): Promise<boolean> {
    if (sound.has(oid)) return true;
    if (notSound.has(oid)) return false;
    const object = await readObject(oid, path, commit);
    const isAllSound =
      object !== null && (object.type !== 'tree' || (await areEntriesSound(object.content, path, commit)));
    (isAllSound ? sound : notSound).add(oid);
    return isAllSound;
  }

  /** Reads all entries, as each one that is not sound is reported. */
  async function areEntriesSound(tree: Uint8Array, path: string, commit: Oid): Promise<boolean> {
    let areAllSound = true;
    for (const entry of parseTree(tree).entries) {
      if (entry.mode === SUBMODULE_MODE) continue;
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      if (!(await isSound(entry.oid, below, commit))) areAllSound = false;
    }
    return areAllSound;
  }

  async function readObject(oid: Oid, path: string, commit: Oid) {
    await run.step();
    try {
      const object = await objects.read(oid);
      const reason = judge(oid, object, path);
      if (reason !== null) refuse({ oid, path: readableName(path), commit, reason });
      return object;
    } catch (error) {
      if (isTooLarge(error)) {
        refuse({ oid, path: readableName(path), commit, reason: error.message });
        return NOT_READ;
      }
      if (!isLost(error)) throw error;
      if (!unsound.some((found) => found.oid === oid)) {
        unsound.push({ oid, path: readableName(path), commit, reason: error.message });
      }
      return null;
    }
  }

  function refuse(object: UnsoundObject): void {
    if (refused.length === MAX_REFUSED || refused.some(({ oid }) => oid === object.oid)) return;
    refused.push(object);
  }

  return {
    isComplete,
    isSound,
    unsound,
    refused,
    commitsRead: () => complete.size,
    objectsRead: () => sound.size + notSound.size,
  };
}

/**
 * Stands for an object that exists but is too large to be read: the walk does not enter such a large folder.
 */
const NOT_READ = { type: 'blob', content: new Uint8Array() } as const;
/** Each version of a folder with one wrong name is another object. */
const MAX_REFUSED = 200;
