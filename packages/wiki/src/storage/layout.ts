import { join } from 'node:path';

/** Where things lie in one bare repository, for one branch. */
export interface Layout {
  gitDirectory: string;
  branch: string;
  packs: string;
  packedRefs: string;
  refFile: string;
  /** Git's own lock of the branch. */
  refLock: string;
  /** Keeps what native git brought and the wiki could not take whole. */
  externalRefs: string;
  /** For files on their way to another name. Not below refs/, where git would take them for branches. */
  temporary: string;
  /** Everything below is of this branch alone. */
  branchState: string;
  /** One name for each commit that has a successor; see chain.ts. */
  chain: string;
  /** One name for each request that was carried out; see requests.ts. */
  requests: string;
  /** The name of a link in the chain near its end, to start from. */
  hint: string;
  /** One name for each attempt to remove a dead process's lock of the branch. */
  lockClaims: string;
}

export function layoutOf(gitDirectory: string, branch: string): Layout {
  const own = join(gitDirectory, 'pagetree');
  const branchState = join(own, encodeURIComponent(branch));
  const refFile = join(gitDirectory, 'refs', 'heads', ...branch.split('/'));
  return {
    gitDirectory,
    branch,
    packs: join(gitDirectory, 'objects', 'pack'),
    packedRefs: join(gitDirectory, 'packed-refs'),
    refFile,
    refLock: `${refFile}.lock`,
    externalRefs: join(gitDirectory, 'refs', 'pagetree', 'external'),
    temporary: join(own, 'temporary'),
    branchState,
    chain: join(branchState, 'chain'),
    requests: join(branchState, 'requests'),
    hint: join(branchState, 'head'),
    lockClaims: join(branchState, 'lock-claims'),
  };
}
