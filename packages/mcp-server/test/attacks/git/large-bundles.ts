import { randomBytes } from 'node:crypto';
import { BOUNDS } from '../../../../wiki/src/git/received/bounds.ts';
import {
  bundleOfPack,
  entryLength,
  lengthBytes,
  ObjectHeap,
  packOf,
  type RawEntry,
} from '../../../../wiki/test/git-input/bundles.ts';
import { everyAttack } from '../large-wikis/attacks-config.ts';

/** Bundles that test memory or time: just below the limit, and far above it. */
export const largeBundles: Record<string, [make: () => Buffer, answers: readonly string[]]> = {
  '16 files of 49 MB in 800 kB': [() => withFiles(16), ['too_large']],
  'six files of 49 MB in 300 kB': [() => withFiles(6), ['too_large']],
  'four files of 49 MB in 200 kB': [() => withFiles(4), ['ok']],
  '99 MB that cannot be compressed': [
    () => withEntries([incompressible(50_000_000), incompressible(49_000_000)]),
    ['ok'],
  ],
  '110 MB that cannot be compressed': [
    () => withEntries([50, 50, 10].map((size) => incompressible(size * 1_000_000))),
    ['too_large'],
  ],
  'a file of 39 MB and two deltas as long': [() => withLongDeltas(39_000_000, 2), ['ok']],
  'blocks of nothing, 90 MB of them, in a file of six bytes': [
    () => withEntries([{ kind: 'blob', content: Buffer.from('small\n'), emptyBlocks: 18_000_000 }]),
    ['invalid_input'],
  ],
  'six commits of 20,000 parents, and one that names them 20,000 times': [
    () => manyParents(20_000),
    ['too_large'],
  ],
  'six commits of 1,000 parents, and one that names them 1,000 times': [() => manyParents(1_000), ['ok']],
  'submodules with 900,000 spaces in a line': [spacedSubmodules, ['invalid_input']],
  '20 folders of 50,000 names that begin with a dot': [() => dottedFolders(20), ['ok']],
  'a folder of 460 names of 4,000 spaces': [() => spacedNames(460), ['ok']],
  ...(everyAttack && {
    '95 folders of 2 MB': [() => largeFolders(95), ['too_large']],
    '75 folders of 2 MB': [() => largeFolders(75), ['ok']],
  }),
  '190 tags of 1 MB of line feeds': [() => largeTags(190), ['ok', 'invalid_input']],
  'as many objects as may be, a third of them commits': [() => bundleOfCommits(BOUNDS.objects), ['ok']],
};

function withFiles(count: number): Buffer {
  return withEntries(Array.from({ length: count }, (_, at) => zeros(49_000_000, at)));
}

/** Deltas that copy nothing from their base. */
function withLongDeltas(bytes: number, count: number): Buffer {
  const base = zeros(bytes, 1);
  const entries = [base];
  let distance = entryLength(base);
  for (let mark = 2; mark < count + 2; mark += 1) {
    const insertions = Buffer.alloc((bytes / INSERTED) * (INSERTED + 1), mark);
    for (let at = 0; at < insertions.length; at += INSERTED + 1) insertions[at] = INSERTED;
    const content = Buffer.concat([lengthBytes(bytes), lengthBytes(bytes), insertions]);
    const entry: RawEntry = { kind: 'offset_delta', content, distance };
    entries.push(entry);
    distance += entryLength(entry);
  }
  return withEntries(entries);
}

/** An instruction of a delta inserts 127 bytes at most; this many divide 39 MB. */
const INSERTED = 125;

/** One page, in as many versions as this number of objects allows. */
export function bundleOfCommits(objects: number): Buffer {
  const heap = new ObjectHeap();
  let tip: string | null = null;
  while (heap.objects.length + 3 <= objects) {
    const page = heap.add('blob', `page ${heap.objects.length}\n`);
    tip = heap.commit(heap.tree([['100644', 'Home.md', page]]), tip === null ? [] : [tip]);
  }
  return heap.bundle(tip ?? '');
}

function manyParents(count: number): Buffer {
  const heap = new ObjectHeap();
  const tree = heap.tree([['100644', 'Home.md', heap.add('blob', '# Home\n')]]);
  const root = heap.commit(tree);
  const wide = Array.from({ length: 6 }, (_, at) =>
    heap.commit(tree, Array<string>(count).fill(root), { message: `${at}\n` }),
  );
  return heap.bundle(
    heap.commit(
      tree,
      Array.from({ length: count }, (_, at) => wide[at % wide.length] ?? ''),
    ),
  );
}

/** Folders that no commit names are judged too. */
function dottedFolders(count: number): Buffer {
  const heap = new ObjectHeap();
  const page = heap.add('blob', '');
  for (let folder = 0; folder < count; folder += 1) {
    const names = Array.from({ length: 50_000 }, (_, at) => `.${folder}${`${at}`.padStart(5, '0')}`);
    heap.tree(names.map((name) => ['100644', name, page]));
  }
  return heap.bundle(heap.commit(heap.tree([['100644', 'Home.md', page]])));
}

function largeFolders(count: number): Buffer {
  const heap = new ObjectHeap();
  const page = heap.add('blob', '');
  for (let folder = 0; folder < count; folder += 1) {
    const names = Array.from({ length: 55_000 }, (_, at) => `n${`${folder}`.padStart(2, '0')}${10_000 + at}`);
    heap.tree(names.map((name) => ['100644', name, page]));
  }
  return heap.bundle(heap.commit(heap.tree([['100644', 'Home.md', page]])));
}

function largeTags(count: number): Buffer {
  const heap = new ObjectHeap();
  const tip = heap.commit(heap.tree([['100644', 'Home.md', heap.add('blob', '# Home\n')]]));
  const lines = '\n'.repeat(999_000);
  for (let at = 0; at < count; at += 1) {
    heap.add('tag', `object ${tip}\ntype commit\ntag t${at}\ntagger A <a@b.c> 1700000000 +0000\n${lines}`);
  }
  return heap.bundle(tip);
}

function spacedSubmodules(): Buffer {
  const heap = new ObjectHeap();
  const modules = heap.add('blob', `[submodule "a"]\n\tpath = a\n\turl =${' '.repeat(900_000)}"\n`);
  return heap.bundle(heap.commit(heap.tree([['100644', '.gitmodules', modules]])));
}

function spacedNames(count: number): Buffer {
  const heap = new ObjectHeap();
  const page = heap.add('blob', '');
  const names = Array.from({ length: count }, (_, at) => `${`${at}`.padStart(5, '0')}~${' '.repeat(4_000)}x`);
  return heap.bundle(heap.commit(heap.tree(names.map((name) => ['100644', name, page]))));
}

function withEntries(more: readonly RawEntry[]): Buffer {
  const heap = new ObjectHeap();
  const tip = heap.commit(heap.tree([['100644', 'Home.md', heap.add('blob', '# Home\n')]]));
  const entries = heap.objects.map(({ type, content }): RawEntry => ({ kind: type, content }));
  return bundleOfPack(tip, packOf([...entries, ...more]));
}

function incompressible(bytes: number): RawEntry {
  return { kind: 'blob', content: randomBytes(bytes), level: 0 };
}

function zeros(bytes: number, mark: number): RawEntry {
  const content = Buffer.alloc(bytes);
  content[0] = mark;
  return { kind: 'blob', content };
}
