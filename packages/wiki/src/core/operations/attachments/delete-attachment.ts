import type { Input, Output } from '../../../contract/operations.ts';
import {
  findAttachment,
  parseAttachmentPath,
  requireAttachment,
  requireAttachmentVersion,
} from '../../pages/attachments.ts';
import { countThatFits } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';
import { land, retargetedByFile } from '../../writing/write.ts';

export async function deleteAttachment(
  session: Session,
  input: Input<'delete_attachment'>,
): Promise<Output<'delete_attachment'>> {
  const path = parseAttachmentPath(input.path);
  const landed = await land(session, 'delete_attachment', input, async (base) => {
    const entry = await requireAttachment(base, path, session.index);
    requireAttachmentVersion(path, entry, input.version);
    return { message: input.message ?? `Delete ${path}`, files: [{ path: entry.path, remove: true }] };
  });
  // Git may have brought the name in another Unicode form.
  const treePath = (await findAttachment(landed.before, path))?.path ?? path;
  const users = landed.before.commit === null ? [] : await linksTo(session, landed.before.commit, treePath);
  return {
    path,
    previous_version: input.version,
    commit: landed.commit,
    changed: landed.changed,
    ...(await retargetedByFile(session, landed, treePath)),
    broken_links: users.slice(0, countThatFits(users, 15_000)),
    broken_total: users.length,
  };
}

async function linksTo({ index }: Session, commit: string, treePath: string) {
  return (await index.links(commit, treePath)).linkedFrom;
}
