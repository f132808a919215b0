import { WikiError } from '../../../contract/errors.ts';
import type { Oid } from '../../../contract/ids.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import type { Session } from '../../session.ts';

/** The commits keep their authors. The person who pushes them is not recorded. */
export async function receivePush(
  session: Session,
  { from, to, content }: Input<'receive_push'>,
): Promise<Output<'receive_push'>> {
  if (to === DELETED) throw deletionRefused();
  const { repository, call } = session;
  const bytes = call.bytes ?? Buffer.from(content ?? '', 'base64');
  const pack = bytes.length === 0 ? null : bytes;
  const outcome = await repository.receivePush({ from, to, pack, signal: call.signal });
  if (outcome.kind === 'moved') throw headHasMoved(outcome.head);
  session.committed(to);
  return { commit: to, changed: outcome.kind === 'landed' };
}

/** The value to which git's protocol sets a branch that it deletes. */
const DELETED: Oid = '0'.repeat(40);

function deletionRefused(): WikiError {
  return new WikiError('invalid_input', {
    happened: 'The push would delete the branch of the wiki.',
    now: 'Nothing was changed.',
    next: 'Delete pages instead: their history stays.',
  });
}

function headHasMoved(head: Oid | null): WikiError {
  return new WikiError(
    'version_conflict',
    {
      happened: 'The branch has commits that the push does not build on.',
      now: 'Nothing was taken into the wiki.',
      next: 'Fetch first: fetch the branch, merge or rebase onto it, and push again.',
    },
    { reason: 'fetch_first', head },
  );
}
