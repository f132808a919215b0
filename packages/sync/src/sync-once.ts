import { type Oid, type RemoteSettings, type SyncReport, WikiError } from '@pagetree/wiki/contract';
import type { BranchSide } from './branch-side.ts';
import { chooseBranch, startOf } from './choose-branch.ts';
import { type KeptProjection, openFolderBranch } from './folder/folder-branch.ts';
import { Halted } from './halted.ts';
import type { Remote } from './transport/remote.ts';
import { RemoteFailure } from './transport/remote-failure.ts';
import type { Merged, WikiSide } from './wiki-side.ts';

export interface SyncParts {
  side: WikiSide;
  remote: Remote;
  settings: RemoteSettings;
  /** The branch and the commit of the remote at which the last sync ended. */
  known: Pick<SyncReport, 'branch' | 'tip'>;
  /** The address of the remote, for people. */
  shown: string;
  /** Null if the whole repository is the wiki. */
  kept: KeptProjection | null;
  signal?: AbortSignal | undefined;
}

export interface Synced {
  /** The branch of the remote. */
  branch: string;
  /** The commit of that branch, which is in the wiki; null if both are empty. */
  tip: Oid | null;
  /** The head of the wiki. */
  head: Oid | null;
  /** The answer of the merge; null if the remote had no new commits. */
  taken: Merged | null;
  isPushed: boolean;
  receivedBytes: number;
  sentBytes: number;
}

/**
 * Brings a wiki and its remote in step: takes in what the remote has, then pushes what it lacks. A push that loses the
 * race against another one begins again. Nothing is kept between these steps, so that a sync may end at any point.
 * Throws RemoteFailure, Halted and WikiError.
 */
export async function syncOnce(parts: SyncParts): Promise<Synced> {
  const done: Pick<Synced, 'taken' | 'receivedBytes' | 'sentBytes'> = {
    taken: null,
    receivedBytes: 0,
    sentBytes: 0,
  };
  for (let round = 1; ; round += 1) {
    try {
      return await syncRound(parts, done);
    } catch (error) {
      const isLost = error instanceof RemoteFailure && error.code === 'moved';
      if (!isLost || round === MAX_ROUNDS) throw error;
    }
  }
}

async function syncRound(
  parts: SyncParts,
  done: Pick<Synced, 'taken' | 'receivedBytes' | 'sentBytes'>,
): Promise<Synced> {
  const { side, remote, settings, known, signal, kept } = parts;
  const before = await side.head();
  const refs = await remote.refs(signal);
  const branch = chooseBranch({ wanted: settings.branch, known, refs, own: before.branch });
  // Bytes that are not UTF-8 were replaced, and cannot be sent back as they were.
  if (branch.includes('\uFFFD'))
    throw new RemoteFailure('unsupported', { remote: parts.shown, reason: 'branch_name' });
  const found: Tip = { tip: refs.refs.get(branch) ?? null, branch, head: before.commit };
  const isBegun = found.tip !== null || settings.mode === 'pull';
  const there =
    kept === null
      ? wholeBranch(parts, found)
      : await openFolderBranch({
          ...{ ...parts, ...found, kept, signal, isPushOnly: settings.mode === 'push' },
          start: isBegun ? found.tip : startOf(branch, { known, refs }),
        });
  await takeIn(parts, { there, ...found }, done);
  const { tip } = there;
  const { commit: head } = await side.head();
  there.met(head);
  const synced = { ...done, branch, head };
  const isSame = head === null || (head === tip && there.isThere);
  if (isSame || settings.mode === 'pull') return { ...synced, tip, isPushed: false };
  const sentBytes = await there.push(head);
  return { ...synced, tip: head, isPushed: sentBytes > 0, sentBytes: done.sentBytes + sentBytes };
}

interface Tip {
  tip: Oid | null;
  branch: string;
  head: Oid | null;
}

/** The branch itself: its commits are those of the wiki. */
function wholeBranch(
  { side, remote, known, shown, signal }: SyncParts,
  { tip, branch, head }: Tip,
): BranchSide {
  let receivedBytes = 0;
  return {
    tip,
    note: null,
    async dropNote() {},
    isThere: tip !== null,
    get receivedBytes() {
      return receivedBytes;
    },
    async fetch() {
      if (tip === null) return null;
      const haves = head === null ? [] : await havesOf(side, head, known.tip);
      const pack = await remote.fetch({ wants: [tip], haves }, signal);
      receivedBytes = pack?.length ?? 0;
      return pack;
    },
    met() {},
    async push(to) {
      const pack = await side.pack(to, tip);
      if (pack === null) throw new RemoteFailure('too_large', { remote: shown, reason: 'push' });
      await remote.push({ ref: branch, from: tip, to, pack }, signal);
      return pack.length;
    },
  };
}

/** Afterwards the wiki has the commit of the remote in its history. */
async function takeIn(
  { side, settings, shown, kept }: SyncParts,
  { there, branch, head }: Pick<Tip, 'branch' | 'head'> & { there: BranchSide },
  done: Pick<Synced, 'taken' | 'receivedBytes'>,
): Promise<void> {
  const folder = kept === null ? '' : `${kept.projection.folder}/ of `;
  if (there.tip === null) return;
  // Asked each time: a wiki that was put back to an older state would else push the remote back too.
  const place = await side.placeOf(there.tip, head);
  if (place === 'in history') return;
  if (settings.mode === 'push') throw new Halted('diverged', { branch });
  const bring: Bring = async (commit, { isStored }) => {
    const pack = isStored ? null : await there.fetch(commit);
    return side.merge(commit, pack, sourceOf(`${folder}branch`, branch, shown));
  };
  let isStored = place === 'stored';
  if (there.note !== null) {
    await bringNote(there, bring);
    isStored = (await side.placeOf(there.tip, head)) === 'stored';
  }
  const taken = await bring(there.tip, { isStored });
  done.receivedBytes += there.receivedBytes;
  if (taken.outcome !== 'contained') done.taken = taken;
}

type Bring = (commit: Oid, place: { isStored: boolean }) => Promise<Merged>;

async function bringNote(there: BranchSide, bring: Bring): Promise<void> {
  try {
    if (there.note !== null) await bring(there.note, { isStored: false });
  } catch (error) {
    // What a later commit has put right does not stop the sync.
    if (!(error instanceof WikiError) || (error.code !== 'invalid_input' && error.code !== 'too_large'))
      throw error;
    await there.dropNote();
  }
}

/** Commits that both sides may have: the newest ones of the wiki, and the one at which both met last. */
async function havesOf(side: WikiSide, head: Oid, met: Oid | null): Promise<Oid[]> {
  const haves = new Set([...(await side.recentCommits()), head]);
  // The wiki may have gone on by more commits than it names. It may also have been put back to before that commit.
  if (met !== null && (await side.placeOf(met, head)) === 'in history') haves.add(met);
  return [...haves];
}

/** The name of the other history in the message of the merge. The merge takes no longer one. */
function sourceOf(what: string, branch: string, shown: string): string {
  const source = `${what} ${branch.slice('refs/heads/'.length)} of ${shown}`;
  return source.length > MAX_SOURCE ? `${source.slice(0, MAX_SOURCE - 1).toWellFormed()}…` : source;
}

/** As many characters as the contract takes. */
const MAX_SOURCE = 200;
/** More often others push than any team does by hand. */
const MAX_ROUNDS = 5;
