import type { Input, Output } from '../../contract/operations.ts';
import { mediaTypeOf, mostAttachmentBytes, parseAttachmentPath, requireAttachment } from '../attachments.ts';
import { contentTooLarge } from '../given-content.ts';
import type { Session } from '../session.ts';

export async function getAttachment(
  { repository, index, host }: Session,
  input: Input<'get_attachment'>,
): Promise<Output<'get_attachment'>> {
  const path = parseAttachmentPath(input.path);
  const snapshot =
    input.at === undefined
      ? await repository.head()
      : await repository.at(await repository.resolveCommit(input.at));
  const entry = await requireAttachment(snapshot, path, index, input.at !== undefined);
  const content = await snapshot.blob(entry.oid);
  const most = mostAttachmentBytes(host);
  if (content.length > most) throw contentTooLarge(`The file ${JSON.stringify(path)}`, content.length, most);
  return {
    path: entry.path,
    version: entry.oid,
    commit: snapshot.commit ?? entry.oid,
    type: mediaTypeOf(path),
    size: content.length,
    content: Buffer.from(content).toString('base64'),
    saved_to: null,
  };
}
