import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { nativeWiki } from '../../../test/storage/native-wiki.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { readPackedRef, readPackedRefs } from './packed-refs.ts';

it('reads every ref as native git does that packed it', async () => {
  const directory = nativeWiki(5);
  for (const name of ['main-2', 'a', 'z/main', 'main/2x'.replace('/', '.')]) {
    git(directory, ['update-ref', `refs/heads/${name}`, 'main~1']);
  }
  git(directory, ['update-ref', 'refs/z/refs/heads/main', 'main~2']);
  git(directory, ['pack-refs', '--all']);
  const path = join(directory, 'packed-refs');
  const refs = git(directory, ['for-each-ref', '--format=%(refname) %(objectname)']).split('\n');
  const expected = new Map(refs.map((line) => line.split(' ') as [string, string]));
  expect(expected.size).toBe(7);
  expect(await readPackedRefs(nodeFileSystem, path)).toEqual(expected);
  for (const [name, oid] of expected) expect(await readPackedRef(nodeFileSystem, path, name)).toBe(oid);
  for (const part of ['refs/heads/mai', 'heads/main', 'refs/heads/main-', 'main'])
    expect(await readPackedRef(nodeFileSystem, path, part)).toBeNull();
});

const ONE = '1'.repeat(40);
const NAME = 'refs/heads/main';

it.each([
  ['the only line', `${ONE} ${NAME}`, ONE],
  ['the first line', `${ONE} ${NAME}\n`, ONE],
  ['behind a longer one', `${'2'.repeat(40)} ${NAME}-2\n${ONE} ${NAME}\n`, ONE],
  ['a comment', `# ${ONE} ${NAME}\n`, null],
  ['a comment that ends with it', `# pack-refs with: ${NAME}\n`, null],
  ['of a line that is too long', `${ONE}${ONE} ${NAME}\n`, null],
  ['of a line that is too short', `${ONE.slice(1)} ${NAME}\n`, null],
  ['of a line that names no commit', `${'x'.repeat(40)} ${NAME}\n`, null],
  ['with more behind it', `${ONE} ${NAME} x\n`, null],
  ['of an empty file', '', null],
])('finds a ref that is %s', async (_, text, oid) => {
  const path = join(nativeWiki(1), 'packed-refs');
  writeFileSync(path, text);
  expect(await readPackedRef(nodeFileSystem, path, NAME)).toBe(oid);
  const all = await readPackedRefs(nodeFileSystem, path);
  expect(all.get(NAME)).toBe(oid ?? undefined);
  expect([...all.keys()].filter((name) => !name.startsWith('refs/'))).toEqual([]);
});

it('finds none where git packed none', async () => {
  const path = join(nativeWiki(1), 'packed-refs');
  expect(await readPackedRef(nodeFileSystem, path, NAME)).toBeNull();
  expect(await readPackedRefs(nodeFileSystem, path)).toEqual(new Map());
});
