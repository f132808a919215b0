import { WikiError } from '../contract/errors.ts';
import type { FolderEntry, Snapshot, TreeEntry } from '../core/ports.ts';
import type { Oid } from '../storage/storage.ts';
import { decodeName, encodeName } from './names.ts';
import type { Objects, Tree } from './objects.ts';
import { fileMode, kindOf, type TreeItem } from './tree-format.ts';

/** The tree of a commit; of the empty wiki where `commit` is null. */
export async function snapshotOf(objects: Objects, commit: Oid | null): Promise<Snapshot> {
  if (commit === null) return emptySnapshot(objects);
  return new TreeSnapshot(objects, commit, (await objects.commit(commit)).tree);
}

function emptySnapshot(objects: Objects): Snapshot {
  return {
    commit: null,
    entry: async () => null,
    folder: async (path) => (path === '' ? [] : null),
    async *files() {},
    blob: (oid) => findContent(objects, oid),
  };
}

class TreeSnapshot implements Snapshot {
  readonly commit: Oid;
  readonly #objects: Objects;
  readonly #root: Oid;

  constructor(objects: Objects, commit: Oid, root: Oid) {
    this.#objects = objects;
    this.commit = commit;
    this.#root = root;
  }

  async entry(path: string): Promise<TreeEntry | null> {
    const slash = path.lastIndexOf('/');
    const tree = await this.#findFolder(slash < 0 ? '' : path.slice(0, slash));
    const item = tree?.find(encodeName(path.slice(slash + 1)));
    if (!item || kindOf(item) !== 'file') return null;
    return { path, oid: item.oid, mode: fileMode(item) };
  }

  async folder(path: string): Promise<FolderEntry[] | null> {
    const tree = await this.#findFolder(path);
    if (tree === null) return null;
    return tree.items.flatMap((item) => {
      const name = decodeName(item.name);
      return name === null ? [] : [{ name, kind: kindOf(item), oid: item.oid }];
    });
  }

  async *files(folder = ''): AsyncIterable<TreeEntry> {
    const root = await this.#findFolder(folder);
    if (root === null) return;
    const open = [iterate(folder === '' ? '' : `${folder}/`, root)];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const { value: item, done } = top.items.next();
      if (done) {
        open.pop();
        continue;
      }
      const name = decodeName(item.name);
      if (name === null) continue;
      const path = top.prefix + name;
      const kind = kindOf(item);
      if (kind === 'file') yield { path, oid: item.oid, mode: fileMode(item) };
      if (kind === 'folder') open.push(iterate(`${path}/`, await this.#objects.tree(item.oid)));
    }
  }

  blob(oid: Oid): Promise<Uint8Array> {
    return findContent(this.#objects, oid);
  }

  async #findFolder(path: string): Promise<Tree | null> {
    let tree = await this.#objects.tree(this.#root);
    if (path === '') return tree;
    for (const part of path.split('/')) {
      const item = tree.find(encodeName(part));
      if (!item || kindOf(item) !== 'folder') return null;
      tree = await this.#objects.tree(item.oid);
    }
    return tree;
  }
}

function iterate(prefix: string, tree: Tree): { prefix: string; items: Iterator<TreeItem, undefined> } {
  return { prefix, items: tree.items.values() };
}

/** Also asked for versions that a caller made up, so that it may well not be there. */
async function findContent(objects: Objects, oid: Oid): Promise<Uint8Array> {
  const content = await objects.findBlob(oid);
  if (content !== null) return content;
  throw new WikiError('not_found', {
    happened: `The repository holds no content with the id ${oid}.`,
    now: 'Nothing was changed.',
    next: 'Read the page again and use the version that it has now.',
  });
}

/** What is thrown for a commit id that nobody has. */
export function commitNotFound(commit: string): WikiError {
  return new WikiError(
    'not_found',
    {
      happened: `There is no commit ${commit} in this wiki.`,
      now: 'Nothing was changed.',
      next: 'Take a commit from get_history.',
    },
    { commit },
  );
}
