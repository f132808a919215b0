import { WikiError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { blobOidInTurns, digestOfBytes } from '../../content-hash.ts';
import {
  findAttachment,
  mostAttachmentBytes,
  parseAttachmentPath,
  requireAttachmentVersion,
  safeAttachmentPath,
} from '../../pages/attachments.ts';
import { placeInTree } from '../../pages/find-page.ts';
import { parseNewPagePath } from '../../paths/page-path.ts';
import type { Snapshot, TreeEntry } from '../../ports.ts';
import type { Session } from '../../session.ts';
import { contentTooLarge, requireContent } from '../../writing/given-content.ts';
import { land, retargetedByFile } from '../../writing/write.ts';

export async function putAttachment(
  session: Session,
  input: Input<'put_attachment'>,
): Promise<Output<'put_attachment'>> {
  const given = parseAttachmentPath(input.path);
  const content = requireContent('put_attachment', input, session.call);
  const most = mostAttachmentBytes(session.host);
  if (content.length > most) throw contentTooLarge(`The file ${JSON.stringify(given)}`, content.length, most);
  const { local_path: _localPath, ...rest } = input;
  const what = { ...rest, content: await digestOfBytes(content) };
  const file = { oid: await blobOidInTurns(content), length: content.length, read: async () => content };
  const landed = await land(session, 'put_attachment', what, async (base) => {
    const { entry, path } = await placeOf(base, given);
    refuseSettings(path);
    if (input.version !== undefined) requireAttachmentVersion(path, entry, input.version);
    else if (entry !== null) throw attachmentExists(entry);
    const message = input.message ?? `${entry === null ? 'Add' : 'Replace'} ${path}`;
    return { message, files: [{ path, ...file, ...(entry !== null && { mode: entry.mode }) }] };
  });
  const { entry: present, path } = await placeOf(landed.after, given);
  return {
    path,
    version: present?.oid ?? null,
    previous_version: (await landed.before.entry(path))?.oid ?? null,
    commit: landed.commit,
    changed: landed.changed,
    size: content.length,
    ...(await retargetedByFile(session, landed, path)),
  };
}

/** The place of the attachment. An existing file keeps its name even if no new file may have it. */
async function placeOf(
  snapshot: Snapshot,
  given: string,
): Promise<{ entry: TreeEntry | null; path: string }> {
  const exact = await findAttachment(snapshot, given);
  if (exact !== null) return { entry: exact, path: exact.path };
  const safe = safeAttachmentPath(given);
  const entry = await findAttachment(snapshot, safe);
  return { entry, path: entry?.path ?? (await placeInTree(snapshot, safe)) };
}

/** Existing settings files may be read and deleted, but not changed: other programs execute their content. */
function refuseSettings(path: string): void {
  if (path.split('/').some((part) => part.startsWith('.'))) parseNewPagePath(path);
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
