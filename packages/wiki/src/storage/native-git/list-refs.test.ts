import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bareRepository, git } from '../../../test/native-git.ts';
import { nativeWiki } from '../../../test/storage/native-wiki.ts';
import type { FileSystem } from '../files/file-system.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { layoutOf } from '../layout.ts';
import { listRefs } from './list-refs.ts';

function ours(directory: string, fs: FileSystem = nodeFileSystem) {
  return listRefs(fs, layoutOf(directory, 'main')).then((refs) =>
    [...refs].toSorted(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
  );
}

/** The branches and tags that native git lists, without the symbolic ones. */
function theirs(directory: string): string[][] {
  const format = '--format=%(refname) %(objectname) %(symref)';
  const lines = git(directory, ['for-each-ref', format, 'refs/heads', 'refs/tags'])
    .split('\n')
    .filter(Boolean);
  return lines
    .map((line) => line.split(' '))
    .flatMap(([name = '', oid = '', to]) => (to ? [] : [[name, oid]]));
}

function write(directory: string, name: string, text: string): void {
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  writeFileSync(join(directory, name), text);
}

/** Names that no other of them contains as a folder. */
const NAMES = [
  'heads/a',
  'heads/b/c',
  'heads/b/d/e',
  'heads/ｆ',
  'heads/🎉',
  'heads/b-',
  'tags/a',
  'tags/v/1',
  'notes/n',
  'z',
];

const step = fc.oneof(
  fc.record({
    name: fc.constantFrom(...NAMES),
    to: fc.constantFrom('main', 'main~1', 'symbolic', 'gone'),
  }),
  fc.constant('pack' as const),
);

test('the branches and tags are those that native git lists, packed or not', async () => {
  const directory = nativeWiki(3);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      for (const step of steps) {
        if (step === 'pack') git(directory, ['pack-refs', '--all']);
        else if (step.to === 'symbolic')
          git(directory, ['symbolic-ref', `refs/${step.name}`, 'refs/heads/main']);
        else if (step.to === 'gone') git(directory, ['update-ref', '--no-deref', '-d', `refs/${step.name}`]);
        else git(directory, ['update-ref', '--no-deref', `refs/${step.name}`, step.to]);
      }
      expect(await ours(directory)).toEqual(theirs(directory));
    }),
    { numRuns: 15 },
  );
});

test('a damaged ref is left out with what git packed under its name, and so are locks and hidden files', async () => {
  const directory = nativeWiki(2);
  const oid = git(directory, ['rev-parse', 'main']);
  for (const name of ['damaged', 'empty', 'kept']) git(directory, ['update-ref', `refs/heads/${name}`, oid]);
  for (const name of ['notes/n', 'headsets/h', 'pull/1/head'])
    git(directory, ['update-ref', `refs/${name}`, oid]);
  git(directory, ['pack-refs', '--all']);
  write(directory, 'refs/heads/damaged', `${oid.slice(1)}\n`);
  write(directory, 'refs/heads/empty', '');
  for (const name of ['new.lock', '.hidden', '.folder/x', 'folder.lock/x'])
    write(directory, `refs/heads/${name}`, `${oid}\n`);
  write(directory, 'refs/heads/no-line-feed', oid);
  expect((await ours(directory)).map(([name]) => name)).toEqual([
    'refs/heads/kept',
    'refs/heads/main',
    'refs/heads/no-line-feed',
    'refs/tags/v1',
  ]);
  expect(await ours(directory)).toEqual(theirs(directory));
});

test('a repository without refs has none, and a ref that goes meanwhile is left out', async () => {
  expect(await ours(bareRepository())).toEqual([]);
  const directory = nativeWiki(1);
  const gone: FileSystem = {
    ...nodeFileSystem,
    readdir: async (path) => [...(await nodeFileSystem.readdir(path)), 'gone'],
  };
  expect(await ours(directory, gone)).toEqual(await ours(directory));
});

test('refs that native git packs while they are listed are all there', async () => {
  const directory = nativeWiki(2);
  for (const name of ['a', 'b/c']) git(directory, ['update-ref', `refs/heads/${name}`, 'main']);
  for (let at = 0, calls = 1; at < calls; at += 1) {
    git(directory, ['update-ref', 'refs/heads/a', 'main']);
    git(directory, ['pack-refs', '--all']);
    for (const name of ['a', 'b/c', 'new']) git(directory, ['update-ref', `refs/heads/${name}`, 'main~1']);
    const expected = theirs(directory);
    calls = 0;
    const packed: FileSystem = new Proxy(nodeFileSystem, {
      get:
        (fs, name: keyof FileSystem) =>
        (...args: never[]) => {
          if (calls === at) git(directory, ['pack-refs', '--all']);
          calls += 1;
          return (fs[name] as (...args: never[]) => unknown)(...args);
        },
    });
    expect(await ours(directory, packed), `packed before call ${at}`).toEqual(expected);
  }
});

test('very many refs are refused, and an error of the disk is reported', async () => {
  const directory = nativeWiki(1);
  const oid = git(directory, ['rev-parse', 'main']);
  const tags = Array.from({ length: 9_998 }, (_, at) => `${oid} refs/tags/packed-${at}\n`);
  write(directory, 'packed-refs', tags.join(''));
  expect(await ours(directory)).toHaveLength(10_000);
  write(directory, 'packed-refs', `${tags.join('')}${oid} refs/tags/packed\n`);
  await expect(ours(directory)).rejects.toMatchObject({ code: 'object_too_large' });
  write(directory, 'packed-refs', tags.join(''));
  git(directory, ['update-ref', 'refs/heads/one-more', oid]);
  await expect(ours(directory)).rejects.toMatchObject({ code: 'object_too_large' });
  const failing: FileSystem = {
    ...nodeFileSystem,
    readdir: () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO', errno: -5 })),
  };
  await expect(ours(directory, failing)).rejects.toMatchObject({ code: 'io_error' });
});

test('ten thousand loose refs are listed, and one more is refused, also if it is damaged', async () => {
  const directory = bareRepository();
  const oid = '1'.repeat(40);
  for (let at = 0; at < 10_000; at += 1) write(directory, `refs/tags/loose-${at}`, `${oid}\n`);
  expect(await ours(directory)).toHaveLength(10_000);
  write(directory, 'refs/tags/damaged', '');
  await expect(ours(directory)).rejects.toMatchObject({ code: 'object_too_large' });
});

test('a ref in twenty folders is listed, and folders without end are not followed', async () => {
  const directory = nativeWiki(1);
  const oid = git(directory, ['rev-parse', 'main']);
  const deep = `refs/heads/${'d/'.repeat(19)}ref`;
  write(directory, deep, `${oid}\n`);
  write(directory, `refs/heads/${'e/'.repeat(21)}ref`, `${oid}\n`);
  const names = (await ours(directory)).map(([name]) => name);
  expect(names).toEqual([deep, 'refs/heads/main', 'refs/tags/v1']);
});
