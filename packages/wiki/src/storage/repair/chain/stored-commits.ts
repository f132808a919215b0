import { join } from 'node:path';
import { OID_BYTES, type Oid } from '../../../formats/oid.ts';
import { indexedObjects, OIDS_AT } from '../../../formats/packs/pack-index.ts';
import type { FileSystem, OpenFile } from '../../files/file-system.ts';
import { unlessGone } from '../../files/unless-gone.ts';
import type { Layout } from '../../layout.ts';
import { OutOfTime, type Run } from '../../maintenance/run.ts';
import { listPacks } from '../../packs/pack-listing.ts';
import type { ObjectReader } from '../../storage.ts';
import { fileSystemFailure, isLost, isTooLarge } from '../../storage-error.ts';
import { type BookedCommit, type CommitBook, forgetCommits } from './commit-book.ts';

export interface StoredCommitParts {
  fs: FileSystem;
  layout: Layout;
  objects: ObjectReader;
  run: Run;
  book: CommitBook;
}

/**
 * All commits in packs. Reads every object, each in a step of its own, and looks again for packs that came
 * meanwhile. Throws OutOfTime.
 */
export async function storedCommits(parts: StoredCommitParts): Promise<Map<Oid, BookedCommit>> {
  const { fs, layout, run, book } = parts;
  const searched = run.list(SEARCHED);
  for (;;) {
    const packs = await listPacks(fs, layout.packs);
    const unsearched = packs.filter(({ name }) => !searched.has(name));
    if (unsearched.length === 0) break;
    for (const { name } of unsearched) {
      await searchPack(parts, name);
      searched.add(name);
      await run.step();
    }
  }
  const commits = new Map<Oid, BookedCommit>();
  for (const oid of run.list(FOUND)) {
    const commit = await book.read(oid);
    if (commit) commits.set(oid, commit);
  }
  return commits;
}

/** Forgets which commits were found, as some may be back. */
export function forgetStoredCommits(run: Run): void {
  forgetCommits(run);
  for (const name of [SEARCHED, FOUND]) run.clear(name, []);
  run.slot<Place | null>(PLACE, null).value = null;
}

interface Place {
  pack: string;
  /** The number of objects that were read. */
  at: number;
}

async function searchPack({ fs, layout, objects, run, book }: StoredCommitParts, pack: string) {
  const slot = run.slot<Place | null>(PLACE, null);
  const place = slot.value?.pack === pack ? slot.value : { pack, at: 0 };
  slot.value = place;
  const found = run.list(FOUND);
  const path = join(layout.packs, `pack-${pack}.idx`);
  try {
    // A pack that is gone was merged into one that the next listing has.
    await unlessGone(async () => {
      for await (const oid of oidsIn(fs, path, place.at)) {
        if (await isCommit({ objects, book }, oid)) found.add(oid);
        place.at += 1;
        await run.step();
      }
    });
  } catch (error) {
    if (error instanceof OutOfTime) throw error;
    throw fileSystemFailure(error, 'Reading a pack index', path);
  }
}

/** Notes it in the book. False for a commit that is lost or too large: no writer of the wiki makes such a large one. */
async function isCommit(
  { objects, book }: Pick<StoredCommitParts, 'objects' | 'book'>,
  oid: Oid,
): Promise<boolean> {
  try {
    return book.note(oid, await objects.read(oid));
  } catch (error) {
    if (isLost(error)) book.noteLost(oid);
    else if (!isTooLarge(error)) throw error;
    return false;
  }
}

/** The oids in an index that was checked before, without the first ones. */
async function* oidsIn(fs: FileSystem, path: string, first: number): AsyncGenerator<Oid> {
  const file = await fs.open(path, 'r');
  try {
    const count = indexedObjects(await readBytes(file, 0, OIDS_AT)) ?? 0;
    for (let from = first; from < count; from += OIDS_AT_ONCE) {
      const wanted = Math.min(OIDS_AT_ONCE, count - from);
      const bytes = await readBytes(file, OIDS_AT + from * OID_BYTES, wanted * OID_BYTES);
      for (let at = 0; at < bytes.length; at += OID_BYTES) yield bytes.toString('hex', at, at + OID_BYTES);
    }
  } finally {
    await file.close();
  }
}

async function readBytes(file: OpenFile, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, await file.read(bytes, 0, length, position));
}

const SEARCHED = 'packs searched for commits';
const FOUND = 'commits found in packs';
const PLACE = 'place of the search for commits';
const OIDS_AT_ONCE = 1_000;
