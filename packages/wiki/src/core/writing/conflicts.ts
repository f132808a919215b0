import { WikiError } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import type { Snapshot, TreeEntry } from '../ports.ts';
import type { Session } from '../session.ts';
import { markText } from './mark-text.ts';
import { diffBetween } from './write.ts';

/**
 * Throws `version_conflict` unless the page still has the version that the caller expects. Accepts any page
 * if the caller names no version.
 */
export async function requireVersion(
  session: Session,
  base: Snapshot,
  path: string,
  entry: TreeEntry | null,
  expected: Oid | undefined,
): Promise<void> {
  if (expected === undefined || entry?.oid === expected) return;
  if (entry === null) throw pageIsGone(path, expected);
  throw await pageHasChanged(session, base, path, entry, expected);
}

export function alreadyExists(path: string, entry: TreeEntry, next: string): WikiError {
  return new WikiError(
    'already_exists',
    {
      happened: `The page ${JSON.stringify(path)} exists already.`,
      now: `Its version is ${entry.oid}. Nothing was changed.`,
      next,
    },
    { path, version: entry.oid },
  );
}

function pageIsGone(path: string, expected: Oid): WikiError {
  return new WikiError(
    'version_conflict',
    {
      happened: `The page ${JSON.stringify(path)} is not there, so it is not at version ${expected}.`,
      now: 'It was moved or deleted, or never existed. Nothing was changed.',
      next: 'See get_history of the path; to create the page, call write_page without version.',
    },
    { path, version: null, expected },
  );
}

async function pageHasChanged(
  session: Session,
  base: Snapshot,
  path: string,
  entry: TreeEntry,
  expected: Oid,
): Promise<WikiError> {
  const [last, diff] = await Promise.all([
    lastChange(session, base, path),
    diffSince(base, expected, entry.oid),
  ]);
  const by =
    last === null
      ? ''
      : `, written by ${JSON.stringify(last.author)} at ${last.date} in commit ${last.commit}`;
  return new WikiError(
    'version_conflict',
    {
      happened: `The page ${JSON.stringify(path)} has changed since version ${expected}.`,
      now: `Its version is now ${entry.oid}${by}. Nothing was changed.`,
      next:
        diff === null
          ? 'Read the page again, make your change on what it says now, and pass its new version.'
          : `Make your change on what the page says now, and pass its new version. What changed since yours:\n${markText(diff)}`,
    },
    { path, version: entry.oid, expected, ...last, diff },
  );
}

/** The last change of the page; null if there is none. */
export async function lastChange(session: Session, base: Snapshot, path: string) {
  if (base.commit === null) return null;
  const query = { commit: base.commit, path, offset: 0, limit: 1, pagesMost: 0 };
  const [entry] = (await session.index.history(query)).entries;
  if (entry === undefined) return null;
  const { author, agent, oid } = entry.commit;
  return { author: `${author.name} <${author.email}>`, agent, date: author.date.toISOString(), commit: oid };
}

/** Null if the expected version is not a text that this wiki ever held. */
async function diffSince(base: Snapshot, expected: Oid, present: Oid): Promise<string | null> {
  try {
    return await diffBetween({ before: base, after: base }, expected, present);
  } catch (error) {
    if (error instanceof WikiError && error.code === 'not_found') return null;
    throw error;
  }
}
