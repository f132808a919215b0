import type { Host } from '../files/host.ts';
import { randomName } from '../files/host.ts';
import { parseCommit, trailerLines } from '../objects/commit-text.ts';
import type { PackDirectory } from '../objects/pack-directory.ts';
import { type EncodedPack, encodePack } from '../objects/pack-writer.ts';
import type { CommitOutcome, CommitRequest, ObjectReader, Oid } from '../storage.ts';
import { StorageError } from '../storage-error.ts';
import type { CommitChain } from './chain.ts';
import type { ChainEnd, ChainLink } from './chain-link.ts';
import { type Requests, readChained } from './requests.ts';
import { openTransaction } from './transaction.ts';

/** Runs a phase of the work, and may note how long it took. */
export type Trace = <T>(phase: string, work: () => Promise<T>) => Promise<T>;

export interface LandingParts {
  trace: Trace;
  host: Host;
  chain: CommitChain;
  requests: Requests;
  packs: PackDirectory;
  objects: ObjectReader;
  /** Gets the branch ready to go from the base to a commit that is about to be linked. Never fails. */
  prepareMove(from: Oid | null, to: Oid): Promise<PreparedMove>;
}

/** The move of the branch that goes with a link: nothing of it keeps the commit from being safe, and it never fails. */
export interface PreparedMove {
  linked(): Promise<void>;
  withdraw(): void;
}

/** Where a landing begins. `fresh`: it was the end of the chain at a moment after the request came in. */
export interface Start {
  end: ChainEnd;
  fresh: boolean;
}

/**
 * Lands a change on the chain, exactly once: build it on the end of the chain, store it durably, link it; if
 * another commit was linked there first, follow the chain, see whether one of those commits is this very
 * request, and build again on the new end. A start that may be old costs an attempt where it is, and no more:
 * only a fresh one decides that there is nothing to change, or that the change cannot be made.
 */
export async function landCommit(
  parts: LandingParts,
  start: Start,
  request: CommitRequest,
): Promise<CommitOutcome> {
  const { trace, host, chain, requests, objects } = parts;
  let { end: base, fresh } = start;
  if (base) await readChained(objects, base.commit);
  // The base is fixed before the look-up: what is linked after it is seen when our own link fails.
  let lookup = request.idIsNew
    ? Promise.resolve(null)
    : trace('look up request', () => requests.find(request, base));
  for (let replays = 0; ; ) {
    const attempt = await attemptCommit(parts, base, request, lookup);
    if (attempt.kind === 'repeated') return repeated(chain, attempt.link);
    if (attempt.kind === 'committed') {
      return { kind: 'committed', commit: attempt.commit, parent: base?.commit ?? null, replays };
    }
    if (attempt.kind !== 'lost' && fresh) return withoutCommit(chain, base, attempt);
    if (attempt.kind === 'lost') {
      replays += 1;
      await pause(host, replays);
    } else {
      await chain.refresh();
    }
    fresh = true;
    const passed = await chain.follow(base);
    lookup = requests.findAmong(request, passed);
    base = passed.at(-1) ?? base;
  }
}

type Attempt =
  | { kind: 'committed'; commit: Oid }
  | { kind: 'repeated'; link: ChainLink }
  | { kind: 'unchanged' }
  | { kind: 'failed'; reason: unknown }
  | { kind: 'lost' };

async function attemptCommit(
  parts: LandingParts,
  base: ChainEnd,
  request: CommitRequest,
  lookup: Promise<ChainLink | null>,
): Promise<Attempt> {
  // Side by side, for each is a few round trips. What the look-up finds goes before whatever the build says:
  // it may have failed only because an earlier call of this request did its work.
  const [found, stored, remembered] = await Promise.allSettled([
    lookup,
    storeAttempt(parts, base, request),
    parts.requests.remember(base),
  ]);
  const commit = stored.status === 'fulfilled' ? stored.value : null;
  const withdraw = () => commit && withdrawAttempt(parts, commit);
  if (found.status === 'rejected') {
    withdraw();
    throw found.reason;
  }
  if (found.value) {
    withdraw();
    return { kind: 'repeated', link: found.value };
  }
  if (stored.status === 'rejected') {
    const { reason } = stored;
    return (await wasTakenAway(parts, base, reason)) ? { kind: 'lost' } : { kind: 'failed', reason };
  }
  if (!commit) return { kind: 'unchanged' };
  if (remembered.status === 'rejected' || request.signal?.aborted) {
    withdraw();
    throw remembered.status === 'rejected' ? remembered.reason : outOfTime();
  }
  return linkAttempt(parts, base, commit, request);
}

