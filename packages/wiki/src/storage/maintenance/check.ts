import type { BranchRef } from '../chain/branch-ref.ts';
import type { CommitChain } from '../chain/chain.ts';
import type { ChainLink } from '../chain/chain-link.ts';
import type { FileSystem } from '../files/file-system.ts';
import type { Layout } from '../layout.ts';
import type { CheckReport, Oid } from '../storage.ts';
import { StorageError, type StorageErrorCode } from '../storage-error.ts';
import { findDamagedPacks } from './damaged-packs.ts';
import { namesBeyondGaps } from './mend-chain.ts';
import { openSoundness, type Soundness } from './soundness.ts';
import { readingStored } from './stored-objects.ts';

export interface CheckParts {
  fs: FileSystem;
  layout: Layout;
  chain: CommitChain;
  ref: BranchRef;
  /** Takes in what native git did to the branch. */
  head(): Promise<Oid | null>;
}

/** See Storage.check. */
export async function checkWiki(parts: CheckParts): Promise<CheckReport> {
  const { fs, layout, chain, ref, head } = parts;
  const problems: CheckReport['problems'][number][] = [];
  const tell = (text: string) => void problems.push({ text, path: null, commit: null });

  // The look at the head may put the ref right.
  const value = await ref.read();
  await unlessDamaged(head, tell);
  const links = (await unlessDamaged(() => chain.follow(null), tell)) ?? [];
  const beyond =
    (await unlessDamaged(
      () => namesBeyondGaps(parts),
      () => undefined,
    )) ?? [];
  if (beyond.length > 0)
    tell(`The order of the commits has a gap: ${beyond.length} of its names lie beyond it.`);
  if (value.kind === 'damaged') tell('The branch ref is damaged; the next write puts it right.');

  const isChained = (commit: Oid) => isLinked(links, chain, commit);
  for (const { text } of await findDamagedPacks({ fs, directory: layout.packs, isChained })) tell(text);

  const soundness = await soundnessOf(parts, links.at(-1)?.commit ?? null);
  for (const { path, commit, reason } of soundness.unsound) {
    problems.push({ text: reason, path: path === '' ? null : path, commit });
  }
  return { commits: soundness.commitsRead(), objects: soundness.objectsRead(), problems };
}

async function soundnessOf({ fs, layout }: CheckParts, newest: Oid | null): Promise<Soundness> {
  return readingStored(fs, layout.gitDirectory, async (stored) => {
    const soundness = openSoundness(stored);
    if (newest) await soundness.isComplete(newest);
    return soundness;
  });
}

async function isLinked(links: readonly ChainLink[], chain: CommitChain, commit: Oid): Promise<boolean> {
  return links.at(-1)?.commit === commit || (await chain.hasSuccessor(commit));
}

const DAMAGE: ReadonlySet<StorageErrorCode> = new Set([
  'corrupt_chain',
  'ref_conflict',
  'missing_commit',
  'missing_object',
  'corrupt_object',
  'corrupt_pack',
]);

/** Null, and told, where damage stands in the way. */
async function unlessDamaged<T>(look: () => Promise<T>, tell: (text: string) => void): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof StorageError) || !DAMAGE.has(error.code)) throw error;
    tell(error.message);
    return null;
  }
}
