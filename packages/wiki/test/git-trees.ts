import fc from 'fast-check';
import { encodeName, type Name } from '../src/formats/names.ts';
import { git, gitBytes } from './native-git.ts';

/** A tree as a flat list: what `git ls-tree -r` shows. Names are bytes, as in src/git/names.ts. */
export type FlatTree = Map<string, FlatItem>;

export interface FlatItem {
  path: readonly Name[];
  mode: string;
  /** Content of a file or a symbolic link; a submodule names the commit of this content's hash. */
  content: string;
}

/** Few names, so that trees clash, share folders and sort in all of git's odd ways. */
const names = fc.constantFrom('a', 'a.md', 'a-b', 'a0', 'b', 'Ö', '日本.md', '\xff\xfe', 'z z').map(toName);
const modes = fc.constantFrom('100644', '100644', '100644', '100755', '120000', '160000');

/** Trees up to three folders deep. If a path of one item is a folder of another, the earlier item stays. */
export const flatTrees: fc.Arbitrary<FlatTree> = fc
  .array(
    fc.record({
      path: fc.array(names, { minLength: 1, maxLength: 4 }),
      mode: modes,
      content: fc.constantFrom('one\n', 'two\n', 'three\n'),
    }),
    { maxLength: 25 },
  )
  .map(withoutClashes);

function withoutClashes(items: readonly FlatItem[]): FlatTree {
  const tree: FlatTree = new Map();
  const folders = new Set<string>();
  for (const item of items) {
    const above = item.path.slice(1).map((_, depth) => keyOf(item.path.slice(0, depth + 1)));
    if (tree.has(keyOf(item.path)) || folders.has(keyOf(item.path))) continue;
    if (above.some((folder) => tree.has(folder))) continue;
    tree.set(keyOf(item.path), item);
    for (const folder of above) folders.add(folder);
  }
  return tree;
}

/** The same tree with a few items changed, removed and added. */
export function editedTree(tree: FlatTree): fc.Arbitrary<FlatTree> {
  const edit = fc.record({ place: fc.nat(), content: fc.constantFrom('one\n', 'two\n', 'new\n', null) });
  return fc.tuple(fc.array(edit, { maxLength: 3 }), flatTrees).map(([edits, more]) => {
    const edited = new Map(tree);
    for (const { place, content } of edits) {
      const item = [...tree.values()][place % Math.max(1, tree.size)];
      if (item && content === null) edited.delete(keyOf(item.path));
      else if (item && content !== null) edited.set(keyOf(item.path), { ...item, content });
    }
    return withoutClashes([...edited.values(), ...[...more.values()].slice(0, 2)]);
  });
}

export function keyOf(path: readonly Name[]): string {
  return path.join('/');
}

/** Has native git write the tree into a repository, and returns its oid. */
export function writeTree(directory: string, tree: FlatTree): string {
  const env = { GIT_INDEX_FILE: `${directory}/index-of-test` };
  const contents = [...new Set([...tree.values()].map(({ content }) => content))];
  const oids = new Map(
    contents.map((content) => [content, git(directory, ['hash-object', '-w', '--stdin'], content)]),
  );
  const lines = [...tree.values()].map(
    ({ path, mode, content }) => `${mode} ${oids.get(content)}\t${keyOf(path)}\0`,
  );
  gitBytes(directory, ['read-tree', '--empty'], { env });
  const input = Buffer.from(lines.join(''), 'latin1');
  gitBytes(directory, ['update-index', '-z', '--index-info'], { env, input });
  return gitBytes(directory, ['write-tree'], { env }).toString().trim();
}

function toName(text: string): Name {
  return text === '\xff\xfe' ? text : encodeName(text);
}
