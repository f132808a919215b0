import type { BranchRef } from '../chain/branch-ref.ts';
import type { CommitChain } from '../chain/chain.ts';
import type { ChainLink } from '../chain/chain-link.ts';
import { openTransaction } from '../chain/transaction.ts';
import type { FileSystem } from '../files/file-system.ts';
import { type Host, randomName } from '../files/host.ts';
import type { Layout } from '../layout.ts';
import { trailerLines } from '../objects/commit-text.ts';
import type { PackDirectory } from '../objects/pack-directory.ts';
import { encodePack } from '../objects/pack-writer.ts';
import { readablePath } from '../objects/tree-text.ts';
import type { ObjectReader, Oid, RepairReport } from '../storage.ts';
import { StorageError } from '../storage-error.ts';
import { findDamagedPacks } from './damaged-packs.ts';
import { mendChain } from './mend-chain.ts';
import { repairRequestId } from './naming-commit.ts';
import { repairCommitText } from './repair-commit-text.ts';
import { type ReplacePacksParts, replaceDamagedPacks } from './replace-packs.ts';
import { entriesOf, openSalvage } from './salvage-tree.ts';
import { openSoundness, type Soundness } from './soundness.ts';
import { readCommit } from './stored-commit.ts';
import { readingStored } from './stored-objects.ts';

export interface RepairParts {
  fs: FileSystem;
  host: Host;
  layout: Layout;
  chain: CommitChain;
  ref: BranchRef;
  packs: PackDirectory;
  makeKeep: ReplacePacksParts['makeKeep'];
  objects: ReplacePacksParts['objects'];
  /** Makes the wiki's own directories where they are not there. */
  prepare(): Promise<void>;
  /** Takes in what native git did to the branch. */
  adopt(): Promise<unknown>;
  /** Moves the branch ref away from a commit that is lost. */
  leaveRef(lost: Oid): Promise<void>;
  /** Makes sure that a request which is carried out again finds the commit that it made. */
  remember(link: ChainLink): Promise<void>;
}

/**
 * First puts right what lies below the commits: damaged packs are replaced by what can be read of them, and lost names
 * of the chain are made again. Then, where commits of the chain are missing or damaged, links, after its end, a commit
 * on the last one that is complete with its history. It holds each page as the newest commit has it that can be read,
 * or in the newest older version that can; what it cannot bring back is named. No name of the chain is ever changed,
 * for a process that knows its end goes on writing there. Nothing is invented: every page is one that somebody wrote.
 */
export async function repairWiki(parts: RepairParts): Promise<RepairReport> {
  const packsReplaced = await repairPacks(parts);
  return readingStored(parts.fs, parts.layout.gitDirectory, async (stored) => {
    const order = await repairOrder(parts, stored);
    return repairCommits(parts, stored, { packsReplaced, ...order });
  });
}

async function repairCommits(
  { host, chain, packs, remember }: RepairParts,
  objects: ObjectReader,
  below: Pick<RepairReport, 'packsReplaced' | 'orderRestored' | 'lostCommits'>,
): Promise<RepairReport> {
  const links = await chain.follow(null);
  const end = links.at(-1);
  const soundness = openSoundness(objects);
  const lastComplete = await lastCompleteOf(links, soundness);
  if (!end || lastComplete === end.commit) {
    return { ...below, commit: null, parent: lastComplete, lost: [] };
  }

  const requestId = repairRequestId(end.commit);
  const trailers = trailerLines({ requestId, digest: end.commit, nonce: randomName(host) });
  const transaction = openTransaction(objects, trailers);
  const { trees, lostCommits } = await readableTrees(links, lastComplete, objects);
  lostCommits.push(...below.lostCommits);
  const lost: RepairReport['lost'][number][] = [];
  const salvage = openSalvage(soundness, transaction, end.commit, (path, kept) =>
    lost.push({ path: readablePath(path), kept }),
  );
  const [newest, ...older] = trees;
  const tree =
    (newest && (await salvage(newest, older, ''))) ?? (await transaction.write('tree', new Uint8Array()));
  const report = { ...below, parent: lastComplete, lost, lostCommits };
  const text = repairCommitText(tree, report, trailers, host.now());
  const commit = await transaction.write('commit', new TextEncoder().encode(text));

  const pack = encodePack(transaction.objects());
  await packs.land(commit, pack);
  // As every writer does who links a successor.
  if (!end.adopted && (await readCommit(objects, end.commit))) await remember(end);
  if (!(await chain.append(end, commit, false))) {
    packs.withdraw(commit);
    throw new StorageError('busy', 'Another process wrote or repaired at the same time. Try again.');
  }
  packs.linked(commit, pack);
  await chain.sync();
  return { ...report, commit };
}

