import { WikiError } from '../../../contract/errors.ts';
import type { Oid } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { yielding } from '../../../scheduling/yielding.ts';
import { blobOid, digestOfBytes } from '../../content-hash.ts';
import { mostAttachmentBytes } from '../../pages/attachments.ts';
import { placeInTree } from '../../pages/find-page.ts';
import { isHidden, pagePathOf, parseNewPagePath, parseTreePath } from '../../paths/page-path.ts';
import { firstOf, spelledFiles } from '../../paths/spellings.ts';
import type { FileWrite, Snapshot, TreeEntry } from '../../ports.ts';
import type { Session } from '../../session.ts';
import { contentTooLarge } from '../../writing/given-content.ts';
import { land } from '../../writing/write.ts';

/** Links stay as they are written: the program that made the files has decided about them. */
export async function commitFiles(
  session: Session,
  input: Input<'commit_files'>,
): Promise<Output<'commit_files'>> {
  const content = session.call.bytes ?? Buffer.from(input.content ?? '', 'base64');
  const files = givenFiles(input, content, mostAttachmentBytes(session.host));
  const what = { ...input, content: await digestOfBytes(content) };
  const { commit, changed } = await land(session, 'commit_files', what, async (base) => ({
    message: input.message ?? `Change ${files.length} files`,
    files: await changesOn(base, files),
  }));
  return { commit, changed };
}

interface GivenFile {
  path: string;
  version: Oid | null;
  /** Null deletes the file. */
  content: Uint8Array | null;
}

function givenFiles(
  { files }: Input<'commit_files'>,
  content: Uint8Array,
  mostBytes: number,
): readonly GivenFile[] {
  let at = 0;
  const given = files.map(({ path: written, version, size }) => {
    const path = parseTreePath(written);
    // Other programs execute what such files say. This throws for every hidden path.
    if (isHidden(path)) parseNewPagePath(path);
    const most = pagePathOf(path) === null ? mostBytes : limits.pageBytes;
    if (size !== null && size > most) throw contentTooLarge(`The file ${JSON.stringify(path)}`, size, most);
    const start = at;
    at += size ?? 0;
    return { path, version, content: size === null ? null : content.subarray(start, at) };
  });
  if (at !== content.length) throw otherSize(at, content.length);
  return given;
}

async function changesOn(base: Snapshot, files: readonly GivenFile[]): Promise<FileWrite[]> {
  const changes: FileWrite[] = [];
  const changed: { path: string; version: Oid | null }[] = [];
  const yieldIfDue = yielding();
  for (const { path, version, content } of files) {
    await yieldIfDue();
    const entry = await firstOf(spelledFiles(base, path));
    if ((entry?.oid ?? null) !== version) changed.push({ path, version: entry?.oid ?? null });
    else changes.push(...(await changeOf(base, path, entry, content)));
  }
  if (changed.length > 0) throw filesHaveChanged(changed);
  return changes;
}

async function changeOf(
  base: Snapshot,
  path: string,
  entry: TreeEntry | null,
  content: Uint8Array | null,
): Promise<FileWrite[]> {
  if (content === null) return entry === null ? [] : [{ path: entry.path, remove: true }];
  if (entry === null) return [{ path: await placeInTree(base, path), content }];
  return blobOid(content) === entry.oid ? [] : [{ path: entry.path, content, mode: entry.mode }];
}

function otherSize(named: number, given: number): WikiError {
  return new WikiError('invalid_input', {
    happened: `The files have ${named} bytes together, but ${given} came.`,
    now: 'Nothing was changed.',
    next: 'Send the bytes of all files, one after the other.',
  });
}

function filesHaveChanged(files: readonly { path: string; version: Oid | null }[]): WikiError {
  const shown = files.slice(0, 8);
  const names = shown.map(({ path }) => JSON.stringify(path)).join(', ');
  const more = files.length > shown.length ? ` and ${files.length - shown.length} more` : '';
  return new WikiError(
    'version_conflict',
    {
      happened: `These files are not at the versions that the commit would replace: ${names}${more}.`,
      now: 'Nothing was changed.',
      next: 'List the files again, and decide on what they are now.',
    },
    { files: shown },
  );
}
