import { WikiError } from '../../contract/errors.ts';
import type { Snapshot } from '../ports.ts';
import type { Session } from '../session.ts';
import { lastChange } from '../writing/conflicts.ts';
import { mayComeFromElsewhere, type UndoneFile } from './plan-undo.ts';
import { nameOf } from './restored-files.ts';

/** The error for files that an undo cannot take back. */
export async function cannotUndo(
  session: Session,
  base: Snapshot,
  inTheWay: readonly UndoneFile[],
): Promise<WikiError> {
  const isFromElsewhere = ({ state, runs }: UndoneFile) =>
    state === 'conflict' && runs.some(mayComeFromElsewhere);
  const shown = inTheWay.slice(0, MAX_NAMED);
  const files = await Promise.all(
    shown.map(async (file) => {
      const path = nameOf(file);
      return { path, ...(await lastChange(session, base, path)) };
    }),
  );
  const fromElsewhere = shown.filter(isFromElsewhere).map((file) => JSON.stringify(nameOf(file)));
  const changed = files
    .filter((_, at) => !shown.slice(at, at + 1).some(isFromElsewhere))
    .map(({ path, author, date }) =>
      author === undefined
        ? JSON.stringify(path)
        : `${JSON.stringify(path)} (by ${JSON.stringify(author)} at ${date})`,
    );
  const more = inTheWay.length > files.length ? ` and ${inTheWay.length - files.length} more` : '';
  const reasons = [
    changed.length > 0 && `others changed ${changed.join(', ')} since`,
    fromElsewhere.length > 0 &&
      `${fromElsewhere.join(', ')} may have come from folders that cannot be changed from here`,
  ];
  return new WikiError(
    'version_conflict',
    {
      happened: `This cannot be undone: ${reasons.filter(Boolean).join('; ')}${more}.`,
      now: 'Nothing was changed.',
      next: 'Leave these as they are, or look at them and undo again.',
    },
    { files, files_total: inTheWay.length },
  );
}

const MAX_NAMED = 20;
