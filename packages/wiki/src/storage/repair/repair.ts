import { readableName } from '../../formats/names.ts';
import type { Oid } from '../../formats/oid.ts';
import type { EncodedPack } from '../../formats/packs/pack.ts';
import type { CommitChain } from '../commits/chain.ts';
import type { ChainLink } from '../commits/chain-link.ts';
import { trailerLines } from '../commits/request-trailers.ts';
import { openTransaction } from '../commits/transaction.ts';
import type { FileSystem } from '../files/file-system.ts';
import { type Host, randomName } from '../files/host.ts';
import type { Layout } from '../layout.ts';
import type { Run } from '../maintenance/run.ts';
import type { BranchRef } from '../native-git/branch-ref.ts';
import { packGathered } from '../packs/gathered-pack.ts';
import type { PackDirectory } from '../packs/pack-directory.ts';
import type { ObjectReader, RepairReport } from '../storage.ts';
import { isLost, StorageError } from '../storage-error.ts';
import { readChain } from './chain/chain-links.ts';
import { mendChain } from './chain/mend-chain.ts';
import { repairRequestId } from './chain/naming-commit.ts';
import { findDamagedPacks, lookAtUnlinkedAgain } from './packs/damaged-packs.ts';
import { type ReplacePacksParts, replaceDamagedPacks } from './packs/replace-packs.ts';
import { readingStored } from './packs/stored-objects.ts';
import { lastCompleteOf, readableTrees } from './readable-commits.ts';
import { repairCommitText } from './repair-commit-text.ts';
import { openSalvage } from './salvage-tree.ts';
import { openSoundness, type Soundness } from './soundness.ts';
import { readCommit } from './stored-commit.ts';

export interface RepairParts {
  fs: FileSystem;
  host: Host;
  layout: Layout;
  chain: CommitChain;
  ref: BranchRef;
  packs: PackDirectory;
  makeKeep: ReplacePacksParts['makeKeep'];
  objects: ReplacePacksParts['objects'];
  /** Runs work without any writer of this process in between. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Makes the wiki's own directories if they are missing. */
  prepare(): Promise<void>;
  /**
   * Takes in the changes that native git made to the branch; in a shared wiki the commit that the ref named first, if
   * the chain lost it. `lost`: it did not, as objects of that commit's history or of the chain's are lost.
   */
  adopt(first: Oid | null): Promise<'held' | 'taken' | 'lost'>;
  /** See LostNames. */
  takeRest(commit: Oid): Promise<{ lost: Oid[]; isTaken: boolean }>;
  /** See LostNames. */
  rememberBeyond(commit: Oid): Promise<void>;
  /** Moves the branch ref away from a commit that is lost. */
  leaveRef(lost: Oid): Promise<void>;
  /** Makes sure that a repeated request finds the commit that it made. */
  remember(link: ChainLink): Promise<void>;
}

/**
 * First repairs what lies below the commits: replaces damaged packs by what can be read of them, and restores
 * lost names of the chain. Then, if commits of the chain are missing or damaged, links one new commit after
 * the end of the chain, on top of the last commit that is complete with its history. The new commit holds
 * each page as in the newest commit, or in its newest older version that can be read, and names everything
 * that is lost. No name of the chain is ever changed, as a process that knows the chain's end goes on writing
 * there. Nothing is invented: every page is one that somebody wrote.
 */
export async function repairWiki(parts: RepairParts, run: Run): Promise<RepairReport> {
  // Read before anything else: on a shared mount each process that ends has the ref follow the chain, also one
  // whose last names are lost.
  const first = await firstRef(parts, run);
  if (first !== null) await unlessCorrupt(() => parts.rememberBeyond(first));
  let packsReplaced = await repairPacks(parts, run);
  const { gitDirectory } = parts.layout;
  const orderRestored = await readingStored(parts.fs, gitDirectory, (stored) =>
    repairOrder(parts, stored, run),
  );
  if (orderRestored) {
    await run.once('unlinked packs', async () => lookAtUnlinkedAgain(run));
    packsReplaced = await repairPacks(parts, run);
  }
  return readingStored(parts.fs, gitDirectory, async (stored) => {
    const adopted = await followOrder(parts, stored, { orderRestored }, run);
    const { lostCommits, isTakenBack } = adopted;
    const below = { packsReplaced, orderRestored: orderRestored || isTakenBack, lostCommits };
    return repairCommits(parts, stored, { below, ...adopted }, run);
  });
}

