import { parseCommit } from '../../formats/commit.ts';
import type { Oid } from '../../formats/oid.ts';
import { type ChainEnd, FIRST_NAME, linksAfter } from '../commits/chain-link.ts';
import { type LandingParts, outOfTime, syncOrUnknown } from '../commits/landing.ts';
import type { Host } from '../files/host.ts';
import { endIsLost } from '../native-git/adoption.ts';
import type { PushedCommit, PushOutcome, PushRequest, ReceivedPush } from '../storage.ts';
import { StorageError } from '../storage-error.ts';

export interface PushParts
  extends Pick<LandingParts, 'host' | 'chain' | 'requests' | 'packs' | 'prepareMove'> {
  /** A fresh end of the chain. */
  reach(): Promise<ChainEnd>;
  /** True if the chain, or the history of its end, holds the commit. */
  covers(commit: Oid): Promise<boolean>;
  /** True if a writer of this branch made the commit. */
  wasMadeHere(commit: Oid, text: ReturnType<typeof parseCommit>): Promise<boolean>;
}

/** The outcome of a push that cannot land or need not. Null if the head is the commit onto which it pushes. */
export async function outcomeWithoutPush(
  { chain, reach }: Pick<PushParts, 'chain' | 'reach'>,
  { from, to }: Pick<PushRequest, 'from' | 'to'>,
): Promise<PushOutcome | null> {
  const end = await reach();
  const head = end?.commit ?? null;
  if (head === from) return head === to ? { kind: 'repeated' } : null;
  if (!(await leadsTo(chain, end, from, to))) return { kind: 'moved', head };
  // The process that linked it may have died before syncing.
  await syncOrUnknown(chain, to);
  return { kind: 'repeated' };
}

/** True if the chain leads from `from` to `to`: a push back to an older commit is no repeated one. */
async function leadsTo(
  chain: PushParts['chain'],
  end: ChainEnd,
  from: Oid | null,
  to: Oid,
): Promise<boolean> {
  if (end?.commit !== to && !(await chain.hasSuccessor(to))) return false;
  const start = from === null ? null : { parent: null, commit: from, adopted: false };
  const read = (name: string) => chain.linkAfter(name === FIRST_NAME ? null : name);
  for await (const { commit } of linksAfter(start, read)) if (commit === to) return true;
  return false;
}

/**
 * Lands a push: stores its pack durably, makes sure of the request of the commit before it, and links `to`. Nothing is
 * built again if another commit comes first: the client decides what to do then.
 *
 * The link is marked as adopted, so that nobody believes the trailers in the messages. The pack gets a random name. Two
 * pushes of the same commit may run at once, and the one that fails removes its pack; and a pack that is named after
 * its commit would be the proof that a writer made it.
 */
export async function landPush(
  parts: PushParts,
  end: ChainEnd,
  push: PushRequest,
  { pack, commits }: ReceivedPush,
): Promise<PushOutcome> {
  const { chain, packs } = parts;
  await requireForeign(parts, end, commits);
  if (push.signal?.aborted) throw outOfTime();
  const name = packName(parts.host);
  const moving = parts.prepareMove(push.from, push.to);
  const stored = await Promise.allSettled([packs.landPushed(name, pack, push), parts.requests.remember(end)]);
  const move = await moving;
  const withdraw = () => {
    packs.withdraw(name);
    move.withdraw();
  };
  const failed = stored.find((each) => each.status === 'rejected');
  if (failed || push.signal?.aborted) {
    withdraw();
    throw failed ? failed.reason : outOfTime();
  }
  const isLinked = await chain.append(end, push.to, true).catch((error: unknown) => {
    if (error instanceof StorageError && error.code !== 'write_state_unknown') withdraw();
    throw error;
  });
  if (!isLinked) {
    withdraw();
    return (await outcomeWithoutPush(parts, push)) ?? { kind: 'moved', head: push.from };
  }
  packs.linkedPush(name);
  await Promise.all([syncOrUnknown(chain, push.to), move.linked()]);
  return { kind: 'landed' };
}

/**
 * Throws if a writer of this branch made one of the commits and the wiki does not have it. The writer linked the commit
 * before anybody could fetch it, so that link is lost, and with it the proof of its request. A sender may repeat commits
 * that the wiki has: their dates do not always show that these are old.
 */
export async function requireForeign(
  { wasMadeHere, covers, reach }: PushParts,
  end: ChainEnd,
  commits: readonly PushedCommit[],
): Promise<void> {
  for (const { oid, content } of commits) {
    if (!(await wasMadeHere(oid, parseCommit(content))) || (await covers(oid))) continue;
    // Or another process has just linked it.
    if ((await reach())?.commit === end?.commit) throw endIsLost();
  }
}

/** As long as an oid: only such names are packs to git's own housekeeping and ours. */
export function packName(host: Host): string {
  return Buffer.from(host.randomBytes(20)).toString('hex');
}
