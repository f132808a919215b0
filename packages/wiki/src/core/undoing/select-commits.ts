import { throwIfCancelled, WikiError } from '../../contract/errors.ts';
import { isCommitId } from '../../contract/fields.ts';
import type { Oid } from '../../contract/ids.ts';
import type { Input } from '../../contract/operations.ts';
import { startOf } from '../../contract/periods.ts';
import type { CommitInfo } from '../commit-info.ts';
import { commitNotFound } from '../commit-info.ts';
import { isWanted } from '../history-filter.ts';
import type { Session } from '../session.ts';

export interface SelectedCommits {
  /** Newest first. */
  commits: CommitInfo[];
  mergesLeftOut: number;
}

type Asked = Pick<Input<'undo_changes'>, 'commit' | 'agent' | 'author' | 'since'>;

/** Throws `invalid_input` unless the input asks for one commit, or for those of somebody since a moment. */
export function requireSelection({ commit, agent, author, since }: Asked): void {
  const isOfSomebody = since !== undefined && (agent !== undefined || author !== undefined);
  const isOfNobody = since === undefined && agent === undefined && author === undefined;
  if (commit === undefined ? isOfSomebody : isOfNobody) return;
  throw new WikiError('invalid_input', {
    happened: 'It is not clear what to undo.',
    now: 'Nothing was changed.',
    next: 'Give a commit; or an agent or an author, and since.',
  });
}

/** The moment in a form that means the same later: a full commit id, or a time. */
export async function fixedMoment(
  { repository, now }: Pick<Session, 'repository' | 'now'>,
  since: string | undefined,
): Promise<string | null> {
  if (since === undefined) return null;
  if (isCommitId(since)) return repository.resolveCommit(since);
  return startOf(since, new Date(now()))?.toISOString() ?? null;
}

/** The commits that the input asks for, of those that lead to `asOf`. */
export async function selectCommits(session: Session, input: Asked, asOf: Oid): Promise<SelectedCommits> {
  const { repository, index } = session;
  if (input.commit === undefined) return commitsOfSomebody(session, input, asOf);
  const commit = await repository.resolveCommit(input.commit);
  // The history keeps back a message that names files elsewhere, and a commit that changed nothing here.
  const { entries } = await index.history({ commit, offset: 0, limit: 1, pagesMost: 0 });
  const [entry] = entries;
  if (entry?.commit.oid !== commit) throw commitNotFound(input.commit);
  return { commits: [entry.commit], mergesLeftOut: 0 };
}

async function commitsOfSomebody(
  { index, call, now }: Session,
  { agent, author, since = '' }: Asked,
  asOf: Oid,
): Promise<SelectedCommits> {
  const after = isCommitId(since) ? since : null;
  // Before the commit everything is gone through: it may be somebody else's.
  const query = after === null ? { agent, author, since: startOf(since, new Date(now())) } : {};
  await index.catchUp(asOf, call.progress, call.signal);
  const selected: SelectedCommits = { commits: [], mergesLeftOut: 0 };
  for (let offset = 0; ; offset += AT_ONCE) {
    throwIfCancelled(call.signal);
    const window = { commit: asOf, offset, limit: AT_ONCE, pagesMost: 0 };
    const { entries, more } = await index.history({ ...query, ...window });
    for (const { commit } of entries) {
      if (commit.oid === after) return selected;
      if (!isWanted({ agent, author }, commit)) continue;
      if (commit.parents.length > 1) selected.mergesLeftOut += 1;
      else selected.commits.push(commit);
    }
    if (selected.commits.length > MAX_COMMITS) throw tooMany(`more than ${MAX_COMMITS} commits`);
    if (!more) break;
    if (offset + AT_ONCE >= MAX_WALKED) throw tooMany(`a history of more than ${MAX_WALKED} commits`);
  }
  // A commit of another line of the history would otherwise undo everything.
  if (after !== null) throw notBefore(after);
  return selected;
}

export function tooMany(what: string): WikiError {
  return new WikiError('too_large', {
    happened: `This would undo ${what} at once.`,
    now: 'Nothing was changed.',
    next: 'Undo the newest part first: name a later moment.',
  });
}

function notBefore(commit: Oid): WikiError {
  return new WikiError('invalid_input', {
    happened: `Commit ${commit} is not in the history that would be undone.`,
    now: 'Nothing was changed.',
    next: 'Take a commit id from get_history, or name a date.',
  });
}

const AT_ONCE = 200;
const MAX_COMMITS = 500;
const MAX_WALKED = 10_000;
