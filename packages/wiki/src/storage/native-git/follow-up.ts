import { dirname } from 'node:path';
import type { Oid } from '../../formats/oid.ts';
import { openSerialQueue } from '../../scheduling/serial-queue.ts';
import type { CommitChain } from '../commits/chain.ts';
import type { PreparedMove } from '../commits/landing.ts';
import type { Requests } from '../commits/requests.ts';
import { syncDirectory } from '../files/durable-file.ts';
import type { FileSystem } from '../files/file-system.ts';
import type { Host } from '../files/host.ts';
import type { Layout } from '../layout.ts';
import type { PackMerger } from '../packs/merging/pack-merger.ts';
import type { PackDirectory } from '../packs/pack-directory.ts';
import { StorageError } from '../storage-error.ts';
import type { Adoption, Reached } from './adoption.ts';
import type { BranchRef, PreparedRef } from './branch-ref.ts';

/** The work after a commit is safe: the ref for native git, the hint for the next start, tidying up. */
export interface FollowUp {
  /**
   * Prepares the ref for a commit that is about to be linked to `from`. On a local disk the ref moves before
   * `linked` returns, unless git is changing it at that moment. The rest comes later.
   */
  prepareMove(from: Oid | null, to: Oid): Promise<PreparedMove>;
  /** Moves the ref soon if a look at the branch found it behind the chain. */
  keepUp(seen: Pick<Reached, 'behind'>): void;
  /**
   * Moves the ref away from a commit that is lost and was never in the chain. Throws the reason if it cannot.
   */
  leave(lost: Oid): Promise<void>;
  /** Does all remaining work now. Throws the reason if it cannot. */
  settle(): Promise<void>;
  /** Does the same for the last time: nothing is postponed. */
  close(): Promise<void>;
}

export interface FollowUpParts {
  fs: FileSystem;
  host: Host;
  layout: Layout;
  shared: boolean;
  chain: CommitChain;
  ref: BranchRef;
  requests: Requests;
  packs: PackDirectory;
  merger: PackMerger;
  adoption: Adoption;
}