/**
 * Whether maintenance took the pack away while it was written, which it may as soon as another commit is linked after
 * the base: no name leads to this one any more.
 */
async function wasTakenAway({ chain }: LandingParts, base: ChainEnd, reason: unknown): Promise<boolean> {
  if (!(reason instanceof StorageError) || !GONE.has(reason.data.errno)) return false;
  await chain.refresh();
  return (await chain.follow(base)).length > 0;
}

/** What a removed file is answered with, by its name and, on NFS, where it is open. */
const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ESTALE']);

interface StoredAttempt {
  name: Oid;
  pack: EncodedPack;
  move: PreparedMove;
}

async function storeAttempt(
  { trace, host, objects, packs, prepareMove }: LandingParts,
  base: ChainEnd,
  { requestId, digest, signal, build }: CommitRequest,
): Promise<StoredAttempt | null> {
  if (signal?.aborted) throw outOfTime();
  // The nonce keeps two attempts from making the same commit, and so one name for two packs.
  const trailers = { requestId, digest, nonce: randomName(host) };
  const transaction = openTransaction(objects, trailerLines(trailers));
  const parent = base?.commit ?? null;
  const commit = await trace('build', () => build(parent, transaction));
  if (commit === null) return null;
  const text = parseCommit(transaction.written(commit)?.content ?? new Uint8Array());
  if ((text.parents[0] ?? null) !== parent || text.request?.nonce !== trailers.nonce) {
    throw new Error('The commit that was built does not name its base and its trailers.');
  }
  const pack = encodePack(transaction.objects(), { haste: true });
  const moving = prepareMove(parent, commit);
  try {
    await trace('upload', () => packs.land(commit, pack));
  } catch (error) {
    (await moving).withdraw();
    throw error;
  }
  return { name: commit, pack, move: await moving };
}

function withdrawAttempt({ packs }: LandingParts, { name, move }: StoredAttempt): void {
  packs.withdraw(name);
  move.withdraw();
}

async function linkAttempt(
  parts: LandingParts,
  base: ChainEnd,
  attempt: StoredAttempt,
  request: CommitRequest,
): Promise<Attempt> {
  const { trace, chain, packs } = parts;
  const { name, pack, move } = attempt;
  let linked: boolean;
  try {
    linked = await trace('link', () => chain.append(base, name, false));
  } catch (error) {
    if (error instanceof StorageError && error.code !== 'write_state_unknown')
      withdrawAttempt(parts, attempt);
    throw error;
  }
  if (!linked) {
    withdrawAttempt(parts, attempt);
    return { kind: 'lost' };
  }
  packs.linked(name, pack);
  const durable = Promise.all([syncOrUnknown(chain, name), trace('move ref', move.linked)]);
  try {
    request.linked?.(name, base?.commit ?? null);
  } finally {
    await durable;
  }
  return { kind: 'committed', commit: name };
}

/** Whoever linked it may not have come to sync it, and the answer promises that it stays. */
async function repeated(chain: CommitChain, link: ChainLink): Promise<CommitOutcome> {
  await syncOrUnknown(chain, link.commit);
  return { kind: 'repeated', commit: link.commit, parent: link.parent };
}

async function withoutCommit(
  chain: CommitChain,
  base: ChainEnd,
  attempt: { kind: 'unchanged' } | { kind: 'failed'; reason: unknown },
): Promise<CommitOutcome> {
  if (attempt.kind === 'failed') throw attempt.reason;
  // That there is nothing to change is a promise too.
  await chain.sync();
  return { kind: 'unchanged', head: base?.commit ?? null };
}

async function syncOrUnknown(chain: CommitChain, commit: Oid): Promise<void> {
  try {
    await chain.sync();
  } catch (error) {
    const message = 'The commit is in the branch, but the disk did not say that it will stay there.';
    throw new StorageError('write_state_unknown', message, { commit }, { cause: error });
  }
}

/** Some writer has won each time, so nobody starves all; a pause spreads out those who lose again and again. */
async function pause(host: Host, replays: number): Promise<void> {
  if (replays < 4) return;
  const longest = Math.min(1000, 10 * 2 ** (replays - 4));
  await host.wait(((host.randomBytes(1)[0] ?? 0) / 256) * longest);
}

function outOfTime(): StorageError {
  return new StorageError(
    'busy',
    'The time for the write ran out before it was committed. Nothing was written.',
  );
}
