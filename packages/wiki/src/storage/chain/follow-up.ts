import { dirname } from 'node:path';
import { syncDirectory } from '../files/durable-file.ts';
import type { FileSystem } from '../files/file-system.ts';
import type { Host } from '../files/host.ts';
import { openSerialQueue } from '../files/serial-queue.ts';
import type { Layout } from '../layout.ts';
import type { PackDirectory } from '../objects/pack-directory.ts';
import type { PackMerger } from '../objects/pack-merger.ts';
import type { Oid } from '../storage.ts';
import { StorageError } from '../storage-error.ts';
import type { Adoption } from './adoption.ts';
import type { BranchRef, PreparedRef } from './branch-ref.ts';
import type { CommitChain } from './chain.ts';
import type { PreparedMove } from './landing.ts';
import type { Requests } from './requests.ts';

/** What is done after a commit is safe: the ref for native git, the hint for the next start, tidying up. */
export interface FollowUp {
  /**
   * For a commit that is about to be linked to `from`. Locally the ref is moved before `linked` returns, unless git
   * is just changing it; the rest comes later.
   */
  prepareMove(from: Oid | null, to: Oid): Promise<PreparedMove>;
  /** Moves the ref before long; `found` is what was seen in it. */
  soon(found: Oid | null): void;
  /** Moves the ref away from a commit that is lost and was never in the chain. Throws why it cannot. */
  leave(lost: Oid): Promise<void>;
  /** Does now all that is left. Throws why it cannot. */
  settle(): Promise<void>;
  /** The same for the last time: nothing comes later. */
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
  /** Asked for late, for it moves the ref through here. */
  adoption(): Adoption;
}

export function openFollowUp(parts: FollowUpParts): FollowUp {
  const { fs, host, layout, shared, chain, ref, requests, packs, merger } = parts;
  // To follow a link costs a new client of a shared mount a round trip, and a disk less than to write the hint.
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
    // Where there is none, the move itself writes it.
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

  /** Nearly always nobody moved it since the base was read: then all is written, and nothing is left to look up. */
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

  /** Nobody waits for this work, and the write that it follows is safe. `settle` does it again, and tells. */
  function note(error: unknown): void {
    if (!(error instanceof StorageError)) defect = error;
  }

  function soon(found: Oid | null): void {
    // Somebody moved it back, or a crash emptied it.
    if (found !== refAt) refAt = null;
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
    const merged = await merger.inPassing();
    // On a shared mount the hint tells new clients where the newest objects lie, and they have just been moved.
    if (merged && shared) await chain.writeHint(0);
    // A process that goes on leaves native git, which does not look for a pack again, the time of grace.
    if (completely && (shared || closed)) await merger.deleteMerged();
  }

  async function untilMoved(lost: Oid | null = null): Promise<void> {
    for (let pause = RETRY_MS; ; pause *= 2) {
      const moved = await moveInTurn(() => moveRef(lost));
      if (moved === 'moved') return;
      if (moved === 'foreign') await parts.adoption().refresh();
      if (pause > LONGEST_RETRY_MS) throw locked();
      await host.wait(pause);
    }
  }

  async function moveRef(lost: Oid | null = null): Promise<Moved> {
    const known = chain.known();
    if (!known || known.commit === refAt) return 'moved';
    commitsBehind = 0;
    let to: Oid | null = null;
    // Settled before: a ref that outlives the chain's link in a power cut would come back as a stranger's push.
    const moved = await ref.move(async (current) => {
      const isKnown = current === null || current === refAt || current === lost;
      if (!isKnown && !(await parts.adoption().covers(current))) return null;
      const end = shared ? known : await chain.refresh();
      to = end?.commit ?? null;
      return to;
    }, chain.settle);
    if (moved !== 'moved') return moved;
    refAt = to;
    // Without a lock a process that froze over this puts an old commit back: so it looks again.
    if (shared && (await chain.refresh())?.commit !== refAt) later(QUIET_MS);
    return 'moved';
  }

  /** Whoever puts an old commit back must see it, and be the last to do so. */
  async function moveRefToEnd(): Promise<void> {
    await chain.refresh();
    while ((chain.known()?.commit ?? null) !== refAt && (await moveInTurn(() => moveRef())) === 'moved');
  }

  async function releasePacks(): Promise<void> {
    const commits = packs.kept();
    if ((await moveInTurn(() => moveRef())) !== 'moved') return;
    await syncDirectory(fs, dirname(layout.refFile));
    // Of the newest commit's request its pack is the only trace, and what is released may be merged, also by git.
    await requests.rememberUnlessLost(chain.known());
    await packs.release(commits);
  }

  return { prepareMove, soon, leave, settle, close };
}

type Moved = Awaited<ReturnType<BranchRef['move']>>;

const COMMITS_PER_REF = 8;
const QUIET_MS = 1000;
const PACKS_PER_RELEASE = 16;
/** Another process may be about to move it, and git refuses a push while two of ours compete for its lock. */
const SOON_MS = 200;
const RETRY_MS = 20;
const LONGEST_RETRY_MS = 1000;

function locked(): StorageError {
  return new StorageError(
    'busy',
    'Another program holds the lock of the branch, so native git sees an older commit.',
  );
}
