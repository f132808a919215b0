import type { Oid, SyncReport } from '@pagetree/wiki/contract';
import { Halted } from './halted.ts';
import type { RemoteRefs } from './transport/remote.ts';

export interface BranchChoice {
  /** The branch that a person chose; null to follow the remote. */
  wanted: string | null;
  /** The last sync. */
  known: Pick<SyncReport, 'branch' | 'tip'>;
  refs: RemoteRefs;
  /** The branch of the wiki. */
  own: string;
}

/**
 * The branch of the remote to keep in sync: the one that was chosen, else the one of the last sync while it is there,
 * else the default branch. It need not exist: an empty repository gets it. Throws Halted `branch_gone` if a chosen branch
 * was in sync and is gone: to push it again would bring back what somebody deleted or renamed.
 */
export function chooseBranch({ wanted, known, refs: { head, refs }, own }: BranchChoice): string {
  const branches = [...refs.keys()].filter((name) => name.startsWith('refs/heads/'));
  if (wanted !== null) {
    const wasThere = known.branch === wanted && known.tip !== null;
    if (refs.has(wanted) || branches.length === 0 || !wasThere) return wanted;
    throw new Halted('branch_gone', { branch: wanted, branches });
  }
  if (known.branch !== null && refs.has(known.branch)) return known.branch;
  if (head !== null && refs.has(head)) return head;
  if (refs.has(own)) return own;
  const [only, ...others] = branches;
  if (only === undefined) return head ?? own;
  if (others.length === 0) return only;
  throw new Halted('branch_gone', { branch: head ?? own, branches });
}

/**
 * The commit on which a branch begins that is not there: that of the default branch, as a person would begin it. Null in
 * an empty repository. Throws Halted `branch_gone` if nothing says which of several branches it is.
 */
export function startOf(
  branch: string,
  { known, refs: { head, refs } }: Pick<BranchChoice, 'known' | 'refs'>,
): Oid | null {
  const branches = [...refs.keys()].filter((name) => name.startsWith('refs/heads/'));
  const [only, ...others] = branches;
  for (const name of [head, known.branch, others.length === 0 ? only : null]) {
    const commit = name == null ? undefined : refs.get(name);
    if (commit !== undefined) return commit;
  }
  if (only === undefined) return null;
  throw new Halted('branch_gone', { branch, branches });
}
