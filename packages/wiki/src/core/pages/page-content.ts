import { WikiError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Snapshot, TreeEntry } from '../ports.ts';
import { type DecodedText, decodeText, encodeText } from '../text/text-encoding.ts';

/**
 * A page's text for changing it; `invalid_input` if its bytes are not UTF-8, since a change would destroy
 * them.
 */
export async function readForChange(
  snapshot: Snapshot,
  path: string,
  entry: TreeEntry,
): Promise<DecodedText> {
  const decoded = decodeText(await snapshot.blob(entry.oid));
  if (decoded.valid) return decoded;
  throw new WikiError(
    'invalid_input',
    {
      happened: `The page ${JSON.stringify(path)} is not UTF-8 text, so it cannot be edited without damage.`,
      now: 'Nothing was changed.',
      next: 'Replace the whole page with write_page and its version, or convert the file with git.',
    },
    { path, version: entry.oid },
  );
}

/** The bytes to store. Throws `invalid_input` for unpaired surrogates, and `too_large`. */
export function encodePage(path: string, text: string, bom = false): Uint8Array {
  if (!text.isWellFormed()) {
    throw new WikiError('invalid_input', {
      happened: 'The text holds half of a surrogate pair, which no UTF-8 can say.',
      now: 'Nothing was changed.',
      next: 'Send the text again with whole characters.',
    });
  }
  const bytes = encodeText(text, bom);
  if (bytes.length <= limits.pageBytes) return bytes;
  throw new WikiError(
    'too_large',
    {
      happened: `The page ${JSON.stringify(path)} would have ${bytes.length} bytes; the most is ${limits.pageBytes}.`,
      now: 'Nothing was changed.',
      next: 'Split it into several pages that link to each other.',
    },
    { path, bytes: bytes.length, most: limits.pageBytes },
  );
}
