import type { Input, Output } from '../../../contract/operations.ts';
import {
  mediaTypeOf,
  mostAttachmentBytes,
  parseAttachmentPath,
  requireAttachment,
} from '../../pages/attachments.ts';
import type { Session } from '../../session.ts';
import { contentOf, contentTooLarge } from '../../writing/given-content.ts';

export async function getAttachment(
  { repository, index, host, call }: Session,
  input: Input<'get_attachment'>,
): Promise<Output<'get_attachment'>> {
  const path = parseAttachmentPath(input.path);
  const snapshot =
    input.at === undefined
      ? await repository.head()
      : await repository.at(await repository.resolveCommit(input.at));
  const entry = await requireAttachment(snapshot, path, index, input.at !== undefined);
  const facts = {
    path: entry.path,
    version: entry.oid,
    commit: snapshot.commit ?? entry.oid,
    type: mediaTypeOf(path),
    saved_to: null,
  };
  const most = mostAttachmentBytes(host);
  const requireGiven = (size: number) => {
    if (size > most) throw contentTooLarge(`The file ${JSON.stringify(path)}`, size, most);
  };
  if (call.wantsBytes !== undefined) {
    const size = await snapshot.size(entry.oid);
    requireGiven(size);
    if (!(await call.wantsBytes({ version: entry.oid, size }))) return { ...facts, size, content: null };
  }
  const content = await snapshot.blob(entry.oid);
  requireGiven(content.length);
  return { ...facts, size: content.length, content: contentOf(content, call) };
}
