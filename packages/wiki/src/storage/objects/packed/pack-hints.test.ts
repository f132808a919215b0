import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { noise } from '../../../../../../labs/noise.ts';
import { bareRepository, git } from '../../../../test/native-git.ts';
import { interceptedFileSystem } from '../../../../test/storage/file-systems/intercepted-file-system.ts';
import { nativeWiki } from '../../../../test/storage/native-wiki.ts';
import { countingStore, LARGE_CACHE, land, openStore } from '../../../../test/storage/stores.ts';
import { nativeView, newWiki, openWriter } from '../../../../test/storage/writers.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { ObjectStore } from '../object-store.ts';
import { PackHints } from './pack-hints.ts';

test('a process that starts with the hints of another one opens the right pack at once', async () => {
  const directory = bareRepository();
  const writer = openStore(directory, { shared: true });
  const packs = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    const pack = await land(directory, name.repeat(40), [`of ${name}`]);
    writer.addPack(name.repeat(40), pack);
    packs.push(pack);
  }
  const { store, calls } = countingStore(directory, LARGE_CACHE, true);
  store.takePackHints(writer.packHints(1000));
  await store.read(packs[1]?.oids[0] as string);
  expect(calls.map(({ name, path }) => `${name} ${path.slice(-12)}`)).toEqual([
    'open bbbbbbb.pack',
    'read bbbbbbb.pack',
  ]);
});

test('a hinted pack that is too large to be read whole is searched by its index, before anything is listed', async () => {
  const directory = bareRepository();
  const writer = openStore(directory, { shared: true });
  const name = 'a'.repeat(40);
  const pack = await land(directory, name, [noise(300_000).toString('hex'), 'small']);
  writer.addPack(name, pack);
  const { store, calls } = countingStore(directory, LARGE_CACHE, true);
  store.takePackHints(writer.packHints(1000));
  expect(new TextDecoder().decode((await store.read(pack.oids[1] ?? '')).content)).toBe('small');
  expect(new Set(calls.map(({ path }) => path.slice(-12)))).toEqual(
    new Set(['aaaaaaa.pack', 'aaaaaaaa.idx']),
  );
});

test('a commit whose pack was merged is searched in the pack that the hints name', async () => {
  const directory = bareRepository();
  const writer = openStore(directory, { shared: true });
  const names = ['a', 'b'].map((digit) => digit.repeat(40));
  for (const name of names) writer.addPack(name, await land(directory, name, [`of ${name}`]));
  const merged = await land(
    directory,
    'f'.repeat(40),
    names.map((name) => `of ${name}`),
  );
  await writer.replacePacks('f'.repeat(40), names);
  const { store, calls } = countingStore(directory, LARGE_CACHE, true);
  store.takePackHints(writer.packHints(1000));
  await store.expectPacks(['b'.repeat(40)]);
  for (const oid of merged.oids) await store.read(oid);
  expect(calls.map(({ name, path }) => `${name} ${path.slice(-12)}`)).toEqual([
    'open fffffff.pack',
    'read fffffff.pack',
  ]);
});

test('the last of several packs that the chain names is the newest, whichever is read first', async () => {
  const directory = await newWiki({ shared: true });
  const writer = await openWriter(directory, { placement: 'shared' });
  for (const text of ['one', 'two', 'three']) await writer.put('Page.md', text);
  await writer.storage.settle();
  const commits = nativeView(directory).commits.reverse();
  const open = (fs = nodeFileSystem) =>
    new ObjectStore({ fs, gitDirectory: directory, cacheBytes: LARGE_CACHE, shared: true });
  const inTurn = open();
  for (const commit of commits) await inTurn.expectPacks([commit]);

  const lastIsRead = Promise.withResolvers<void>();
  const fs = interceptedFileSystem(nodeFileSystem, async ({ name, path }, perform) => {
    if (name === 'open' && !path.includes(`${commits.at(-1)}`)) await lastIsRead.promise;
    const done = await perform();
    // The code that awaits the read goes on first.
    if (name === 'read') setImmediate(lastIsRead.resolve);
    return done;
  });
  const atOnce = open(fs);
  await atOnce.expectPacks(commits);
  expect(atOnce.packHints(1000)).toBe(inTurn.packHints(1000));
  await Promise.all([inTurn.close(), atOnce.close()]);
});

test('hints that are wrong, old or garbage do no harm', async () => {
  const directory = nativeWiki(3);
  const commit = git(directory, ['rev-parse', 'main']);
  const store = openStore(directory, { shared: true });
  store.takePackHints(
    `${'a'.repeat(40)}${Buffer.from(commit, 'hex').toString('base64url').slice(0, 3)} garbage ${'b'.repeat(39)}`,
  );
  expect((await store.read(commit)).type).toBe('commit');
});

