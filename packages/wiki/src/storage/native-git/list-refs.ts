import { join } from 'node:path';
import { isOid, type Oid } from '../../formats/oid.ts';
import type { FileSystem } from '../files/file-system.ts';
import { readTextFile } from '../files/text-file.ts';
import { namesIn, unlessGone } from '../files/unless-gone.ts';
import type { Layout } from '../layout.ts';
import { fileSystemFailure, StorageError } from '../storage-error.ts';
import { readPackedRefs } from './packed-refs.ts';

/**
 * The branches and tags that native git sees, by full name. Leaves out refs that are symbolic or damaged.
 * Throws StorageError `object_too_large` if there are more than anybody makes by hand.
 */
export async function listRefs(fs: FileSystem, layout: Layout): Promise<Map<string, Oid>> {
  const refs = new Map<string, Oid>();
  try {
    // As native git does: it packs a ref before it removes the loose one, so each is found in one of the two.
    const loose = new Map<string, Oid | null>();
    for (const kind of SHOWN) await readLoose(fs, layout.gitDirectory, `refs/${kind}`, loose);
    for (const [name, oid] of await readPackedRefs(fs, layout.packedRefs))
      if (SHOWN.some((kind) => name.startsWith(`refs/${kind}/`))) refs.set(name, oid);
    for (const [name, oid] of loose) {
      if (oid === null) refs.delete(name);
      else refs.set(name, oid);
    }
  } catch (error) {
    throw fileSystemFailure(error, 'Listing the refs', join(layout.gitDirectory, 'refs'));
  }
  if (refs.size > MAX_REFS) throw tooMany();
  return refs;
}

const SHOWN = ['heads', 'tags'];
const MAX_REFS = 10_000;
const MAX_DEPTH = 20;

/** Reads loose refs, which take precedence over packed ones of their names. Those without an oid are null. */
async function readLoose(
  fs: FileSystem,
  gitDirectory: string,
  folder: string,
  refs: Map<string, Oid | null>,
  depth = 0,
): Promise<void> {
  for (const name of await namesIn(fs, join(gitDirectory, folder))) {
    // Git's locks, and files that it makes on the way.
    if (name.endsWith('.lock') || name.startsWith('.')) continue;
    const full = `${folder}/${name}`;
    const path = join(gitDirectory, full);
    const kind = (await unlessGone(() => fs.lstat(path)))?.kind;
    if (kind === 'directory' && depth < MAX_DEPTH) await readLoose(fs, gitDirectory, full, refs, depth + 1);
    if (kind !== 'file') continue;
    const text = await readTextFile(fs, path);
    if (text === null) continue;
    const oid = text.trimEnd();
    refs.set(full, isOid(oid) ? oid : null);
    if (refs.size > MAX_REFS) throw tooMany();
  }
}

function tooMany(): StorageError {
  const message = `The repository has more than ${MAX_REFS} branches and tags.`;
  return new StorageError('object_too_large', message, {});
}
