import * as z from 'zod';
import { limits } from './limits.ts';

/**
 * A folder of a wiki with its slash, such as `Guides/`: everything below it. The empty text stands for the
 * whole wiki. Compared in NFC, and case-sensitive.
 */
const folder = z
  .string()
  .max(limits.pathCharacters)
  .refine(isFolder, 'must be a folder of the wiki with a slash at its end, as "Guides/"')
  .transform((text) => text.normalize('NFC'));

/**
 * The parts of every wiki to which a call is limited. `read`: the folders whose pages and files it may know.
 * `write`: the folders in which it may change them; they lie in folders of `read`.
 */
export const scope = z.strictObject({
  read: z.array(folder).min(1),
  write: z.array(folder).min(1),
});
export type Scope = z.infer<typeof scope>;

/** True if the path of a page or file lies in one of the folders. */
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
