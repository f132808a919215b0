import { join } from 'node:path';
import { readPackedRefs } from '../storage/chain/packed-refs.ts';
import type { FileSystem } from '../storage/files/file-system.ts';
import { readTextFile } from '../storage/files/text-file.ts';
import { ObjectStore } from '../storage/objects/object-store.ts';
import type { Oid } from '../storage/storage.ts';
import { broken, makeBundle } from './bundle.ts';
import { tellAsWikiError } from './storage-failures.ts';

/** A bundle of what HEAD names in any local repository, which is only read. Throws `invalid_input`. */
export async function bundleOfRepository(fs: FileSystem, gitDirectory: string): Promise<Uint8Array> {
  const { tip, branch } = await readHead(fs, gitDirectory);
  const objects = new ObjectStore({ fs, gitDirectory, cacheBytes: CACHE_BYTES });
  try {
    return await makeBundle(objects, tip, branch, {});
  } catch (error) {
    return tellAsWikiError(error);
  } finally {
    await objects.close();
  }
}

async function readHead(fs: FileSystem, gitDirectory: string): Promise<{ tip: Oid; branch: string }> {
  const head = ((await readTextFile(fs, join(gitDirectory, 'HEAD'))) ?? '').trim();
  const ref = /^ref: (refs\/heads\/(.+))$/.exec(head);
  if (OID.test(head)) return { tip: head, branch: 'main' };
  const [, name, branch] = ref ?? [];
  if (name === undefined || branch === undefined || name.split('/').includes('..')) throw noHead();
  const loose = ((await readTextFile(fs, join(gitDirectory, name))) ?? '').trim();
  const packed = await readPackedRefs(fs, join(gitDirectory, 'packed-refs'));
  const tip = OID.test(loose) ? loose : packed.get(name);
  if (tip === undefined) throw noHead();
  return { tip, branch };
}

function noHead() {
  return broken('the HEAD of the repository names no commit');
}

const OID = /^[0-9a-f]{40}$/;
const CACHE_BYTES = 16_000_000;
