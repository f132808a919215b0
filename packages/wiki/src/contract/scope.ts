import * as z from 'zod';
import { limits } from './limits.ts';

/**
 * A folder of a wiki with its slash, as `Guides/`: everything below it. The empty text is the whole wiki. Compared
 * in NFC, and case counts.
 */
const folder = z
  .string()
  .max(limits.pathCharacters)
  .refine(isFolder, 'must be a folder of the wiki with a slash at its end, as "Guides/"')
  .transform((text) => text.normalize('NFC'));

/**
 * The parts of every wiki that a call is limited to: `read` the folders whose pages and files it may know of,
 * `write` those in which it may change any, which are in folders of `read`.
 */
export const scope = z.strictObject({
  read: z.array(folder).min(1),
  write: z.array(folder).min(1),
});
export type Scope = z.infer<typeof scope>;

/** Whether a path, of a page or of a file, lies in one of the folders. */
export function liesIn(folders: readonly string[], path: string): boolean {
  const normal = path.normalize('NFC');
  return folders.some((each) => normal.startsWith(each));
}

function isFolder(text: string): boolean {
  if (text === '') return true;
  if (!text.endsWith('/') || !text.isWellFormed() || /[\p{Cc}\\]/u.test(text)) return false;
  return text
    .slice(0, -1)
    .split('/')
    .every((part) => !['', '.', '..'].includes(part));
}
