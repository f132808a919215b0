import { WikiError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/operations.ts';
import {
  findAttachment,
  mostAttachmentBytes,
  parseAttachmentPath,
  requireAttachmentVersion,
  safeAttachmentPath,
} from '../attachments.ts';
import { contentTooLarge, requireContent } from '../given-content.ts';
import type { TreeEntry } from '../ports.ts';
import type { Session } from '../session.ts';
import { land } from '../write.ts';

export async function putAttachment(
  session: Session,
  input: Input<'put_attachment'>,
): Promise<Output<'put_attachment'>> {
  const given = parseAttachmentPath(input.path);
  const safe = safeAttachmentPath(input.path);
  const content = requireContent('put_attachment', input);
  const most = mostAttachmentBytes(session.host);
  if (content.length > most) throw contentTooLarge(`The file ${JSON.stringify(given)}`, content.length, most);
  const { local_path: _localPath, ...what } = input;
  const landed = await land(session, 'put_attachment', what, async (base) => {
    // One that is there under a name which none would be given today keeps that name.
    const entry = (await findAttachment(base, given)) ?? (await findAttachment(base, safe));
    const path = entry?.path ?? safe;
    if (input.version !== undefined) requireAttachmentVersion(path, entry, input.version);
    else if (entry !== null) throw attachmentExists(entry);
    const message = input.message ?? `${entry === null ? 'Add' : 'Replace'} ${path}`;
    return { message, files: [{ path, content, ...(entry !== null && { mode: entry.mode }) }] };
  });
  const present = (await findAttachment(landed.after, given)) ?? (await findAttachment(landed.after, safe));
  const path = present?.path ?? safe;
  return {
    path,
    version: present?.oid ?? null,
    previous_version: (await landed.before.entry(path))?.oid ?? null,
    commit: landed.commit,
    changed: landed.changed,
    size: content.length,
  };
}

function attachmentExists({ path, oid }: TreeEntry): WikiError {
  return new WikiError(
    'already_exists',
    {
      happened: `The attachment ${JSON.stringify(path)} exists already.`,
      now: `Its version is ${oid}. Nothing was changed.`,
      next: 'Pass its version to replace it, or choose another path.',
    },
    { path, version: oid },
  );
}