async function repairPacks({ fs, host, layout, chain, makeKeep, objects }: RepairParts): Promise<number> {
  await completePacks(chain);
  const isChained = async (commit: Oid) =>
    (await chain.hasSuccessor(commit)) || (await chain.follow(null)).at(-1)?.commit === commit;
  const damaged = await findDamagedPacks({ fs, directory: layout.packs, isChained });
  await replaceDamagedPacks({ fs, host, layout, makeKeep, objects }, damaged);
  return damaged.length;
}

async function repairOrder(
  parts: RepairParts,
  objects: ObjectReader,
): Promise<Pick<RepairReport, 'orderRestored' | 'lostCommits'>> {
  const { fs, layout, chain, ref, packs, prepare, remember } = parts;
  const value = await ref.read();
  const named = value.kind === 'commit' ? value.commit : null;
  const orderRestored = await mendChain({ fs, layout, chain, objects, prepare }, named);
  await chain.refresh();
  // What lost the chain's names most likely lost those of the requests as well.
  for (const link of orderRestored ? await chain.follow(null) : []) {
    if (link.adopted) continue;
    // Behind a gap the first look at the chain met none of them.
    await packs.complete(link.commit);
    if (await readCommit(objects, link.commit)) await remember(link);
  }
  return { orderRestored, lostCommits: await adoptRef(parts) };
}

/** Takes in what the branch ref names. Where its commits are lost the chain never knew of it: then it is told. */
async function adoptRef({ adopt, leaveRef }: RepairParts): Promise<Oid[]> {
  const lostCommits: Oid[] = [];
  for (;;) {
    try {
      await adopt();
      return lostCommits;
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

/** A pack that a power cut hid only lacks its index's name, which the first look at the chain gives it again. */
async function completePacks(chain: CommitChain): Promise<void> {
  try {
    await chain.refresh();
  } catch (error) {
    // The packs can be put right all the same; what follows the chain then says so again.
    if (!(error instanceof StorageError) || error.code !== 'corrupt_chain') throw error;
  }
}

async function lastCompleteOf(links: readonly ChainLink[], soundness: Soundness): Promise<Oid | null> {
  let last: Oid | null = null;
  // From the oldest on, so that of each only what is new in it is read.
  for (const { commit } of links) if (await soundness.isComplete(commit)) last = commit;
  return last;
}

/** The trees of the commits, the newest first, back to the last complete one; and the commits that are lost. */
async function readableTrees(
  links: readonly ChainLink[],
  lastComplete: Oid | null,
  objects: ObjectReader,
): Promise<{ trees: Oid[]; lostCommits: Oid[] }> {
  const trees = new Set<Oid>();
  const lostCommits = new Set<Oid>();
  for (const { commit } of links.toReversed()) {
    const text = await readCommit(objects, commit);
    const isReadable = text !== null && (await entriesOf(objects, text.tree)) !== null;
    if (isReadable) trees.add(text.tree);
    if (commit === lastComplete) break;
    // Without its folder of all a commit tells no more of its pages than one that is gone.
    if (!isReadable) lostCommits.add(commit);
    for (const parent of text?.parents ?? []) {
      if ((await readCommit(objects, parent)) === null) lostCommits.add(parent);
    }
  }
  return { trees: [...trees], lostCommits: [...lostCommits].reverse() };
}
