import type { Oid } from '../../formats/oid.ts';
import type { ChainEnd } from '../commits/chain-link.ts';
import { commitsBeside, isAncestor, readIfThere } from '../commits/history.ts';
import { type LandingParts, landCommit, outOfTime, syncOrUnknown } from '../commits/landing.ts';
import type { RequestIdentity } from '../commits/requests.ts';
import { MERGE_REQUEST, type MergeOutcome, type MergeRequest, type ObjectReader } from '../storage.ts';
import { isLost, StorageError } from '../storage-error.ts';
import { landPush, type PushParts, packName, requireForeign } from './land-push.ts';

export interface MergeParts extends PushParts, LandingParts {
  /** Runs work without any other writer of this process in between. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Makes the wiki's own directories if they are missing. */
  prepare(): Promise<void>;
}

/**
 * Merges a commit from elsewhere, once. The head may move on meanwhile: every attempt first makes sure that the head
 * does not reach the commit yet. So no look-up of a request has to prove that.
 */
export async function mergeForeignHistory(parts: MergeParts, request: MergeRequest): Promise<MergeOutcome> {
  const { reach, inTurn, prepare } = parts;
  const seen = await reach();
  if (seen !== null && (await isContained(parts.objects, request.foreign, seen.commit))) {
    return withoutMerge(parts, request.foreign, seen);
  }
  // Before its turn: to judge takes seconds, in which others write.
  const received = { ...(await request.receive(seen?.commit ?? null)), head: seen?.commit ?? null };
  return inTurn(async () => {
    const end = await reach();
    await prepare();
    return landMerge(parts, end, request, received);
  });
}

type Received = Awaited<ReturnType<MergeRequest['receive']>> & {
  /** The head beside which it was judged. */
  head: Oid | null;
};

async function landMerge(
  parts: MergeParts,
  end: ChainEnd,
  request: MergeRequest,
  received: Received,
): Promise<MergeOutcome> {
  const { foreign, signal } = request;
  const { head, descends } = received;
  if ((end?.commit ?? null) === head && descends) {
    const push = { from: head, to: foreign, signal, receive: async () => received };
    const pushed = await landPush(parts, end, push, received);
    if (pushed.kind !== 'moved') return { kind: 'fast_forward', commit: foreign };
    return landMerge(parts, await parts.reach(), request, received);
  }
  if (end === null) throw new Error('The branch has no commit, although one was read from it.');
  if (await cameIn(parts.objects, foreign, head, end.commit)) return withoutMerge(parts, foreign, end);
  await requireForeign(parts, end, received.commits);
  if (signal?.aborted) throw outOfTime();
  return landMergeCommit(parts, end, request, received);
}

/**
 * Stores the pack of the foreign commits and lands the merge commit. The pack outlasts all attempts, since each of
 * them rests on it. It is withdrawn only if certainly none was linked.
 */
async function landMergeCommit(
  parts: MergeParts,
  end: NonNullable<ChainEnd>,
  { foreign, signal, build }: MergeRequest,
  { pack, head }: Received,
): Promise<MergeOutcome> {
  const { host, packs, objects } = parts;
  const name = packName(host);
  let isBuilding = false;
  try {
    await packs.landPushed(name, pack, { merged: foreign, by: host.self });
    const outcome = await landCommit(
      parts,
      { end, fresh: true },
      {
        ...requestFor(foreign),
        idIsNew: true,
        signal,
        build: async (base, transaction) => {
          isBuilding = true;
          if (base === null || (await cameIn(objects, foreign, head, base))) return null;
          const commit = await build(base, transaction);
          isBuilding = false;
          return commit;
        },
      },
    );
    if (outcome.kind === 'committed') packs.linkedPush(name);
    else packs.withdraw(name);
    if (outcome.kind !== 'unchanged') return { kind: 'merged', commit: outcome.commit };
  } catch (error) {
    const isKnown = error instanceof StorageError && error.code !== 'write_state_unknown';
    if (isBuilding || isKnown) packs.withdraw(name);
    throw error;
  }
  return withoutMerge(parts, foreign, await parts.reach());
}

/** The answer if the head reaches the commit already: that of the merge that brought it in, if it was one of ours. */
async function withoutMerge(
  { chain, requests }: MergeParts,
  foreign: Oid,
  end: ChainEnd,
): Promise<MergeOutcome> {
  // The process that linked it may have died before syncing.
  await syncOrUnknown(chain, foreign);
  const link = await requests.find(requestFor(foreign), end);
  if (link !== null) return { kind: 'merged', commit: link.commit };
  return { kind: 'contained', commit: end?.commit ?? foreign };
}

function requestFor(foreign: Oid): RequestIdentity {
  return { requestId: MERGE_REQUEST + foreign, digest: foreign };
}

/** An object that is not stored is in no history. To find that out by the history would take all of it. */
async function isContained(objects: ObjectReader, foreign: Oid, head: Oid): Promise<boolean> {
  return (await isCommit(objects, foreign)) && isAncestor(objects, foreign, head);
}

async function isCommit(objects: ObjectReader, oid: Oid): Promise<boolean> {
  try {
    return (await objects.read(oid)).type === 'commit';
  } catch (error) {
    if (isLost(error)) return false;
    throw error;
  }
}

/**
 * True if one of the commits after `head`, which does not reach `foreign`, brought it in. Throws `busy` if `base` does
 * not descend from `head`, as after a repair: then what was judged beside `head` has to be judged again.
 */
async function cameIn(objects: ObjectReader, foreign: Oid, head: Oid | null, base: Oid): Promise<boolean> {
  if (head === base) return false;
  if (head === null) return isContained(objects, foreign, base);
  let descends = false;
  const read = (oid: Oid) => readIfThere(objects, oid);
  for await (const { oid, parents } of commitsBeside(objects, { from: base, beside: head, read })) {
    if (oid === foreign) return true;
    if (parents.includes(head)) descends = true;
  }
  if (!descends) throw new StorageError('busy', 'The branch was repaired while the merge was judged.');
  return false;
}
