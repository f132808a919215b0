import { expect, test } from 'vitest';
import { serializeCommit } from '../../../formats/commit.ts';
import { type ObjectType, type Oid, objectId } from '../../../formats/oid.ts';
import { encodePack } from '../../../formats/packs/pack.ts';
import { FOLDER_MODE, serializeTree, type TreeEntry } from '../../../formats/tree.ts';
import { mergePacks } from './combine-packs.ts';
import { readPackSource, type SourceEntry } from './pack-source.ts';
import { readingOrder } from './reading-order.ts';

const NO_PAUSE = () => undefined;

test('commits come first, then folders, then pages, each from the newest, with their paths there', async () => {
  const heap = new Heap();
  const first = heap.commit(heap.folder({ 'a.md': 'a1', deep: { 'b.md': 'b1', 'c.md': 'c1' } }), []);
  const one = heap.commit(heap.folder({ 'a.md': 'a2', deep: { 'b.md': 'b1', 'c.md': 'c1' } }), [first]);
  const two = heap.commit(heap.folder({ 'a.md': 'a1', deep: { 'b.md': 'b2', 'c.md': 'c1' } }), [first]);
  const merge = heap.commit(heap.folder({ 'a.md': 'a2', deep: { 'b.md': 'b2', 'c.md': 'c1' } }), [one, two]);
  const lonely = heap.add('blob', Buffer.from('in no tree'));
  const tag = heap.add('tag', Buffer.from(`object ${merge}\n`));
  // The order in which objects are stored does not count.
  for (const entries of [heap.entries(), heap.entries().toReversed()]) {
    const order = await readingOrder(new Map(entries.map((entry) => [entry.oid, entry])), NO_PAUSE);
    expect(order.map(({ entry }) => entry.oid).sort()).toEqual(entries.map(({ oid }) => oid).sort());
    const types = order.map(({ entry }) => entry.type);
    expect(types).toEqual([
      ...Array(4).fill('commit'),
      ...types.filter((type) => type === 'tree'),
      ...types.filter((type) => type === 'blob' || type === 'tag'),
    ]);
    const at = (oid: Oid) => order.findIndex(({ entry }) => entry.oid === oid);
    expect([at(merge), at(first)]).toEqual([0, 3]);
    const paths = new Map(order.map(({ entry, path }) => [String(entry.oid), path]));
    const blob = (text: string) => paths.get(objectId('blob', Buffer.from(text)));
    expect(['a1', 'a2', 'b1', 'b2', 'c1'].map(blob)).toEqual([
      '/a.md',
      '/a.md',
      '/deep/b.md',
      '/deep/b.md',
      '/deep/c.md',
    ]);
    expect([paths.get(lonely), paths.get(tag), paths.get(merge), paths.get(first)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(at(objectId('blob', Buffer.from('a2')))).toBeLessThan(at(objectId('blob', Buffer.from('a1'))));
    expect(at(objectId('blob', Buffer.from('b2')))).toBeLessThan(at(objectId('blob', Buffer.from('b1'))));
    const roots = order.filter(({ entry, path }) => entry.type === 'tree' && path === '');
    expect(roots).toHaveLength(4);
    expect(order.filter(({ path }) => path === '/deep')).toHaveLength(2);
    // A folder comes before its entries, in their order.
    const inNewest = order.filter(
      ({ path }) => path === '/deep/b.md' || path === '/deep/c.md' || path === '/a.md',
    );
    expect(order[4]?.path).toBe('');
    expect(inNewest.slice(0, 3).map(({ path }) => path)).toEqual(['/a.md', '/deep/b.md', '/deep/c.md']);
  }
});

test('trees of other packs are passed over in the reading order', async () => {
  const heap = new Heap();
  const gone = 'f'.repeat(40);
  const tip = heap.commit(gone, [gone]);
  const below = heap.commit(heap.folder({ 'a.md': 'a', 'b.md': 'b' }), ['e'.repeat(40), gone]);
  heap.drop(objectId('blob', Buffer.from('b')));
  const order = await readingOrder(new Map(heap.entries().map((entry) => [entry.oid, entry])), NO_PAUSE);
  expect(order.map(({ path }) => path)).toEqual([null, null, '', '/a.md']);
  expect(
    order
      .slice(0, 2)
      .map(({ entry }) => entry.oid)
      .sort(),
  ).toEqual([tip, below].sort());
});

test('a version is read through ten deltas at most, and each page is made again', async () => {
  const heap = new Heap();
  let tip: Oid[] = [];
  const lines = Array.from({ length: 60 }, (_, line) => `Line ${line} of a page that has many lines.`);
  for (let version = 0; version < 30; version += 1) {
    lines[version] = `Line ${version} is another one since.`;
    tip = [heap.commit(heap.folder({ 'a.md': lines.join('\n') }), tip)];
  }
  const { packBytes, indexBytes } = encodePack(heap.entries());
  const merged = await mergePacks([readPackSource('x', packBytes, indexBytes)]);
  const entries = new Map(
    readPackSource('y', merged.packBytes, merged.indexBytes).map((entry) => [entry.oid, entry]),
  );
  expect([...entries.keys()].sort()).toEqual(
    heap
      .entries()
      .map(({ oid }) => oid)
      .sort(),
  );
  const depthOf = (entry: SourceEntry | undefined): number =>
    entry?.delta ? 1 + depthOf(entries.get(entry.delta.base)) : 0;
  const depths = [...entries.values()].filter(({ type }) => type === 'blob').map(depthOf);
  expect(Math.max(...depths)).toBe(10);
  expect(depths.filter((depth) => depth === 0)).toHaveLength(1);
  // The newest is the whole one.
  expect(entries.get(objectId('blob', Buffer.from(lines.join('\n'))))?.delta).toBeNull();
});

type Contents = { [name: string]: string | Contents };

/** Objects as a merge reads them. */
class Heap {
  readonly #entries = new Map<Oid, SourceEntry>();
  #seconds = 1_700_000_000;

  add(type: ObjectType, content: Uint8Array): Oid {
    const oid = objectId(type, content);
    this.#entries.set(oid, { oid, type, content, compressed: content, delta: null });
    return oid;
  }

  folder(contents: Contents): Oid {
    const items = Object.entries(contents).map(
      ([name, content]): TreeEntry =>
        typeof content === 'string'
          ? { mode: '100644', name, oid: this.add('blob', Buffer.from(content)) }
          : { mode: FOLDER_MODE, name, oid: this.folder(content) },
    );
    return this.add('tree', serializeTree(items));
  }

  commit(tree: Oid, parents: Oid[]): Oid {
    this.#seconds += 1;
    const person = { name: 'A', email: 'a@example.org', seconds: this.#seconds, zone: '+0000' };
    return this.add(
      'commit',
      serializeCommit({ tree, parents, author: person, committer: person, message: 'm\n' }),
    );
  }

  drop(oid: Oid): void {
    this.#entries.delete(oid);
  }

  entries(): SourceEntry[] {
    return [...this.#entries.values()];
  }
}