async function repairCommits(
  parts: RepairParts,
  objects: ObjectReader,
  { below, isOutOfReach }: Pick<Adopted, 'isOutOfReach'> & { below: BelowCommits },
  run: Run,
): Promise<RepairReport> {
  const links = await readChain(run, parts.chain);
  const end = links.at(-1);
  const soundness = openSoundness(run, objects);
  const lastComplete = await lastCompleteOf(links, soundness, run);
  if (!end || lastComplete === end.commit) {
    // If the chain had lost commits, the next repair could still take the ref's commit in.
    const ofRef = isOutOfReach ? await takeOrLeaveRef(parts, below, run) : below;
    return { ...ofRef, commit: null, parent: lastComplete, lost: [] };
  }
  if (await isAnyBack(objects, soundness)) {
    run.beginAnew();
    return repairWiki(parts, run);
  }
  const readable = await readableTrees(links, lastComplete, objects, run);
  return commitWhatIsLeft(parts, objects, below, { end, lastComplete, soundness, ...readable }, run);
}

/** The chain is complete, so it is the ref's commit that lacks objects, or some below it. */
async function takeOrLeaveRef(parts: RepairParts, below: BelowCommits, run: Run): Promise<BelowCommits> {
  const first = await firstRef(parts, run);
  if (first === null) return below;
  const { lost, isTaken } = await parts.inTurn(() => parts.takeRest(first));
  if (lost.length > 0) await parts.leaveRef(first);
  const orderRestored = below.orderRestored || isTaken;
  return { ...below, orderRestored, lostCommits: [...below.lostCommits, ...lost] };
}

/**
 * True if a lost object came back: a repair may take days, and somebody may restore missing files meanwhile.
 */
async function isAnyBack(objects: ObjectReader, { unsound }: Soundness): Promise<boolean> {
  for (const { oid } of unsound.slice(0, LOOKED_AT_AGAIN)) {
    try {
      await objects.read(oid);
      return true;
    } catch (error) {
      if (!isLost(error)) throw error;
    }
  }
  return false;
}

/** Restored data comes as files with many objects each. */
const LOOKED_AT_AGAIN = 20;

type BelowCommits = Pick<RepairReport, 'packsReplaced' | 'orderRestored' | 'lostCommits'>;

interface Remains {
  end: ChainLink;
  lastComplete: Oid | null;
  soundness: Soundness;
  /** Newest first. */
  trees: readonly Oid[];
  lostCommits: readonly Oid[];
}

async function commitWhatIsLeft(
  parts: RepairParts,
  objects: ObjectReader,
  below: BelowCommits,
  { end, lastComplete, soundness, trees, lostCommits: lostInChain }: Remains,
  run: Run,
): Promise<RepairReport> {
  const { host } = parts;
  const requestId = repairRequestId(end.commit);
  const trailers = trailerLines({ requestId, digest: end.commit, nonce: randomName(host) });
  const transaction = openTransaction(objects, trailers);
  const lostCommits = [...lostInChain, ...below.lostCommits];
  const lost: RepairReport['lost'][number][] = [];
  const report = (path: string, kept: 'older version' | 'nothing') =>
    void lost.push({ path: readableName(path), kept });
  const salvage = openSalvage({ run, soundness, transaction, commit: end.commit, report });
  const [newest, ...older] = trees;
  const tree =
    (newest && (await salvage(newest, older, ''))) ?? (await transaction.write('tree', new Uint8Array()));
  const repaired = { ...below, parent: lastComplete, lost, lostCommits };
  const text = repairCommitText(tree, repaired, trailers, host.now());
  const commit = await transaction.write('commit', new TextEncoder().encode(text));

  const pack = await packGathered(transaction.objects());
  await parts.inTurn(() => link(parts, objects, end, commit, pack));
  return { ...repaired, commit };
}

