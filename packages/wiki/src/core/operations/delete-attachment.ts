import type { Input, Output } from '../../contract/operations.ts';
import { parseAttachmentPath, requireAttachment, requireAttachmentVersion } from '../attachments.ts';
import { countThatFits } from '../reply-budget.ts';
import type { Session } from '../session.ts';
import { land } from '../write.ts';

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
  const users = landed.before.commit === null ? [] : await linksTo(session, landed.before.commit, path);
  return {
    path,
    previous_version: input.version,
    commit: landed.commit,
    changed: landed.changed,
    broken_links: users.slice(0, countThatFits(users)),
    broken_total: users.length,
  };
}

async function linksTo({ index }: Session, commit: string, path: string) {
  return (await index.links(commit, path)).linkedFrom;
}
