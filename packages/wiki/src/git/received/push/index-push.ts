import type { Push } from '../../../core/transport-port.ts';
import type { PackBytes } from '../../../formats/packs/pack.ts';
import type { ObjectReader, PushedCommit } from '../../../storage/storage.ts';
import { Objects } from '../../objects.ts';
import { BOUNDS } from '../bounds.ts';
import { HistoryMeasure } from '../measure-history.ts';
import { OF_PUSH } from '../refusals.ts';
import { completePack } from './complete-pack.ts';
import { connectPush } from './connect-push.ts';
import { newCommitsOf } from './new-commits.ts';
import { ReceivedObjects } from './received-objects.ts';

/** The pack of a push as it is stored: every object judged, and everything that `to` reaches is there. */
export interface IndexedPush {
  pack: PackBytes;
  /** The commits that the wiki's history does not have yet, newest first. */
  commits: readonly PushedCommit[];
}

/**
 * Judges the pack of a push onto the head `from`. Takes an object that the pack lacks for present only if `from`
 * reaches it: any other one may be removed at any time, so the pack gets a copy of it. Throws `version_conflict` if
 * `to` does not descend from `from`, `invalid_input` and `too_large`.
 */
export async function indexPush(
  { from, to, pack: packBytes, signal }: Push,
  stored: ObjectReader,
): Promise<IndexedPush> {
  if (packBytes !== null && packBytes.length > BOUNDS.packBytes) {
    throw OF_PUSH.tooLarge(`its pack has ${packBytes.length} bytes; the most is ${BOUNDS.packBytes}`);
  }
  const received = await ReceivedObjects.read(packBytes, stored, signal);
  const commits = await newCommitsOf(received, from, to, signal);
  await connectPush(received, stored, commits, from, signal);
  await received.judgeFiles();
  const isNew = new Set(commits.map(({ oid }) => oid));
  const objects = new Objects({ read: (oid) => received.readStored(oid) }, CACHE_BYTES);
  await new HistoryMeasure(objects, signal, OF_PUSH).measure(to, undefined, (oid) => isNew.has(oid));
  return { pack: await completePack(received, signal), commits };
}

const CACHE_BYTES = 4_000_000;
