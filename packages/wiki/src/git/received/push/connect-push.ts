import { throwIfCancelled } from '../../../contract/errors.ts';
import { parseCommit } from '../../../formats/commit.ts';
import { EMPTY_TREE, type ObjectType, type Oid } from '../../../formats/oid.ts';
import { kindOf, parseTree } from '../../../formats/tree.ts';
import { yielding } from '../../../scheduling/yielding.ts';
import type { ObjectReader, PushedCommit } from '../../../storage/storage.ts';
import { BOUNDS } from '../bounds.ts';
import { KnownTrees } from './known-trees.ts';
import type { ReceivedObjects } from './received-objects.ts';

/** An object that another one names. `guide` is the folder that the wiki has at its place. */
interface Named {
  oid: Oid;
  type: ObjectType;
  guide: Oid | null;
}

/**
 * Makes sure that everything that the new commits reach is in the push or reached by the wiki's own history. Copies
 * every other stored object into the push: a lost attempt may have left it, and then it goes at any time. Throws
 * `invalid_input` if an object is missing or is not what another one says of it.
 */
export async function connectPush(
  received: ReceivedObjects,
  stored: ObjectReader,
  commits: readonly PushedCommit[],
  head: Oid | null,
  signal?: AbortSignal,
): Promise<void> {
  const known = await KnownTrees.of(stored, boundaryOf(commits, head), signal);
  const connection = new Connection(received, known, signal);
  for (const { oid, content } of commits) {
    if (received.typeOf(oid) === undefined) await received.copy(oid, 'commit');
    const { tree } = parseCommit(content);
    if (tree !== null) await connection.walk([{ oid: tree, type: 'tree', guide: known.headTree }]);
  }
  await connection.settle();
}

/** The commits of the wiki on which the new ones rest, the head first. */
function boundaryOf(commits: readonly PushedCommit[], head: Oid | null): Set<Oid> {
  const isNew = new Set(commits.map(({ oid }) => oid));
  const boundary = new Set(head === null ? [] : [head]);
  for (const { content } of commits) {
    for (const parent of parseCommit(content).parents) if (!isNew.has(parent)) boundary.add(parent);
  }
  return boundary;
}

class Connection {
  readonly #received: ReceivedObjects;
  readonly #known: KnownTrees;
  readonly #signal: AbortSignal | undefined;
  readonly #yield = yielding();
  readonly #seen = new Map<Oid, ObjectType>();
  /** Neither in the push nor at the same place in the wiki. */
  #open = new Map<Oid, ObjectType>();

  constructor(received: ReceivedObjects, known: KnownTrees, signal: AbortSignal | undefined) {
    this.#received = received;
    this.#known = known;
    this.#signal = signal;
  }

  /** Walks through the objects of the push. */
  async walk(named: Named[]): Promise<void> {
    for (let next = named.pop(); next !== undefined; next = named.pop()) {
      const { oid, type, guide } = next;
      const found = this.#seen.get(oid) ?? this.#received.typeOf(oid) ?? this.#known.typeOf(oid);
      const expected = found ?? this.#open.get(oid) ?? type;
      if (expected !== type)
        throw this.#received.refusals.refusedObject(expected, oid, `another object names it as a ${type}`);
      if (found === undefined) this.#leaveOpen(oid, type);
      if (found === undefined || this.#seen.has(oid)) continue;
      this.#seen.set(oid, type);
      const tree = type === 'tree' ? this.#received.kept(oid) : undefined;
      if (tree !== undefined) for (const item of await this.#itemsOf(tree.content, guide)) named.push(item);
    }
  }

  /** Looks for the open ones elsewhere in the wiki's newest commits, and copies what is only stored. */
  async settle(): Promise<void> {
    while (this.#open.size > 0) {
      const open = this.#open;
      this.#open = new Map();
      await this.#known.search(open.keys());
      for (const [oid, type] of open) {
        if (this.#known.typeOf(oid) === undefined) await this.#received.copy(oid, type);
        await this.walk([{ oid, type, guide: null }]);
      }
    }
  }

  #leaveOpen(oid: Oid, type: ObjectType): void {
    // Git knows this tree even if it is not stored.
    if (oid === EMPTY_TREE) return;
    this.#open.set(oid, type);
    if (this.#open.size > BOUNDS.files)
      throw this.#received.refusals.broken(`it lacks objects that it names, such as ${oid}`);
  }

  async #itemsOf(content: Uint8Array, guide: Oid | null): Promise<Named[]> {
    throwIfCancelled(this.#signal);
    await this.#yield();
    const folders = guide === null ? NO_FOLDERS : await this.#known.foldersOf(guide);
    const items: Named[] = [];
    for (const entry of parseTree(content).entries) {
      const kind = kindOf(entry);
      if (kind === 'submodule') continue;
      if (kind !== 'folder') items.push({ oid: entry.oid, type: 'blob', guide: null });
      else items.push({ oid: entry.oid, type: 'tree', guide: folders.get(entry.name) ?? null });
    }
    return items;
  }
}

const NO_FOLDERS: ReadonlyMap<string, Oid> = new Map();
