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
import type { BranchRef } from './branch-ref.ts';
import type { CommitChain } from './chain.ts';

/** What is done after a commit is safe: the ref for native git, the hint for the next start, tidying up. */
export interface FollowUp {
  /** Moves the ref when the writer was answered: locally a few milliseconds later. */
  afterCommit(): void;
  /** Moves the ref before long; `found` is what was seen in it. */
  soon(found: Oid | null): void;
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
  packs: PackDirectory;
  merger: PackMerger;
  /** Asked for late, for it moves the ref through here. */
  adoption(): Adoption;
}

export function openFollowUp(parts: FollowUpParts): FollowUp {
  const { fs, host, layout, shared, chain, ref, packs, merger } = parts;
  const inTurn = openSerialQueue();
  let refAt: Oid | null = null;
  let commitsBehind = 0;
  let waiting = false;
  let closed = false;
  let defect: unknown = null;

  function afterCommit(): void {
    commitsBehind += 1;
    const many = shared && commitsBehind >= COMMITS_PER_REF;
    if (many) commitsBehind = 0;
    later(many ? 0 : shared ? QUIET_MS : AFTER_ANSWER_MS);
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

  async function settle(): Promise<void> {
    if (defect !== null) throw defect;
    await inTurn(() => catchUp(true));
  }

  async function close(): Promise<void> {
    closed = true;
    await settle();
  }

  async function catchUp(completely: boolean): Promise<void> {
    await packs.sweep();
    await chain.writeHint(completely ? 1 : LINKS_PER_HINT);
    for (let pause = RETRY_MS; ; pause *= 2) {
      const moved = await moveRef();
      if (moved === 'moved') break;
      if (moved === 'foreign') await parts.adoption().refresh();
      if (pause > LONGEST_RETRY_MS) throw locked();
      await host.wait(pause);
    }
    if (completely && shared) await moveRefToEnd();
    if (packs.kept().length >= (completely ? 1 : PACKS_PER_RELEASE)) await releasePacks();
    // The hint tells new clients where the newest objects lie, and they have just been moved.
    if (await merger.inPassing()) await chain.writeHint(0);
    // A process that goes on leaves native git, which does not look for a pack again, the time of grace.
    if (completely && (shared || closed)) await merger.deleteMerged();
  }

  async function moveRef(): Promise<'moved' | 'locked' | 'foreign'> {
    const known = chain.known();
    if (!known || known.commit === refAt) return 'moved';
    commitsBehind = 0;
    let to: Oid | null = null;
    // Settled before: a ref that outlives the chain's link in a power cut would come back as a stranger's push.
    const moved = await ref.move(async (current) => {
      if (current !== null && current !== refAt && !(await parts.adoption().covers(current))) return null;
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
    while ((chain.known()?.commit ?? null) !== refAt && (await moveRef()) === 'moved');
  }

  async function releasePacks(): Promise<void> {
    const commits = packs.kept();
    if ((await moveRef()) !== 'moved') return;
    await syncDirectory(fs, dirname(layout.refFile));
    await packs.release(commits);
  }

  return { afterCommit, soon, settle, close };
}

const COMMITS_PER_REF = 8;
const QUIET_MS = 1000;
/** Several writes in a row share a move. */
const AFTER_ANSWER_MS = 5;
const LINKS_PER_HINT = 4;
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