test('the newest packs come first, and the oldest are left out if there is no room', () => {
  const hints = new PackHints();
  for (const name of ['a', 'b', 'c']) hints.note(name.repeat(40), [oid(`${name}1`)]);
  const [b, c] = ['b', 'c'].map((name) => `${name.repeat(40)}${digits(`${name}1`)}`);
  expect(hints.text(87)).toBe(`${c} ${b}`);
  const taken = new PackHints();
  taken.take(hints.text(87));
  taken.note('d'.repeat(40), ['d'.repeat(40), oid('d2')]);
  expect(taken.text(10_000)).toBe(`${'d'.repeat(40)}${digits('d2')} ${c} ${b}`);
  expect(taken.find(oid('b1'))).toBe('b'.repeat(40));
  expect(taken.find(oid('e1'))).toBe(null);
});

test('hints follow objects that a merge moved, and later objects stay newer', () => {
  const hints = new PackHints();
  for (const name of ['a', 'b', 'c']) hints.note(name.repeat(40), [oid(`${name}1`)]);
  hints.replace(['a'.repeat(40), 'b'.repeat(40)], 'f'.repeat(40));
  // A start looks for the newest of the commits.
  const moved = ['a1', 'b1', 'b'].map(digits).join('');
  expect(hints.text(1000)).toBe(`${'c'.repeat(40)}${digits('c1')} ${'f'.repeat(40)}${moved}`);
  for (const name of ['a', 'b', 'a1', 'b1']) expect(hints.find(oid(name))).toBe('f'.repeat(40));
});

test('packs that were merged later count as newer', () => {
  const hints = new PackHints();
  for (const name of ['a', 'b', 'c', 'd', 'e']) hints.note(name.repeat(40), []);
  hints.replace(['a'.repeat(40), 'b'.repeat(40)], '1'.repeat(40));
  hints.replace(['c'.repeat(40), 'd'.repeat(40)], '2'.repeat(40));
  const names = hints.text(1000).split(' ');
  expect(names.map((name) => name[0])).toEqual(['e', '2', '1']);
});

test('only the newest version of a page or folder is hinted to others, in whichever pack it lies', () => {
  const hints = new PackHints();
  const paths = (version: string) =>
    new Map([
      [oid(`0${version}`), ''],
      [oid(`1${version}`), '/Page.md'],
    ]);
  hints.note('a'.repeat(40), [...paths('a').keys(), oid('2a')], paths('a'));
  hints.note('b'.repeat(40), [...paths('b').keys()], paths('b'));
  hints.replace(['a'.repeat(40), 'b'.repeat(40)], 'f'.repeat(40));
  hints.note('c'.repeat(40), [oid('0c')], new Map([[oid('0c'), '']]));
  const reported = ['2a', '1b', 'b'].map(digits).join('');
  expect(hints.text(1000)).toBe(`${'c'.repeat(40)}${digits('0c')} ${'f'.repeat(40)}${reported}`);
  expect(hints.find(oid('0a'))).toBe('f'.repeat(40));
});

test('however often packs are merged, the hints stay few: those of old versions go first, then the oldest', () => {
  const hints = new PackHints();
  const oidOf = (kind: string, number: number) =>
    createHash('sha1').update(`${kind} ${number}`).digest('hex');
  let merged = '';
  for (let number = 0; number < 3000; number += 1) {
    const commit = oidOf('commit', number);
    const paths = new Map([
      [oidOf('tree', number), ''],
      [oidOf('page', number), `/${number < 1500 ? number : 'Same'}.md`],
    ]);
    hints.note(commit, [commit, ...paths.keys()], paths);
    if (number % 20 < 19) continue;
    merged = oidOf('merged', number);
    const packs = Array.from({ length: 20 }, (_, back) => oidOf('commit', number - back));
    hints.replace([...packs, oidOf('merged', number - 20)], merged);
  }
  const text = hints.text(4000);
  expect(text.length).toBe(40 + 1000 * 3);
  const reported = new Set<string>(text.slice(40).match(/.{3}/g));
  const isHinted = (kind: string, number: number) => reported.has(digitsOf(oidOf(kind, number)));
  expect(isHinted('commit', 2999)).toBe(true);
  expect(isHinted('tree', 2999)).toBe(true);
  expect(isHinted('page', 2999)).toBe(true);
  expect(isHinted('page', 1499)).toBe(true);
  expect(isHinted('tree', 2000)).toBe(false);
  expect(isHinted('page', 100)).toBe(false);
  expect(hints.find(oidOf('page', 1499))).toBe(merged);
});

function oid(beginning: string): string {
  return beginning.repeat(40).slice(0, 40);
}

function digits(beginning: string): string {
  return digitsOf(oid(beginning));
}

/** The first 18 bits of an oid. */
function digitsOf(oid: string): string {
  return Buffer.from(oid, 'hex').toString('base64url').slice(0, 3);
}
