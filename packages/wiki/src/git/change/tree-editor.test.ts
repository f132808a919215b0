import { expect, test } from 'vitest';
import { slowness } from '../../../test/machine-speed.ts';
import { serializeTree, type TreeEntry } from '../../formats/tree.ts';
import { openTransaction } from '../../storage/commits/transaction.ts';
import type { ObjectReader, Transaction } from '../../storage/storage.ts';
import { Objects } from '../objects.ts';
import { TreeEditor } from './tree-editor.ts';

test('changing all pages of a large folder does not cost the square of their number', async () => {
  const before = slowness();
  const used = await leastTime(16_000);
  // A search through all items for each of them took 590 ms.
  expect(used / Math.max(before, slowness())).toBeLessThan(10 * USUAL_MS);
});

test('if a damaged folder has several items of one name, the first one is always read and changed', async () => {
  const transaction = openTransaction(nothing, []);
  const twice = [
    item('a.md', '1'),
    item('a.md', '2'),
    ...['b', 'c', 'd', 'e', 'f'].map((name) => item(name, '3')),
  ];
  const base = await transaction.write('tree', serializeTree(twice));
  const objects = objectsOf(transaction);
  const editor = new TreeEditor(objects, base);
  await editor.set(['a.md'], item('a.md', '4'));
  const tree = await objects.tree(await editor.write((content) => transaction.write('tree', content)));
  for (const name of ['a.md', 'b', 'c', 'd', 'e', 'f']) expect(tree.find(name)).toBeDefined();
  expect(tree.find('a.md')).toEqual(item('a.md', '4'));
});

test('a folder that is too large for the cache is read once for any number of changes in it', async () => {
  const transaction = openTransaction(nothing, []);
  const items = Array.from({ length: 200 }, (_, page) => item(`page-${page}`, '1'));
  const base = await transaction.write('tree', serializeTree(items.toSorted(byName)));
  let reads = 0;
  const counting: ObjectReader = {
    read: (oid) => {
      reads += 1;
      return transaction.read(oid);
    },
  };
  const editor = new TreeEditor(new Objects(counting, 1_000), base);
  await Promise.all(items.map(({ name }) => editor.set([name], item(name, '2'))));
  await editor.write((content) => transaction.write('tree', content));
  expect(reads).toBe(1);
});

test('a folder without pages gives way to a file, and one with another page does not', async () => {
  const transaction = openTransaction(nothing, []);
  const editor = new TreeEditor(objectsOf(transaction), null);
  await editor.set(['f', 'one.md'], item('one.md', '1'));
  await editor.set(['f', 'deep', 'two.md'], item('two.md', '2'));
  const file = () => editor.set(['f'], item('f', '3'));
  expect(await file()).toEqual({ path: ['f'], found: 'folder' });
  await editor.remove(['f', 'one.md']);
  expect(await file()).toEqual({ path: ['f'], found: 'folder' });
  await editor.remove(['f', 'deep', 'two.md']);
  expect(await file()).toBeNull();
  expect(await editor.get(['f'])).toEqual(item('f', '3'));
  expect(await editor.set(['f', 'x.md'], item('x.md', '4'))).toEqual({ path: ['f'], found: 'file' });
  // The same of a folder that is stored: every page of it must go.
  const oid = await editor.write((content) => transaction.write('tree', content));
  const stored = new TreeEditor(objectsOf(transaction), oid);
  await stored.remove(['f']);
  await stored.set(['g', 'a.md'], item('a.md', '5'));
  await stored.set(['g', 'b.md'], item('b.md', '6'));
  const again = await stored.write((content) => transaction.write('tree', content));
  const last = new TreeEditor(objectsOf(transaction), again);
  await last.remove(['g', 'a.md']);
  expect(await last.set(['g'], item('g', '7'))).toEqual({ path: ['g'], found: 'folder' });
  await last.remove(['g', 'b.md']);
  expect(await last.set(['g'], item('g', '7'))).toBeNull();
});

test('a removal of a missing page changes nothing, also if its folder is a file', async () => {
  const transaction = openTransaction(nothing, []);
  const editor = new TreeEditor(objectsOf(transaction), null);
  await editor.set(['a'], item('a', '1'));
  await editor.remove(['a', 'in', 'it.md']);
  await editor.remove(['b', 'it.md']);
  expect(await editor.get(['a'])).toEqual(item('a', '1'));
  const tree = await editor.write((content) => transaction.write('tree', content));
  expect((await objectsOf(transaction).tree(tree)).items).toEqual([item('a', '1')]);
});

function byName(one: TreeEntry, other: TreeEntry): number {
  return one.name < other.name ? -1 : 1;
}

/** Usual time for 16,000 pages on an idle machine. */
const USUAL_MS = 20;

/** Milliseconds of processor time: the least of three. */
async function leastTime(pages: number): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const transaction = openTransaction(nothing, []);
    const items = Array.from({ length: pages }, (_, page) =>
      item(`page-${String(page).padStart(6, '0')}.md`, '1'),
    );
    const editor = new TreeEditor(
      objectsOf(transaction),
      await transaction.write('tree', serializeTree(items)),
    );
    for (const { name } of items) await editor.set([name], item(name, '2'));
    const began = process.threadCpuUsage();
    await editor.write((content) => transaction.write('tree', content));
    const { user, system } = process.threadCpuUsage(began);
    times.push((user + system) / 1_000);
  }
  return Math.min(...times);
}

const nothing: ObjectReader = {
  read: async (oid) => {
    throw new Error(`There is no ${oid}.`);
  },
};

function objectsOf(transaction: Transaction): Objects {
  return new Objects(transaction, 2 ** 26);
}

function item(name: string, digit: string): TreeEntry {
  return { mode: '100644', name, oid: digit.repeat(40) };
}
