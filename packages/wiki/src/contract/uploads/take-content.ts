import { parseInput } from '../parse-input.ts';
import { type Call, methodOf, type Wiki } from '../wiki.ts';
import type { ContentReference } from './content-reference.ts';

/**
 * The bytes of a call that were uploaded before. Asks the wiki for them as its caller does for everything: what the caller
 * may not change, it holds nothing for. Throws `not_found` if parts are missing, and `invalid_input` if they are other bytes.
 */
export async function takeContent(
  wiki: Wiki,
  input: unknown,
  { upload, ...whole }: ContentReference,
  call: Call,
): Promise<Uint8Array> {
  const { wiki: name } = (input ?? {}) as { wiki?: unknown };
  const taken: Uint8Array[] = [];
  const takeBytes = (bytes: Uint8Array) => taken.push(bytes);
  const asked = { ...(typeof name === 'string' && { wiki: name }), upload, whole };
  await methodOf(wiki, 'upload_part')(parseInput('upload_part', asked), { ...call, takeBytes });
  const [bytes] = taken;
  if (bytes === undefined) throw new Error('The wiki gave no bytes of the upload.');
  return bytes;
}
