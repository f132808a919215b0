import { toWikiError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { mostAttachmentBytes } from '../../pages/attachments.ts';
import { parseTreePath } from '../../paths/page-path.ts';
import { firstOf, spelledFiles } from '../../paths/spellings.ts';
import type { Snapshot } from '../../ports.ts';
import type { Session } from '../../session.ts';
import { contentOf, contentTooLarge } from '../../writing/given-content.ts';

export async function readFiles(
  { repository, index, call, host }: Session,
  { files: asked }: Input<'read_files'>,
): Promise<Output<'read_files'>> {
  const head = await repository.head();
  const most = mostAttachmentBytes(host);
  const files: Output<'read_files'>['files'] = [];
  const contents: Uint8Array[] = [];
  let bytes = 0;
  for (const { path, version } of asked) {
    const entry = await firstOf(spelledFiles(head, parseTreePath(path)));
    // Under a scope, the history says whether a past version may be read.
    if (entry?.oid !== version && call.scope !== undefined && head.commit !== null)
      await index.catchUp(head.commit, call.progress, call.signal);
    const content = await blobOf(head, version);
    const size = content?.length ?? 0;
    if (files.length === 0 && size > most)
      throw contentTooLarge(`The file ${JSON.stringify(path)}`, size, most);
    if (files.length > 0 && bytes + size > Math.min(MAX_BYTES, most)) break;
    bytes += size;
    files.push({ path, version, size: content?.length ?? null });
    if (content !== null) contents.push(content);
  }
  return { files, content: contentOf(Buffer.concat(contents), call) };
}

/** The most bytes of several files; a single one may have more. */
const MAX_BYTES = 8_000_000;

async function blobOf(head: Snapshot, version: string): Promise<Uint8Array | null> {
  try {
    return await head.blob(version);
  } catch (error) {
    if (toWikiError(error).code === 'not_found') return null;
    throw error;
  }
}
