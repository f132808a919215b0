import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOid, type Oid } from '../src/formats/oid.ts';
import { encodeDistance } from '../src/formats/packs/pack-entry.ts';
import { git } from './native-git.ts';

/** The path of the only pack of a repository. */
export function onlyPack(directory: string): string {
  const packs = join(directory, 'objects', 'pack');
  const [name = '', ...others] = readdirSync(packs).filter((file) => file.endsWith('.pack'));
  if (others.length > 0) throw new Error(`There are ${others.length + 1} packs.`);
  return join(packs, name);
}

/** Changes a byte of an object in the only pack. Returns the objects that cannot be read then: it, and what rests on it. */
export function damageInPack(directory: string, oid: Oid): Set<Oid> {
  const entries = entriesIn(directory);
  const { offset = 0, length = 0 } = entries.get(oid) ?? {};
  const at = offset + Math.floor(length / 2);
  change(directory, (bytes) => {
    bytes[at] = (bytes[at] ?? 0) ^ 1;
  });
  const lost = new Set([oid]);
  for (let before = 0; before < lost.size; ) {
    before = lost.size;
    for (const [name, { base }] of entries) if (lost.has(base)) lost.add(name);
  }
  return lost;
}

/**
 * Has the delta of a folder name another base of the same size, so that it makes a folder without a fault that is not the
 * one it was. Returns the folder.
 */
export function swapBaseOfFolder(directory: string): Oid {
  const entries = entriesIn(directory);
  const size = (oid: Oid) => git(directory, ['cat-file', '-s', oid]);
  for (const [oid, { offset, type, base }] of entries) {
    if (type !== 'tree' || base === '' || entries.get(base)?.base === '') continue;
    const farther = entries.get(entries.get(base)?.base ?? '');
    const [was, is] = [entries.get(base), farther].map((to) => encodeDistance(offset - (to?.offset ?? 0)));
    if (was?.length !== is?.length || size(base) !== size(entries.get(base)?.base ?? '')) continue;
    change(directory, (bytes) => bytes.set(is ?? [], bytes.indexOf(was ?? '', offset)));
    return oid;
  }
  throw new Error('There is no such folder.');
}

function entriesIn(directory: string) {
  const lines = git(directory, ['verify-pack', '-v', onlyPack(directory)]).split('\n');
  const columns = lines.map((line) => line.split(/\s+/)).filter(([name = '']) => isOid(name));
  return new Map(
    columns.map(([name = '', type, , length, offset, , base = '']) => [
      name,
      { type, length: Number(length), offset: Number(offset), base },
    ]),
  );
}

function change(directory: string, edit: (bytes: Buffer) => void): void {
  const path = onlyPack(directory);
  const bytes = readFileSync(path);
  edit(bytes);
  rmSync(path);
  writeFileSync(path, bytes);
}
