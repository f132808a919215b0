import { join } from 'node:path';
import { isOid, type Oid } from '../../formats/oid.ts';
import type { FileSystem } from '../files/file-system.ts';
import { readTextFile } from '../files/text-file.ts';
import { namesIn, unlessGone } from '../files/unless-gone.ts';
import type { Layout } from '../layout.ts';
import { fileSystemFailure, StorageError } from '../storage-error.ts';
import { readPackedRefs } from './packed-refs.ts';

/**
 * The branches and tags that native git sees, by full name, in git's order. Leaves out refs that are symbolic or damaged.
 * Throws StorageError `object_too_large` if there are more than anybody makes by hand.
 */
export async function listRefs(fs: FileSystem, layout: Layout): Promise<Map<string, Oid>> {
  const refs = new Map<string, Oid>();
  try {
    for (const [name, oid] of await readPackedRefs(fs, layout.packedRefs))
      if (SHOWN.some((kind) => name.startsWith(`refs/${kind}/`))) refs.set(name, oid);
    for (const kind of SHOWN) await readLoose(fs, layout.gitDirectory, `refs/${kind}`, refs);
  } catch (error) {
    throw fileSystemFailure(error, 'Listing the refs', join(layout.gitDirectory, 'refs'));
  }
  return new Map([...refs].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const SHOWN = ['heads', 'tags'];
const MAX_REFS = 10_000;
const MAX_DEPTH = 20;

/** A loose ref takes precedence over a packed one of its name. */
async function readLoose(
  fs: FileSystem,
  gitDirectory: string,
  folder: string,
  refs: Map<string, Oid>,
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
    const oid = (await readTextFile(fs, path))?.trimEnd() ?? '';
    if (isOid(oid)) refs.set(full, oid);
    if (refs.size > MAX_REFS) throw tooMany();
  }
}

function tooMany(): StorageError {
  const message = `The repository has more than ${MAX_REFS} branches and tags.`;
  return new StorageError('object_too_large', message, {});
}
