import { createHash } from 'node:crypto';
import { WikiError } from '../../../contract/errors.ts';
import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import type { Call } from '../../../contract/wiki.ts';
import type { DirectorySession } from '../../session.ts';
import type { Uploads } from '../../transport-port.ts';

export async function uploadPart(
  session: DirectorySession,
  input: Input<'upload_part'>,
): Promise<Output<'upload_part'>> {
  const { directory, defaultWiki, call } = session;
  if (input.wiki === undefined) await directory.requireDefault();
  const wiki = input.wiki ?? defaultWiki;
  // With a scope no call makes a wiki, so nothing can come for what would be held for a missing one.
  if (call.scope !== undefined) await directory.open(wiki);
  const uploads = directory.uploads(wiki);
  const upload = ownName(input.upload, call);
  const bytes = call.bytes ?? (input.content === undefined ? null : Buffer.from(input.content, 'base64'));
  if (input.drop === true) await uploads.drop(upload);
  else if (bytes !== null) await add(session, uploads, upload, input, bytes);
  if (input.whole !== undefined) await take(session, uploads, upload, input.whole);
  return { parts: await uploads.parts(upload) };
}

/** An upload of another caller has another name, even if somebody knew the id of it. */
function ownName(id: string, { person, caller: { author } }: Call): string {
  const owner = [person ?? null, author.name, author.email];
  return createHash('sha256')
    .update(JSON.stringify([id, ...owner]))
    .digest('hex');
}

async function add(
  { host }: DirectorySession,
  uploads: Uploads,
  upload: string,
  { offset = 0, total = 0 }: Input<'upload_part'>,
  bytes: Uint8Array,
): Promise<void> {
  const most = host.uploadBytes ?? limits.importBytes;
  if (total > most) throw uploadTooLarge(total, most);
  if (bytes.length === 0 || offset + bytes.length > total) throw notWithin(offset, bytes.length, total);
  if (!(await uploads.add(upload, offset, bytes))) throw noRoom();
}

async function take(
  { call, host }: DirectorySession,
  uploads: Uploads,
  upload: string,
  { bytes: length, sha256 }: NonNullable<Input<'upload_part'>['whole']>,
): Promise<void> {
  const most = host.uploadBytes ?? limits.importBytes;
  if (length > most) throw uploadTooLarge(length, most);
  const bytes = await uploads.read(upload, length);
  if (bytes === null) throw partsMissing();
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw otherBytes();
  call.takeBytes?.(bytes);
}

function uploadTooLarge(bytes: number, most: number): WikiError {
  return new WikiError(
    'too_large',
    {
      happened: `The call has ${bytes} bytes; this backend takes at most ${most} in one call.`,
      now: 'Nothing was changed.',
      next: 'Bring it in by several calls: of a history first older commits, of files one folder after the other.',
    },
    { bytes, most },
  );
}

function notWithin(offset: number, length: number, total: number): WikiError {
  return new WikiError('invalid_input', {
    happened: `A part of ${length} bytes at ${offset} does not lie within the ${total} bytes of the upload.`,
    now: 'Nothing was held.',
    next: 'Send `total` with each part, and no part that is empty or reaches beyond it.',
  });
}

function noRoom(): WikiError {
  return new WikiError('too_large', {
    happened: 'There is no room for what is uploaded: other uploads to this wiki have not ended.',
    now: 'Nothing was changed.',
    next: 'Try again when they have. Those that were given up are removed a day later by maintain_wiki.',
  });
}

function partsMissing(): WikiError {
  return new WikiError('not_found', {
    happened:
      'The bytes of the call are not here: they were never uploaded, not in whole, or removed meanwhile.',
    now: 'Nothing was changed.',
    next: 'Upload them and call again.',
    atTerminal: 'Run the command again.',
  });
}

function otherBytes(): WikiError {
  return new WikiError('invalid_input', {
    happened:
      'The bytes that were uploaded for the call are not those that it names: their digest is another one.',
    now: 'Nothing was changed.',
    next: 'Upload them again, under a new name.',
    atTerminal: 'Run the command again.',
  });
}
