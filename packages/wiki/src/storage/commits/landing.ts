import { parseCommit } from '../../formats/commit.ts';
import type { Oid } from '../../formats/oid.ts';
import type { EncodedPack } from '../../formats/packs/pack.ts';
import { type Host, randomName } from '../files/host.ts';
import { packGathered } from '../packs/gathered-pack.ts';
import type { PackDirectory } from '../packs/pack-directory.ts';
import type { CommitOutcome, CommitRequest, ObjectReader, Trace } from '../storage.ts';
import { StorageError } from '../storage-error.ts';
import type { CommitChain } from './chain.ts';
import type { ChainEnd, ChainLink } from './chain-link.ts';
import { requestOf, trailerLines } from './request-trailers.ts';
import { type Requests, readChained } from './requests.ts';
import { openTransaction } from './transaction.ts';

export interface LandingParts {
  trace: Trace;
  host: Host;
  chain: CommitChain;
  requests: Requests;
  packs: PackDirectory;
  objects: ObjectReader;
  /** Prepares the move of the branch from the base to a commit that is about to be linked. Never fails. */
  prepareMove(from: Oid | null, to: Oid): Promise<PreparedMove>;
}

/** The move of the branch ref that follows a link. The commit is safe without it, and it never fails. */
export interface PreparedMove {
  linked(): Promise<void>;
  withdraw(): void;
}

/** The base of a landing. `fresh`: it was the end of the chain at a moment after the request came in. */
export interface Start {
  end: ChainEnd;
  fresh: boolean;
}

/**
 * Lands a change on the chain exactly once. Builds it on the end of the chain, stores it durably and links
 * it. If another commit was linked there first, follows the chain, checks whether one of the new commits is
 * this very request, and builds again on the new end. An outdated start costs one attempt at most. Only a
 * fresh start decides that there is nothing to change, or that the change cannot be made.
 */
export async function landCommit(
  parts: LandingParts,
  start: Start,
  request: CommitRequest,
): Promise<CommitOutcome> {
  const { trace, host, chain, requests, objects } = parts;
  let { end: base, fresh } = start;
  if (base) await readChained(objects, base.commit);
  // The base is fixed before the look-up: if anything is linked after it, our own link fails, and we see it
  // then.
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
  // Run side by side, since each takes a few round trips. The result of the look-up goes before that of the
  // build: the build may have failed only because an earlier call of this request did its work.
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
 * True if maintenance removed the pack while it was written. It may do so as soon as another commit is linked
 * after the base: then no name leads to this commit any more.
 */
async function wasTakenAway({ chain }: LandingParts, base: ChainEnd, reason: unknown): Promise<boolean> {
  if (!(reason instanceof StorageError) || !GONE.has(reason.data.errno)) return false;
  await chain.refresh();
  return (await chain.follow(base)).length > 0;
}

/** The errors for a removed file: by its name, and on NFS also while it is open. */
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
  // The nonce keeps two attempts from making the same commit, and so from giving two packs the same name.
  const trailers = { requestId, digest, nonce: randomName(host) };
  const transaction = openTransaction(objects, trailerLines(trailers));
  const parent = base?.commit ?? null;
  const commit = await trace('build', () => build(parent, transaction));
  if (commit === null) return null;
  const text = parseCommit(transaction.written(commit)?.content ?? new Uint8Array());
  if ((text.parents[0] ?? null) !== parent || requestOf(text)?.nonce !== trailers.nonce) {
    throw new Error('The commit that was built does not name its base and its trailers.');
  }
  const pack = await packGathered(transaction.objects());
  if (signal?.aborted) throw outOfTime();
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

/** The process that linked it may have died before syncing. Sync here: the answer promises durability. */
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
  // The answer "nothing to change" is a promise too.
  await chain.sync();
  return { kind: 'unchanged', head: base?.commit ?? null };
}

/** Throws `write_state_unknown` if the disk fails. */
export async function syncOrUnknown(chain: CommitChain, commit: Oid): Promise<void> {
  try {
    await chain.sync();
  } catch (error) {
    const message = 'The commit is in the branch, but the disk did not say that it will stay there.';
    throw new StorageError('write_state_unknown', message, { commit }, { cause: error });
  }
}

/**
 * One writer wins each time, so the system always makes progress. The pause spreads out writers that lose
 * again and again.
 */
async function pause(host: Host, replays: number): Promise<void> {
  if (replays < 4) return;
  const longest = Math.min(1000, 10 * 2 ** (replays - 4));
  await host.wait(((host.randomBytes(1)[0] ?? 0) / 256) * longest);
}

export function outOfTime(): StorageError {
  return new StorageError(
    'busy',
    'The call was cancelled, or its time ran out, before anything was committed.',
  );
}