export function openFollowUp(parts: FollowUpParts): FollowUp {
  const { fs, host, layout, shared, chain, ref, requests, packs, merger, adoption } = parts;
  // Following one link costs a new client of a shared mount a round trip, and costs a disk less than writing
  // the hint.
  const linksPerHint = shared ? 4 : 16;
  const inTurn = openSerialQueue();
  /** A queue of its own: a write waits for a move of the ref, but not for a merge of packs. */
  const moveInTurn = openSerialQueue();
  const toEnd: PreparedRef[] = [];
  let refAt: Oid | null = null;
  let commitsBehind = 0;
  let waiting = false;
  let closed = false;
  let defect: unknown = null;

  async function prepareMove(from: Oid | null, to: Oid): Promise<PreparedMove> {
    if (shared) return { linked: async () => moveWhenMany(), withdraw: () => undefined };
    // Without a prepared value, the move itself writes it.
    const prepared = (await ref.prepare(to).catch(note)) ?? null;
    const end = () => void (prepared && toEnd.push(prepared));
    return {
      linked: async () => {
        const moved = await moveInTurn(() => moveFrom(from, to, prepared)).catch(note);
        end();
        later(moved === 'moved' ? 0 : RETRY_MS);
      },
      withdraw: end,
    };
  }

  function moveWhenMany(): void {
    commitsBehind += 1;
    const many = commitsBehind >= COMMITS_PER_REF;
    if (many) commitsBehind = 0;
    later(many ? 0 : QUIET_MS);
  }

  /**
   * Nearly always the ref has not moved since the base was read: then everything is written, and nothing
   * needs to be looked up.
   */
  async function moveFrom(from: Oid | null, to: Oid, prepared: PreparedRef | null): Promise<Moved> {
    if (!prepared) return moveRef();
    await chain.settle();
    if (!(await prepared.moveFrom(from))) return moveRef();
    refAt = to;
    return 'moved';
  }

  function later(delay: number): void {
    if (closed || (delay > 0 && waiting)) return;
    waiting = true;
    host
      .wait(delay)
      .then(() => {
        waiting = false;
        return closed ? undefined : inTurn(() => catchUp(false));
      })
      .catch(note);
  }

  /**
   * Notes an error of background work: no caller waits for it, and the write before it is safe. `settle`
   * repeats the work and throws.
   */
  function note(error: unknown): void {
    if (!(error instanceof StorageError)) defect = error;
  }

  function keepUp({ behind }: Pick<Reached, 'behind'>): void {
    if (behind === null) return;
    // Another process moved the ref back, or a crash emptied it.
    if (behind.ref !== refAt) refAt = null;
    later(SOON_MS);
  }

  async function leave(lost: Oid): Promise<void> {
    refAt = null;
    await inTurn(() => untilMoved(lost));
  }

  async function settle(): Promise<void> {
    if (defect !== null) throw defect;
    await inTurn(() => catchUp(true));
  }

  async function close(): Promise<void> {
    closed = true;
    await settle();
  }

  async function catchUp(completely: boolean): Promise<void> {
    for (const prepared of toEnd.splice(0)) await prepared.end();
    await packs.sweep();
    await chain.writeHint(completely ? 1 : linksPerHint);
    await untilMoved();
    if (completely && shared) await moveRefToEnd();
    if (packs.kept().length >= (completely ? 1 : PACKS_PER_RELEASE)) await releasePacks();
    await mergePacks();
    // A process that goes on grants native git the grace period: git does not look for a pack a second time.
    if (completely && (shared || closed)) await merger.retireMerged();
  }

  async function mergePacks(): Promise<void> {
    for (const { commit, pack } of packs.takeMergeable()) merger.offer(commit, pack);
    const merged = await merger.inPassing();
    // On a shared mount the hint shows new clients where the newest objects lie, and they have just moved.
    if (merged && shared) await chain.writeHint(0);
  }

  async function untilMoved(lost: Oid | null = null): Promise<void> {
    for (let pause = RETRY_MS; ; pause *= 2) {
      const moved = await moveInTurn(() => moveRef(lost));
      if (moved === 'moved' || moved === 'left') return;
      if (moved === 'foreign') keepUp(await adoption.refresh());
      if (pause > LONGEST_RETRY_MS) throw locked();
      await host.wait(pause);
    }
  }

  async function moveRef(lost: Oid | null = null): Promise<Moved> {
    const known = chain.known();
    if (!known || known.commit === refAt) return 'moved';
    commitsBehind = 0;
    if (shared) {
      const seen = await lookAtRef(known.commit, lost);
      if (seen !== null) return seen;
    }
    let to: Oid | null = null;
    // The chain is settled first: after a power cut, a ref that outlived the chain's link would look like a
    // foreign push.
    const moved = await ref.move(async (current) => {
      const isKnown = current === null || current === refAt || current === lost;
      if (!isKnown && !(await adoption.covers(current))) return null;
      // The look may have followed the chain further.
      const end = shared ? chain.known() : await chain.refresh();
      to = end?.commit ?? null;
      return to;
    }, chain.settle);
    if (moved !== 'moved') return moved;
    refAt = to;
    // Without a lock, a process that froze here may put an old commit back. So look again.
    if (shared && (await chain.refresh())?.commit !== refAt) later(QUIET_MS);
    return 'moved';
  }

  /**
   * On a shared mount a process looks at the ref before it moves it. It leaves it where a repair has to take back what it
   * names.
   */
  async function lookAtRef(end: Oid, lost: Oid | null): Promise<Moved | null> {
    const value = await ref.read();
    if (value.kind !== 'commit' || value.commit === lost || value.commit === refAt) return null;
    if (value.commit === end) {
      refAt = end;
      return 'moved';
    }
    try {
      return (await adoption.lacks(value.commit)) ? 'left' : null;
    } catch (error) {
      // Lost commits: nobody knows what the chain holds.
      note(error);
      return 'left';
    }
  }

  /** A process that puts an old commit back must notice it, and must be the last one to do so. */
  async function moveRefToEnd(): Promise<void> {
    await chain.refresh();
    while ((chain.known()?.commit ?? null) !== refAt && (await moveInTurn(() => moveRef())) === 'moved');
  }

  async function releasePacks(): Promise<void> {
    const commits = packs.kept();
    if ((await moveInTurn(() => moveRef())) !== 'moved') return;
    await syncDirectory(fs, dirname(layout.refFile));
    // The pack of the newest commit is the only trace of its request. Git too may merge released packs.
    await requests.rememberUnlessLost(chain.known());
    await packs.release(commits);
  }

  return { prepareMove, keepUp, leave, settle, close };
}

/** `left`: the ref names a commit that a repair has to take back. */
type Moved = Awaited<ReturnType<BranchRef['move']>> | 'left';

const COMMITS_PER_REF = 8;
const QUIET_MS = 1000;
const PACKS_PER_RELEASE = 16;
/**
 * Another process may be about to move the ref, and git refuses a push while two of ours compete for its
 * lock.
 */
const SOON_MS = 200;
const RETRY_MS = 20;
const LONGEST_RETRY_MS = 1000;

function locked(): StorageError {
  return new StorageError(
    'busy',
    'Another program holds the lock of the branch, so native git sees an older commit.',
  );
}
