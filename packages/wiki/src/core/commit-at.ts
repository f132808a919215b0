import { WikiError } from '../contract/errors.ts';
import { isCommitId } from '../contract/fields.ts';
import type { Oid } from '../contract/ids.ts';
import { endOf } from '../contract/periods.ts';
import type { Session } from './session.ts';

type Place = Pick<Session, 'repository' | 'index' | 'call' | 'now'>;

/** The commit that `at` names: by its id, or as the newest one at the end of a time. */
export async function commitAt({ repository, index, call, now }: Place, at: string): Promise<Oid> {
  if (isCommitId(at)) return repository.resolveCommit(at);
  const { commit } = await repository.head();
  if (commit === null) throw nothingSoOld(at);
  await index.catchUp(commit, call.progress, call.signal);
  const until = endOf(at, new Date(now()));
  const { entries } = await index.history({ commit, until, offset: 0, limit: 1, pagesMost: 0 });
  const [newest] = entries;
  if (newest === undefined) throw nothingSoOld(at);
  return newest.commit.oid;
}

function nothingSoOld(at: string): WikiError {
  return new WikiError('not_found', {
    happened: `No commit is as old as ${JSON.stringify(at)}.`,
    now: 'The history of this wiki begins later.',
    next: 'Give a later date; get_history has the dates of all commits.',
  });
}
