import type { Oid } from '../../formats/oid.ts';
import type { CommitChain } from '../commits/chain.ts';
import type { FileSystem } from '../files/file-system.ts';
import type { Layout } from '../layout.ts';
import type { Run } from '../maintenance/run.ts';
import type { BranchRef } from '../native-git/branch-ref.ts';
import type { CheckReport, JudgeObject } from '../storage.ts';
import { StorageError, type StorageErrorCode } from '../storage-error.ts';
import { readChain } from './chain/chain-links.ts';
import { namesBeyondGaps } from './chain/mend-chain.ts';
import { findDamagedPacks } from './packs/damaged-packs.ts';
import { readingStored } from './packs/stored-objects.ts';
import { openSoundness, type Soundness } from './soundness.ts';

export interface CheckParts {
  fs: FileSystem;
  layout: Layout;
  chain: CommitChain;
  ref: BranchRef;
  /** Takes in the changes that native git made to the branch. */
  head(): Promise<Oid | null>;
  /** True if the chain lost the name of a commit that the branch ref names. */
  isLost(commit: Oid): Promise<boolean>;
  judge: JudgeObject;
}

type Problem = CheckReport['problems'][number];

/** See Storage.check. Throws OutOfTime. */
export async function checkWiki(parts: CheckParts, run: Run): Promise<CheckReport> {
  const { fs, layout, chain, ref, head, isLost } = parts;
  const problems = run.slot<Problem[]>('problems', []).value;
  const report = (text: string) => void problems.push({ text, path: null, commit: null });

  // The look at the head may correct the ref.
  const value = await run.once('value of the ref', () => ref.read());
  await run.once('head', () => unlessDamaged(head, report));
  const newest = await run.once('chain', async () => {
    const links = await unlessDamaged(() => readChain(run, chain), report);
    return links?.at(-1)?.commit ?? null;
  });
  await run.once('gaps', async () => {
    const beyond = await unlessDamaged(
      () => namesBeyondGaps(parts, run),
      () => undefined,
    );
    if (beyond && beyond.length > 0)
      report(`The order of the commits has a gap: ${beyond.length} of its names lie beyond it.`);
    if (value.kind === 'damaged') report('The branch ref is damaged; the next write puts it right.');
  });

  await run.once('last name', async () => {
    if (value.kind !== 'commit') return;
    if (await unlessDamaged(() => isLost(value.commit), report))
      problems.push({ text: LOST_NAME, path: null, commit: value.commit });
  });

  await run.once('damaged packs', async () => {
    const isChained = async (commit: Oid) => commit === newest || (await chain.hasSuccessor(commit));
    const damaged = await findDamagedPacks({ fs, directory: layout.packs, isChained }, run);
    for (const { text } of damaged) report(text);
  });

  const soundness = await soundnessOf(parts, run, newest);
  const unsound = [...soundness.unsound, ...soundness.refused].map(({ path, commit, reason }) => ({
    text: reason,
    path: path === '' ? null : path,
    commit,
  }));
  return {
    commits: soundness.commitsRead(),
    objects: soundness.objectsRead(),
    problems: [...problems, ...unsound],
  };
}

async function soundnessOf(
  { fs, layout, judge }: CheckParts,
  run: Run,
  newest: Oid | null,
): Promise<Soundness> {
  return readingStored(fs, layout.gitDirectory, async (stored) => {
    const soundness = openSoundness(run, stored, judge);
    if (newest) await soundness.isComplete(newest);
    return soundness;
  });
}

const LOST_NAME =
  'The branch names this commit, and the order of the commits (pagetree/chain-*) does not: its last names are lost. A repair restores them.';

const DAMAGE: ReadonlySet<StorageErrorCode> = new Set([
  'corrupt_chain',
  'ref_conflict',
  'missing_commit',
  'missing_object',
  'corrupt_object',
  'corrupt_pack',
]);

/** Returns null, and reports it, if damage prevents the look. */
async function unlessDamaged<T>(look: () => Promise<T>, report: (text: string) => void): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof StorageError) || !DAMAGE.has(error.code)) throw error;
    report(error.message);
    return null;
  }
}
