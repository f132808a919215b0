import type { FileSystem } from '../files/file-system.ts';
import { readTextFile } from '../files/text-file.ts';
import type { Oid } from '../storage.ts';

/** The refs that git packed into one file, by their full names. A loose ref of the same name goes before. */
export async function readPackedRefs(fs: FileSystem, path: string): Promise<Map<string, Oid>> {
  const lines = ((await readTextFile(fs, path)) ?? '').split('\n');
  // Other lines are comments, and what annotated tags point to.
  const refs = lines.filter((line) => /^[0-9a-f]{40} /.test(line));
  return new Map(refs.map((line) => [line.slice(41), line.slice(0, 40)]));
}
