import { type ErrorCode, WikiError } from '../contract/errors.ts';
import type { FileMode, FileWrite } from '../core/ports.ts';
import type { Oid, Transaction } from '../storage/storage.ts';
import { decodeName, encodeName, type Name } from './names.ts';
import type { Objects } from './objects.ts';
import { type Clash, TreeEditor } from './tree-editor.ts';
import { fileMode, kindOf, type TreeItem } from './tree-format.ts';

/**
 * Writes the blobs and trees that turn the tree `base` into what `files` say, and returns the new tree: `base`
 * itself where nothing comes out different. Removals go first, so that a page can move to where its folder was.
 * Throws `invalid_path` where a file stands where a folder must be, or the other way round.
 */
export async function writeFiles(
  objects: Objects,
  base: Oid | null,
  files: readonly FileWrite[],
  transaction: Transaction,
): Promise<Oid> {
  const editor = new TreeEditor(objects, base);
  const targets = files.map((file) => ({ file, path: partsOf(file.path) }));
  const touched = await Promise.all(targets.map(({ path }) => editor.get(path)));
  const reachable = new Set(touched.flatMap((item) => item?.oid ?? []));
  for (const { file, path } of targets) {
    if ('remove' in file) await editor.remove(path);
  }
  for (const { file, path } of targets) {
    if ('remove' in file) continue;
    const present = await editor.get(path);
    if (present !== null && kindOf(present) !== 'file') throw notAFile(file.path, kindOf(present));
    const oid = await writeContent(objects, file, reachable, transaction);
    const clash = await editor.set(path, { oid, mode: storedMode(file.mode, present) });
    if (clash !== null) throw inTheWay(file.path, clash);
  }
  return editor.write((content) => transaction.write('tree', content));
}

/**
 * Existing content needs no new blob only where the base is sure to reach it, which is known of what the change
 * itself touches; other content (an old version, say) goes into the pack again.
 */
async function writeContent(
  objects: Objects,
  file: Exclude<FileWrite, { remove: true }>,
  reachable: ReadonlySet<Oid>,
  transaction: Transaction,
): Promise<Oid> {
  if ('content' in file) return transaction.write('blob', file.content);
  return reachable.has(file.oid) ? file.oid : transaction.write('blob', await objects.blob(file.oid));
}

/** The digits that stand there already stay where they mean the same (old repositories hold 100664). */
function storedMode(mode: FileMode | undefined, present: TreeItem | null): string {
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
