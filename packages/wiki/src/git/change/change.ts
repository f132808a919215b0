import { type ErrorCode, WikiError } from '../../contract/errors.ts';
import type { FileMode, FileWrite } from '../../core/ports.ts';
import { decodeName, encodeName, type Name } from '../../formats/names.ts';
import type { Oid } from '../../formats/oid.ts';
import { fileMode, kindOf, type TreeEntry } from '../../formats/tree.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { Transaction } from '../../storage/storage.ts';
import type { Objects } from '../objects.ts';
import { type Clash, TreeEditor } from './tree-editor.ts';

/**
 * Writes the blobs and trees that change the tree `base` according to `files`, and returns the new tree, or
 * `base` itself if nothing changes. Removals go first, so that a page can move to the former path of its
 * folder. Throws `invalid_path` if a file is where a folder must be, or the other way round.
 */
export async function writeFiles(
  objects: Objects,
  base: Oid | null,
  files: readonly FileWrite[],
  transaction: Transaction,
): Promise<Oid> {
  const editor = new TreeEditor(objects, base);
  const pause = yielding(TURN_MS);
  const targets = files.map((file) => ({ file, path: partsOf(file.path) }));
  const reachable = new Set<Oid>();
  for (let at = 0; at < targets.length; at += LOOKED_UP_AT_ONCE) {
    const some = targets.slice(at, at + LOOKED_UP_AT_ONCE);
    for (const item of await Promise.all(some.map(({ path }) => editor.get(path)))) {
      if (item !== null) reachable.add(item.oid);
    }
    await pause();
  }
  for (const { file, path } of targets) {
    if ('remove' in file) await editor.remove(path);
  }
  for (const { file, path } of targets) {
    if ('remove' in file) continue;
    await pause();
    const present = await editor.get(path);
    if (present !== null && kindOf(present) !== 'file') throw notAFile(file.path, kindOf(present));
    const oid = await writeContent(objects, file, reachable, transaction);
    const clash = await editor.set(path, { oid, mode: storedMode(file.mode, present) });
    if (clash !== null) throw inTheWay(file.path, clash);
  }
  return editor.write((content) => transaction.write('tree', content));
}

const LOOKED_UP_AT_ONCE = 1_000;
/** The read of a page waits for several turns, one after another. */
const TURN_MS = 4;

/**
 * Existing content needs no new blob only if the base is sure to reach it. This is known only for files that
 * the change itself touches; other content (such as an old version) goes into the pack again.
 */
async function writeContent(
  objects: Objects,
  file: Exclude<FileWrite, { remove: true }>,
  reachable: ReadonlySet<Oid>,
  transaction: Transaction,
): Promise<Oid> {
  if ('content' in file) return transaction.write('blob', file.content);
  if ('read' in file) return transaction.writeLater(file);
  return reachable.has(file.oid) ? file.oid : transaction.write('blob', await objects.blob(file.oid));
}

/** Keeps the stored digits of the mode if they mean the same (old repositories contain 100664). */
function storedMode(mode: FileMode | undefined, present: TreeEntry | null): string {
  if (present === null) return mode ?? '100644';
  return mode === undefined || mode === fileMode(present) ? present.mode : mode;
}

function partsOf(path: string): Name[] {
  const parts = path.split('/');
  const usable = path.isWellFormed() && !path.includes('\0');
  if (usable && parts.every((part) => !['', '.', '..', '.git'].includes(part))) return parts.map(encodeName);
  throw refusal('invalid_path', `${JSON.stringify(path)} cannot be the path of a file in git.`);
}

function notAFile(path: string, kind: string): WikiError {
  const what = kind === 'symlink' ? 'a symbolic link' : 'a submodule';
  return refusal('invalid_path', `${JSON.stringify(path)} is ${what} in the repository, not a file.`);
}

function inTheWay(path: string, clash: Clash): WikiError {
  const place = JSON.stringify(clash.path.map((part) => decodeName(part) ?? part).join('/'));
  const problem = clash.found === 'file' ? 'a file, not a folder' : 'a folder, not a file';
  return refusal('invalid_path', `${JSON.stringify(path)} cannot be written: ${place} is ${problem}.`);
}

function refusal(code: ErrorCode, happened: string): WikiError {
  return new WikiError(code, { happened, now: 'Nothing was written.', next: 'Choose another path.' });
}
