import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { bareRepository, git, temporaryDirectory } from '../../../test/native-git.ts';
import { allObjects, nativeWiki } from '../../../test/storage/native-wiki.ts';
import { LARGE_CACHE, NO_CACHE, openStore } from '../../../test/storage/stores.ts';

const layouts: Record<string, (directory: string) => void> = {
  'deltas of great depth': (directory) => {
    git(directory, ['repack', '-adfq', '--depth=50', '--window=50']);
  },
  'deltas that name their base by its oid': (directory) => {
    git(directory, ['-c', 'repack.useDeltaBaseOffset=false', 'repack', '-adfq', '--depth=50', '--window=50']);
  },
  'several packs beside a multi-pack-index': (directory) => {
    const commits = git(directory, ['rev-list', '--reverse', 'main']).split('\n');
    for (const [number, commit] of commits.entries()) {
      if (number % 20 !== 19) continue;
      const pack = join(directory, 'objects/pack/pack');
      git(
        directory,
        ['pack-objects', '--revs', '-q', pack],
        `${commit}\n^${commits[number - 20] ?? commits[0]}\n`,
      );
    }
    git(directory, ['multi-pack-index', 'write']);
  },
  'loose objects alone': (directory) => {
    const packs = join(directory, 'objects/pack');
    const moved = join(directory, 'moved');
    renameSync(packs, moved);
    mkdirSync(packs);
    for (const file of readdirSync(moved).filter((name) => name.endsWith('.pack'))) {
      git(directory, ['unpack-objects', '-q'], readFileSync(join(moved, file)));
    }
    rmSync(moved, { recursive: true });
  },
};

for (const [layout, lay] of Object.entries(layouts)) {
  test(`everything is read as native git reads it: ${layout}`, async () => {
    const directory = nativeWiki(120);
    lay(directory);
    const expected = allObjects(directory);
    expect(new Set(expected.map(({ type }) => type))).toEqual(new Set(['commit', 'tree', 'blob', 'tag']));
    for (const cacheBytes of [NO_CACHE, LARGE_CACHE]) {
      const store = openStore(directory, { cacheBytes });
      for (const { oid, type, content } of expected) {
        expect(await store.size(oid)).toBe(content.length);
        expect(content.subarray(0, 50).equals(await store.beginning(oid, 50))).toBe(true);
        const object = await store.read(oid);
        expect(object.type).toBe(type);
        expect(content.equals(object.content)).toBe(true);
      }
      await store.close();
    }
  });
}

test('objects larger than a first read, compressible or not, are read whole', async () => {
  const directory = bareRepository();
  const noise = Buffer.from(
    Array.from({ length: 400_000 }, (_, index) => (index * index * 2_654_435_761) >>> 24),
  );
  const contents = [Buffer.alloc(3_000_000, 'wiki '), noise, Buffer.alloc(0)];
  for (const content of contents) {
    const oid = git(directory, ['hash-object', '-w', '--stdin'], content);
    git(directory, ['pack-objects', '-q', join(directory, 'objects/pack/pack')], `${oid}\n`);
    rmSync(join(directory, 'objects', oid.slice(0, 2)), { recursive: true });
    const object = await openStore(directory).read(oid);
    expect(content.equals(object.content)).toBe(true);
    expect(await openStore(directory).size(oid)).toBe(content.length);
    const beginning = await openStore(directory).beginning(oid, 100_000);
    expect(content.subarray(0, 100_000).equals(beginning)).toBe(true);
  }
});

test('objects of an alternate, and of its alternate, are read', async () => {
  const origin = nativeWiki(10);
  const between = join(temporaryDirectory(), 'between.git');
  git(dirname(between), ['clone', '-q', '--bare', '--shared', origin, between]);
  const borrower = join(temporaryDirectory(), 'borrower.git');
  git(dirname(borrower), ['clone', '-q', '--bare', '--shared', between, borrower]);
  const store = openStore(borrower);
  for (const { oid, content } of allObjects(borrower)) {
    expect(content.equals((await store.read(oid)).content)).toBe(true);
  }
});

test('a missing alternate is refused by name', async () => {
  const directory = nativeWiki(1);
  writeFileSync(join(directory, 'objects/info/alternates'), '/no/such/objects\n');
  await expect(openStore(directory).read('0'.repeat(40))).rejects.toMatchObject({
    code: 'unsupported_repository',
    data: { path: '/no/such/objects' },
  });
});

test('an object that is stored nowhere is reported as missing', async () => {
  const store = openStore(nativeWiki(3));
  await expect(store.read('1'.repeat(40))).rejects.toMatchObject({ code: 'missing_object' });
  expect(await store.has('1'.repeat(40))).toBe(false);
});

test('a short oid expands to every oid that begins with it, wherever it is stored', async () => {
  const directory = nativeWiki(60);
  git(directory, ['repack', '-adq']);
  git(directory, ['hash-object', '-w', '--stdin'], 'loose');
  const store = openStore(directory);
  const oids = allObjects(directory).map(({ oid }) => oid);
  for (const oid of oids) {
    const prefix = oid.slice(0, 4);
    const expected = oids.filter((other) => other.startsWith(prefix)).sort();
    expect(await store.expand(prefix, 10)).toEqual(expected);
    expect(await store.expand(oid, 10)).toEqual([oid]);
  }
  expect(
    await store.expand(`${oids[0]?.slice(0, 39)}x`.replace('x', oids[0]?.endsWith('0') ? '1' : '0'), 10),
  ).toEqual([]);
});

test('a reader finds objects again that native git packs, repacks or deletes meanwhile', async () => {
  const directory = nativeWiki(40);
  const store = openStore(directory, { cacheBytes: NO_CACHE });
  const oids = allObjects(directory).map(({ oid }) => oid);
  for (const [number, oid] of oids.entries()) {
    if (number % 20 === 0) git(directory, ['repack', '-adfq', `--depth=${1 + (number % 7)}`]);
    await store.read(oid);
  }
  const later = git(directory, ['hash-object', '-w', '--stdin'], 'later');
  expect((await store.read(later)).type).toBe('blob');
});

test('a pack that the chain names may have been merged since', async () => {
  const directory = nativeWiki(3);
  const store = openStore(directory);
  await store.expectPacks(['e'.repeat(40)]);
  expect(await store.read(git(directory, ['rev-parse', 'main']))).toMatchObject({ type: 'commit' });
});
