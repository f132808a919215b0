import { isCommitId } from '../../contract/fields.ts';
import { limits } from '../../contract/limits.ts';
import type { Input } from '../../contract/operations.ts';
import type { CommitInfo } from '../commit-info.ts';
import type { UndoneChanges } from './changes-of-commits.ts';
import type { UndoneFile, UndoPlan } from './plan-undo.ts';
import { revertMessage, subjectOf } from './restored-files.ts';

/** The message of a commit that undoes these, for a caller who gives none. */
export function undoMessage(
  { commits, inPart }: Pick<UndoneChanges, 'commits' | 'inPart'>,
  { commit, agent, author, since }: Pick<Input<'undo_changes'>, 'commit' | 'agent' | 'author' | 'since'>,
  { files }: Pick<UndoPlan, 'files'>,
  isLeft: (file: UndoneFile) => boolean,
): string {
  // Only counted: their paths may be hidden from those who see the message.
  const left = files.filter(isLeft).length;
  const rest = left === 0 ? '' : `\n\n${left} of ${files.length} files are left as they are.`;
  const [newest] = commits;
  const isInPart = ({ oid }: CommitInfo) => inPart.has(oid);
  if (commit !== undefined && newest !== undefined) {
    if (!isInPart(newest)) return revertMessage(newest) + rest;
    return `Undo a part of a commit\n\nThis reverts a part of commit ${newest.oid}.${rest}`;
  }
  const count = commits.length === 1 ? '1 commit' : `${commits.length} commits`;
  const by = [agent && `through ${agent}`, author && `by ${author}`].filter(Boolean).join(' ');
  const head = `Undo ${count} ${by} ${momentOf(since ?? '')}`.toWellFormed();
  const lines: string[] = [];
  let room = limits.messageCharacters - head.length - rest.length - ROOM_FOR_MORE;
  for (const each of commits) {
    const line = isInPart(each)
      ? `This reverts a part of commit ${each.oid}.`
      : `This reverts commit ${each.oid} (${subjectOf(each)}).`;
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
  }
  const more = commits.length - lines.length;
  if (more > 0) lines.push(`And ${more} more, back to ${commits.at(-1)?.oid}.`);
  return `${head}\n\n${lines.join('\n')}${rest}`;
}

const ROOM_FOR_MORE = 100;

/** A moment as `fixedMoment` gives it. */
function momentOf(since: string): string {
  if (isCommitId(since)) return `after commit ${since.slice(0, 12)}`;
  return `since ${since.slice(0, 16).replace('T', ' ')} UTC`;
}
