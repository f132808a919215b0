import { toWikiError } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import type { Session } from '../session.ts';
import { decodeText } from '../text/text-encoding.ts';
import { unifiedDiff } from '../text/unified-diff.ts';

/** Two commits between which something changed. A null one is the empty wiki. */
export interface Range {
  from: Oid | null;
  to: Oid | null;
}

/** The tree paths of a page at both ends of a range; null where it was not there. */
export interface PageTexts {
  before: string | null;
  after: string | null;
}

/** A diff within `mostBytes`, and how many lines were added and removed in all. */
export interface Difference {
  diff: string;
  added: number;
  removed: number;
  truncated: boolean;
}

const NOTHING: Difference = { diff: '', added: 0, removed: 0, truncated: false };

/** Compares a page at two commits. The text of one that is gone is no news. */
export async function compareTexts(
  session: Session,
  { from, to }: Range,
  { before, after }: PageTexts,
  mostBytes: number,
): Promise<Difference> {
  if (after === null) return NOTHING;
  try {
    const [old, present] = await Promise.all([textAt(session, from, before), textAt(session, to, after)]);
    const difference = unifiedDiff(old, present, { context: 1, maxCharacters: mostBytes });
    const diff = beginningOf(difference.diff, mostBytes);
    return { ...difference, diff, truncated: difference.truncated || diff !== difference.diff };
  } catch (error) {
    if (toWikiError(error).code !== 'too_large') throw error;
    return { ...NOTHING, truncated: true };
  }
}

async function textAt({ repository }: Session, commit: Oid | null, path: string | null): Promise<string> {
  if (commit === null || path === null) return '';
  const snapshot = await repository.at(commit);
  // Found by its path: under a scope the content of a file is given only to one who found it in a visible folder.
  const found = await snapshot.entry(path);
  return found === null ? '' : decodeText(await snapshot.blob(found.oid)).text;
}

/** The whole lines that fit. */
function beginningOf(diff: string, mostBytes: number): string {
  if (Buffer.byteLength(diff) <= mostBytes) return diff;
  let bytes = 0;
  const lines = diff.split('\n');
  const end = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes > mostBytes;
  });
  return lines
    .slice(0, end)
    .map((line) => `${line}\n`)
    .join('');
}
