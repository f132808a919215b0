import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { errorName, type FileSystem } from '../files/file-system.ts';
import { readWholeFile } from '../files/whole-file.ts';
import type { GitObject, ObjectType, Oid } from '../storage.ts';
import { fileSystemFailure, StorageError } from '../storage-error.ts';
import { objectId } from './object-id.ts';

/** An object that native git stored in a file of its own; null where there is none. Throws StorageError. */
export async function readLooseObject(
  fs: FileSystem,
  objectsDirectory: string,
  oid: Oid,
): Promise<GitObject | null> {
  const path = join(objectsDirectory, oid.slice(0, 2), oid.slice(2));
  const bytes = await readFile(fs, path);
  if (!bytes) return null;
  const object = parseLooseObject(bytes);
  if (!object || objectId(object.type, object.content) !== oid) {
    throw new StorageError('corrupt_object', `The loose object ${path} is damaged.`, { oid, path });
  }
  return object;
}

/** The oids of loose objects that begin with `prefix`, which has 2 digits or more. Throws StorageError. */
export async function expandLooseObjects(
  fs: FileSystem,
  objectsDirectory: string,
  prefix: string,
): Promise<Oid[]> {
  const directory = prefix.slice(0, 2);
  const path = join(objectsDirectory, directory);
  try {
    const names = await fs.readdir(path);
    const oids = names.filter((name) => /^[0-9a-f]{38}$/.test(name)).map((name) => directory + name);
    return oids.filter((oid) => oid.startsWith(prefix));
  } catch (error) {
    if (errorName(error) === 'ENOENT') return [];
    throw fileSystemFailure(error, 'Listing loose objects', path);
  }
}

/** Null where there is none. A file that goes stale is opened again: git may have packed or replaced it. */
async function readFile(fs: FileSystem, path: string): Promise<Uint8Array | null> {
  try {
    return await readWholeFile(fs, path).catch((error: unknown) => {
      if (errorName(error) !== 'ESTALE') throw error;
      return readWholeFile(fs, path);
    });
  } catch (error) {
    if (errorName(error) === 'ENOENT') return null;
    throw fileSystemFailure(error, 'Reading a loose object', path);
  }
}

const TYPES: readonly string[] = ['commit', 'tree', 'blob', 'tag'] satisfies ObjectType[];

/** Null where the bytes are no object, such as in a file that a power cut tore. */
function parseLooseObject(bytes: Uint8Array): GitObject | null {
  const inflated = inflate(bytes);
  const headerEnd = inflated?.indexOf(0) ?? -1;
  if (!inflated || headerEnd < 0) return null;
  const [type, size] = inflated.toString('latin1', 0, headerEnd).split(' ');
  const content = inflated.subarray(headerEnd + 1);
  return isObjectType(type) && Number(size) === content.length ? { type, content } : null;
}

function isObjectType(type: string | undefined): type is ObjectType {
  return type !== undefined && TYPES.includes(type);
}

function inflate(bytes: Uint8Array): Buffer | null {
  try {
    return inflateSync(bytes);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'Z_BUF_ERROR' || code === 'Z_DATA_ERROR' || code === 'Z_NEED_DICT') return null;
    throw error;
  }
}
