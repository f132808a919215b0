import { dirname, join } from 'node:path';
import { mostBytes } from '../../formats/deflate.ts';
import { inflate, inflateStart, inflateWhole } from '../../formats/inflate.ts';
import { type GitObject, type ObjectType, type Oid, objectId } from '../../formats/oid.ts';
import { refreshDirectory } from '../files/directories.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import { isMissing, namesIn } from '../files/unless-gone.ts';
import { FileTooLarge, readWholeFile } from '../files/whole-file.ts';
import { fileSystemFailure, StorageError } from '../storage-error.ts';
import { OBJECT_BOUNDS, objectTooLarge, tooManyBytes } from './object-bounds.ts';

/** An object that native git stored in a file of its own, or null. Throws StorageError. */
export async function readLooseObject(
  fs: FileSystem,
  objectsDirectory: string,
  oid: Oid,
): Promise<GitObject | null> {
  const path = join(objectsDirectory, oid.slice(0, 2), oid.slice(2));
  const bytes = await readFile(fs, path, oid);
  if (!bytes) return null;
  const whole = bytes.length <= SMALL_FILE_BYTES ? inflateWhole(bytes, SMALL_OBJECT_BYTES) : null;
  const header = whole ? headerIn(whole) : parseHeader(bytes);
  if (header && !(header.size <= OBJECT_BOUNDS.objectBytes))
    throw objectTooLarge(oid, tooManyBytes(header.size));
  const object = header && parseLooseObject(bytes, header, whole);
  if (!object || objectId(object.type, object.content) !== oid) {
    throw new StorageError('corrupt_object', `The loose object ${path} is damaged.`, { oid, path });
  }
  return object;
}

/** The oids of loose objects that begin with `prefix`, which has at least 2 digits. Throws StorageError. */
export async function expandLooseObjects(
  fs: FileSystem,
  objectsDirectory: string,
  prefix: string,
): Promise<Oid[]> {
  const directory = prefix.slice(0, 2);
  const path = join(objectsDirectory, directory);
  try {
    const names = await namesIn(fs, path);
    const oids = names.filter((name) => /^[0-9a-f]{38}$/.test(name)).map((name) => directory + name);
    return oids.filter((oid) => oid.startsWith(prefix));
  } catch (error) {
    throw fileSystemFailure(error, 'Listing loose objects', path);
  }
}

/**
 * Null if the file does not exist. Opens a stale file again, as git may have packed or replaced it: and its directory
 * before that, since a client of NFS may lead the name to the old file until then.
 */
async function readFile(fs: FileSystem, path: string, oid: Oid): Promise<Uint8Array | null> {
  try {
    return await readWholeFile(fs, path, MAX_FILE_BYTES).catch(async (error: unknown) => {
      if (errorName(error) !== 'ESTALE') throw error;
      await refreshDirectory(fs, dirname(path));
      return readWholeFile(fs, path, MAX_FILE_BYTES);
    });
  } catch (error) {
    if (error instanceof FileTooLarge)
      throw objectTooLarge(oid, `its file has ${error.size} bytes, and the most is ${MAX_FILE_BYTES}`);
    if (isMissing(error)) return null;
    throw fileSystemFailure(error, 'Reading a loose object', path);
  }
}

const TYPES: readonly string[] = ['commit', 'tree', 'blob', 'tag'] satisfies ObjectType[];

interface Header {
  type: string;
  /** The length of the content. */
  size: number;
  /** The length of the header itself. */
  length: number;
}

/**
 * The type and length from the object's own header; the content is not inflated for it. Null if the bytes are
 * no object.
 */
function parseHeader(bytes: Uint8Array): Header | null {
  const start = inflateStart(bytes.subarray(0, START_BYTES));
  return typeof start === 'string' ? null : headerIn(start);
}

function headerIn(start: Buffer): Header | null {
  const found = /^([a-z]+) (\d+)\0/.exec(start.toString('latin1', 0, MAX_HEADER_BYTES));
  const [{ length } = '', type, size] = found ?? [];
  return type === undefined ? null : { type, size: Number(size), length };
}

/**
 * The codes at the beginning of a deflate block take up to 290 bytes. Inflating this many bytes yields at
 * most 600 kB.
 */
const START_BYTES = 512;
const MAX_HEADER_BYTES = 32;
const MAX_FILE_BYTES = mostBytes(OBJECT_BOUNDS.objectBytes + MAX_HEADER_BYTES);

/** Most objects are small, and to inflate them twice would take most of the time. */
const SMALL_FILE_BYTES = 1_000;
const SMALL_OBJECT_BYTES = 2_000;

/** Null if the bytes are no object, as in a file that a power cut tore. */
function parseLooseObject(
  bytes: Uint8Array,
  { type, size, length }: Header,
  whole: Uint8Array | null,
): GitObject | null {
  if (!isObjectType(type)) return null;
  if (whole) return whole.length === length + size ? { type, content: whole.subarray(length) } : null;
  const inflated = inflate(bytes, length + size);
  if (typeof inflated === 'string') return null;
  return { type, content: inflated.content.subarray(length) };
}

function isObjectType(type: string): type is ObjectType {
  return TYPES.includes(type);
}
