import type { BranchRef } from '../chain/branch-ref.ts';
import type { CommitChain } from '../chain/chain.ts';
import type { ChainLink } from '../chain/chain-link.ts';
import type { CheckReport, ObjectReader } from '../storage.ts';
import { StorageError } from '../storage-error.ts';
import { openSoundness } from './soundness.ts';

export interface CheckParts {
  chain: CommitChain;
  ref: BranchRef;
  objects: ObjectReader;
}

/** See Storage.check. */
export async function checkWiki({ chain, ref, objects }: CheckParts): Promise<CheckReport> {
  const problems: CheckReport['problems'][number][] = [];
  const links = await linksOf(chain, (text) => problems.push({ text, path: null, commit: null }));
  const soundness = openSoundness(objects);
  const end = links.at(-1);
  if (end) await soundness.isComplete(end.commit);
  for (const { path, commit, reason } of soundness.unsound) {
    problems.push({ text: reason, path: path === '' ? null : path, commit });
  }
  const value = await ref.read();
  if (value.kind === 'damaged') {
    const text = 'The branch ref is damaged; the next write puts it right.';
    problems.push({ text, path: null, commit: null });
  }
  return { commits: soundness.commitsRead(), objects: soundness.objectsRead(), problems };
}

/** Every link, from the first to the last that can be read. */
async function linksOf(chain: CommitChain, tell: (problem: string) => void): Promise<ChainLink[]> {
  try {
    return await chain.follow(null);
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'corrupt_chain') throw error;
    tell(error.message);
    return [];
  }
}
