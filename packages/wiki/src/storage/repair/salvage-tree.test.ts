import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type GitObject, type Oid, objectId } from '../../formats/oid.ts';
import { FOLDER_MODE, serializeTree, type TreeEntry } from '../../formats/tree.ts';
import { openTransaction } from '../commits/transaction.ts';
import { OidList } from '../maintenance/oid-list.ts';
import { OutOfTime, Run, type RunMemory } from '../maintenance/run.ts';
import type { ObjectReader } from '../storage.ts';
import { StorageError } from '../storage-error.ts';
import { entriesOf, openSalvage } from './salvage-tree.ts';
import { openSoundness } from './soundness.ts';

/** Versions of a wiki of four pages: the number of each page's text, 0 if there is no such page. */
const VERSIONS = fc.array(fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }), {
  minLength: 1,
  maxLength: 6,
});
/** A call gets as deep as the deepest page, or the next one begins where it began. */
const MIN_STEPS = 5;
const COMMIT = 'c'.repeat(40);
const TEXT_MODE = '100644';

it('keeps of each page the newest version that can be read, in calls of any length', async () => {
  const lost = fc.array(fc.nat(60), { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(
      VERSIONS,
      lost,
      fc.integer({ min: MIN_STEPS, max: 12 }),
      async (versions, lostPlaces, steps) => {
        const { objects, roots } = historyOf(versions, lostPlaces);
        const expected = await simplySalvaged(objects, roots);
        const memory: RunMemory = { slots: {}, lists: {} };
        for (let calls = 1; ; calls += 1) {
          const found = await inOneCall(objects, roots, memory, steps);
          if (found !== null) {
            expect(found).toEqual(expected);
            return;
          }
          expect(calls).toBeLessThan(500);
          memory.slots = JSON.parse(JSON.stringify(memory.slots));
          for (const [name, { bytes }] of Object.entries(memory.lists))
            memory.lists[name] = OidList.from(bytes);
        }
      },
    ),
    { numRuns: 500 },
  );
});

it('reads each older version of a folder once for all of its lost pages', async () => {
  const texts = Array.from({ length: 50 }, (_, version) => [
    1 + (version % 3),
    1 + (version % 2),
    version + 1,
    1,
  ]);
  const { objects, roots, oids } = historyOf(texts, []);
  const lost = new Set([1, 2, 3, 4].map((text) => objectId('blob', Buffer.from(`${text}`))));
  let reads = 0;
  const counting: ObjectReader = {
    read(oid) {
      if (lost.has(oid)) throw new StorageError('missing_object', 'It is lost.');
      if (!oids.has(oid)) throw new Error('There is no such object.');
      reads += 1;
      return objects.read(oid);
    },
  };
  await inOneCall(counting, roots, { slots: {}, lists: {} }, Number.POSITIVE_INFINITY);
  expect(reads).toBeLessThan(2 * oids.size + roots.length);
});

it('gives no page up because an older version of its folder cannot be read at the moment', async () => {
  // The newest text of the first page is lost.
  const { objects, roots } = historyOf(
    [
      [2, 0, 0, 0],
      [1, 0, 0, 0],
    ],
    [0],
  );
  expect(roots).toHaveLength(2);
  const failing: ObjectReader = {
    async read(oid) {
      if (oid === roots[1]) throw new StorageError('io_error', 'The disk failed.');
      return objects.read(oid);
    },
  };
  const salvaging = inOneCall(failing, roots, { slots: {}, lists: {} }, Number.POSITIVE_INFINITY);
  await expect(salvaging).rejects.toMatchObject({ code: 'io_error' });
});

/** Null if the call came to its end before. */
async function inOneCall(objects: ObjectReader, roots: readonly Oid[], memory: RunMemory, steps: number) {
  let left = steps;
  const goOn = () => {
    left -= 1;
    return left >= 0;
  };
  const run = new Run({ memory, goOn, checkpoint: () => undefined });
  const reports: string[] = [];
  const salvage = openSalvage({
    run,
    soundness: openSoundness(run, objects),
    transaction: openTransaction(objects, []),
    commit: COMMIT,
    report: (path, kept) => reports.push(`${path}: ${kept}`),
  });
  const [newest = '', ...older] = roots;
  try {
    return { tree: await salvage(newest, older, ''), reports };
  } catch (error) {
    if (error instanceof OutOfTime) return null;
    throw error;
  }
}

/** Does the same for each lost entry on its own, in one call. */
async function simplySalvaged(objects: ObjectReader, [newest = '', ...older]: readonly Oid[]) {
  const run = Run.toItsEnd();
  const [soundness, transaction] = [openSoundness(run, objects), openTransaction(objects, [])];
  const reports: string[] = [];
  const report = (path: string, kept: string) => reports.push(`${path}: ${kept}`);
  const isSound = (oid: Oid, path: string) => soundness.isSound(oid, path, COMMIT);

  async function salvaged(oid: Oid, before: readonly Oid[], path: string): Promise<Oid | null> {
    if (await isSound(oid, path)) return oid;
    const entries = await entriesOf(transaction, oid);
    if (entries === null) return salvagedOlder(before, path);
    const saved: TreeEntry[] = [];
    for (const entry of entries) {
      const found = await salvagedEntry(entry, before, path === '' ? entry.name : `${path}/${entry.name}`);
      if (found) saved.push(found);
    }
    return transaction.write('tree', serializeTree(saved));
  }

  async function salvagedOlder([next, ...rest]: readonly Oid[], path: string): Promise<Oid | null> {
    const kept = next === undefined ? null : await salvaged(next, rest, path);
    if (next === undefined) report(path, 'nothing');
    else if (await entriesOf(transaction, next)) report(path, 'older version');
    return kept;
  }

  async function salvagedEntry(entry: TreeEntry, folders: readonly Oid[], path: string) {
    if (await isSound(entry.oid, path)) return entry;
    const versions = new Map<Oid, TreeEntry>();
    for (const folder of folders) {
      const found = (await entriesOf(transaction, folder))?.find(({ name }) => name === entry.name);
      if (found && !versions.has(found.oid)) versions.set(found.oid, found);
    }
    if (entry.mode === FOLDER_MODE) {
      const oid = await salvaged(entry.oid, [...versions.keys()], path);
      return oid === null ? null : { ...entry, oid };
    }
    for (const version of versions.values()) {
      if (!(await isSound(version.oid, path))) continue;
      report(path, 'older version');
      return version;
    }
    report(path, 'nothing');
    return null;
  }

  const tree = await salvaged(newest, older, '');
  // It reports a folder once for each of its versions that is lost.
  return { tree, reports: [...new Set(reports)] };
}

/** Root trees, newest first. The objects at the lost places cannot be read, unless they are root trees. */
function historyOf(versions: readonly number[][], lostPlaces: readonly number[]) {
  const objects = new Map<Oid, GitObject>();
  const write = (type: GitObject['type'], content: Uint8Array) => {
    const oid = objectId(type, content);
    objects.set(oid, { type, content });
    return oid;
  };
  const page = (name: string, text = 0): TreeEntry[] =>
    text === 0 ? [] : [{ name, mode: TEXT_MODE, oid: write('blob', Buffer.from(`${text}`)) } as TreeEntry];
  const folder = (name: string, entries: TreeEntry[]): TreeEntry[] =>
    entries.length === 0
      ? []
      : [{ name, mode: FOLDER_MODE, oid: write('tree', serializeTree(entries)) } as TreeEntry];
  const roots = versions.map(([a, b, c, d]) =>
    write(
      'tree',
      serializeTree([
        ...page('a', a),
        ...folder('f', [...page('b', b), ...folder('g', page('c', c))]),
        ...page('h', d),
      ]),
    ),
  );
  const others = [...objects.keys()].filter((oid) => !roots.includes(oid));
  const lost = new Set(lostPlaces.map((place) => others[place]));
  const reader: ObjectReader = {
    async read(oid) {
      const object = lost.has(oid) ? undefined : objects.get(oid);
      if (!object) throw new StorageError('missing_object', `Object ${oid} is not in the repository.`);
      return object;
    },
  };
  return { objects: reader, roots: [...new Set(roots)], oids: new Set(objects.keys()) };
}