async function link(
  { chain, packs, remember }: RepairParts,
  objects: ObjectReader,
  end: ChainLink,
  commit: Oid,
  pack: EncodedPack,
): Promise<void> {
  await packs.land(commit, pack);
  // Every writer that links a successor does this.
  if (!end.adopted && (await readCommit(objects, end.commit))) await remember(end);
  if (!(await chain.append(end, commit, false))) {
    packs.withdraw(commit);
    throw new StorageError('busy', 'Another process wrote or repaired at the same time. Try again.');
  }
  packs.linked(commit, pack);
  await chain.sync();
}

async function repairPacks(parts: RepairParts, run: Run): Promise<number> {
  const { fs, layout, chain } = parts;
  await completePacks(chain);
  const isChained = async (commit: Oid) =>
    (await chain.hasSuccessor(commit)) || chain.known()?.commit === commit;
  const damaged = await findDamagedPacks({ fs, directory: layout.packs, isChained }, run);
  await replaceDamagedPacks(parts, damaged, run);
  return damaged.length;
}

/** Restores lost names of the chain. Returns whether there were any. */
async function repairOrder(parts: RepairParts, objects: ObjectReader, run: Run): Promise<boolean> {
  const { fs, layout, chain, prepare, inTurn } = parts;
  const readRefs = async () => [await namedBy(parts.ref), await firstRef(parts, run)];
  return run.once('order', async () => {
    const isMended = await mendChain({ fs, layout, chain, objects, prepare, inTurn, readRefs }, run);
    await inTurn(() => chain.refresh());
    return isMended;
  });
}

/** The commit that the ref named when the run began, or null. */
function firstRef({ ref }: RepairParts, run: Run): Promise<Oid | null> {
  return run.once('first ref', () => namedBy(ref));
}

async function namedBy(ref: BranchRef): Promise<Oid | null> {
  const value = await ref.read();
  return value.kind === 'commit' ? value.commit : null;
}

/** Remembers the requests of a restored order and takes in the ref's commits. */
async function followOrder(
  parts: RepairParts,
  objects: ObjectReader,
  { orderRestored }: { orderRestored: boolean },
  run: Run,
): Promise<Adopted> {
  const { chain, packs, inTurn, remember } = parts;
  // A loss of the chain's names most likely included the names of requests.
  const remembered = run.slot('remembered', 0);
  const links = orderRestored ? await readChain(run, chain) : [];
  for (; remembered.value < links.length; remembered.value += 1) {
    await run.step();
    const link = links[remembered.value] as ChainLink;
    if (link.adopted) continue;
    // Behind a gap, the first look at the chain found none of these links.
    await packs.complete(link.commit);
    if (await readCommit(objects, link.commit)) await remember(link);
  }
  return run.once('taken in', () => inTurn(async () => adoptRef(parts, await firstRef(parts, run))));
}

interface Adopted {
  /** Those that the ref named and that are lost. */
  lostCommits: Oid[];
  /** True if the chain has a name again that was lost. */
  isTakenBack: boolean;
  /** True if the ref names a commit that the chain lost, and that could not be taken in. */
  isOutOfReach: boolean;
}

async function adoptRef({ adopt, leaveRef }: RepairParts, first: Oid | null): Promise<Adopted> {
  const lostCommits: Oid[] = [];
  for (;;) {
    try {
      const outcome = await adopt(first !== null && lostCommits.includes(first) ? null : first);
      return { lostCommits, isTakenBack: outcome === 'taken', isOutOfReach: outcome === 'lost' };
    } catch (error) {
      const lost = lostRefOf(error);
      if (lost === null || lostCommits.includes(lost)) throw error;
      lostCommits.push(lost);
      await leaveRef(lost);
    }
  }
}

function lostRefOf(error: unknown): Oid | null {
  if (!(error instanceof StorageError) || error.code !== 'ref_conflict') return null;
  return typeof error.data.ref === 'string' ? error.data.ref : null;
}

/**
 * Completes packs that a power cut hid: they lack only the name of their index, which the first look at the
 * chain restores.
 */
function completePacks(chain: CommitChain): Promise<void> {
  return unlessCorrupt(() => chain.refresh());
}

/** The packs can be repaired all the same. The next reader of the chain reports this error again. */
async function unlessCorrupt(look: () => Promise<unknown>): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'corrupt_chain') throw error;
  }
}
