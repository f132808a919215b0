import { WikiError } from '../../../contract/errors.ts';
import type { Merge, Push } from '../../../core/transport-port.ts';
import type { Oid } from '../../../formats/oid.ts';
import type { ObjectReader, ReceivedPush } from '../../../storage/storage.ts';
import { Objects } from '../../objects.ts';
import { BOUNDS } from '../bounds.ts';
import { HistoryMeasure } from '../measure-history.ts';
import { OF_MERGE, OF_PUSH, type Refusals } from '../refusals.ts';
import { completePack } from './complete-pack.ts';
import { connectPush } from './connect-push.ts';
import { type NewCommits, newCommitsOf } from './new-commits.ts';
import { ReceivedObjects } from './received-objects.ts';

/**
 * Judges the pack of a push onto the head `from`. Takes an object that the pack lacks for present only if `from`
 * reaches it: any other one may be removed at any time, so the pack gets a copy of it. Throws `version_conflict` if
 * `to` does not descend from `from`, `invalid_input` and `too_large`.
 */
export async function indexPush(
  { from, to, pack, signal }: Push,
  stored: ObjectReader,
): Promise<ReceivedPush> {
  const received = await ReceivedObjects.read(bounded(pack, OF_PUSH), stored, OF_PUSH, signal);
  const found = await newCommitsOf(received, from, to, signal);
  if (!found.descends) throw notFastForward(from);
  return completed(received, found, { head: from, tip: to, stored, signal });
}

/** The commits that a merge brings in, and their pack. */
export interface IndexedMerge extends ReceivedPush {
  /** True if the merged commit descends from the head, so that the branch can move to it. */
  descends: boolean;
}

/**
 * Judges the commits of another repository that are to be merged into the head, as those of a push. They need not
 * descend from it, nor have a common ancestor with it. Throws `invalid_input` and `too_large`.
 */
export async function indexMerge(
  head: Oid | null,
  { commit, pack, signal }: Pick<Merge, 'commit' | 'pack' | 'signal'>,
  stored: ObjectReader,
): Promise<IndexedMerge> {
  const received = await ReceivedObjects.read(bounded(pack, OF_MERGE), stored, OF_MERGE, signal);
  const found = await newCommitsOf(received, head, commit, signal);
  const { descends } = found;
  return { ...(await completed(received, found, { head, tip: commit, stored, signal })), descends };
}

function bounded(pack: Uint8Array | null, refusals: Refusals): Uint8Array | null {
  if (pack === null || pack.length <= BOUNDS.packBytes) return pack;
  throw refusals.tooLarge(`its pack has ${pack.length} bytes; the most is ${BOUNDS.packBytes}`);
}

interface Place {
  head: Oid | null;
  tip: Oid;
  stored: ObjectReader;
  signal: AbortSignal | undefined;
}

/** The pack as it is stored: every object judged, and everything that the tip reaches is there. */
async function completed(
  received: ReceivedObjects,
  { commits }: NewCommits,
  { head, tip, stored, signal }: Place,
): Promise<ReceivedPush> {
  await connectPush(received, stored, commits, head, signal);
  await received.judgeFiles();
  const isNew = new Set(commits.map(({ oid }) => oid));
  const objects = new Objects({ read: (oid) => received.readStored(oid) }, CACHE_BYTES);
  await new HistoryMeasure(objects, signal, received.refusals).measure(tip, undefined, (oid) =>
    isNew.has(oid),
  );
  return { pack: await completePack(received, signal), commits };
}

const CACHE_BYTES = 4_000_000;

function notFastForward(head: Oid | null): WikiError {
  return new WikiError(
    'version_conflict',
    {
      happened: 'The push is no fast-forward: it would remove commits from the branch.',
      now: 'Nothing was taken into the wiki.',
      next: 'Fetch the branch, merge or rebase onto it, and push again. The wiki keeps every commit, so it refuses forced pushes too.',
    },
    { reason: 'non_fast_forward', head },
  );
}
