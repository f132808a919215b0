import { isOid, type Oid } from '../../formats/oid.ts';
import type { FileSystem } from '../files/file-system.ts';
import { readTextFile } from '../files/text-file.ts';

/**
 * The commit of one ref that git packed, by its full name; null if it packed none. Throws what the file system
 * throws, and FileTooLarge.
 */
export async function readPackedRef(
  fs: FileSystem,
  path: string,
  name: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Oid | null> {
  const text = (await readTextFile(fs, path, maxBytes)) ?? '';
  // Not split into lines: a clone of a large project has 100,000 refs and more.
  for (let at = text.indexOf(` ${name}`); at !== -1; at = text.indexOf(` ${name}`, at + 1)) {
    const [start, end] = [at - OID_LENGTH, at + 1 + name.length];
    const oid = text.slice(Math.max(start, 0), at);
    const isLine = (start === 0 || text[start - 1] === '\n') && (end === text.length || text[end] === '\n');
    if (isLine && isOid(oid)) return oid;
  }
  return null;
}

/** The refs that git packed into one file, by full name. A loose ref of the same name takes precedence. */
export async function readPackedRefs(fs: FileSystem, path: string): Promise<Map<string, Oid>> {
  const lines = ((await readTextFile(fs, path, Number.POSITIVE_INFINITY)) ?? '').split('\n');
  // The other lines are comments and the targets of annotated tags.
  const refs = lines.filter((line) => /^[0-9a-f]{40} /.test(line));
  return new Map(refs.map((line) => [line.slice(41), line.slice(0, 40)]));
}

const OID_LENGTH = 40;
