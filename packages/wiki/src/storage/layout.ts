import { join } from 'node:path';

/** The paths of one bare repository, for one branch. */
export interface Layout {
  gitDirectory: string;
  branch: string;
  packs: string;
  packedRefs: string;
  refFile: string;
  /** Git's own lock of the branch. */
  refLock: string;
  /** Keeps the commits of native git that came into the wiki in another form. */
  externalRefs: string;
  /** For files on their way to another name. Not below refs/, where git would take them for branches. */
  temporary: string;
  /** Packs that a repair replaced. */
  damaged: string;
  /**
   * On a shared mount: the facts about the repository that a start needs, in one short text; see
   * repository-format.ts.
   */
  opened: string;
  /** On a shared mount: one index over all packs; see multi-pack-index.ts. */
  multiPackIndex: string;
  /** The chain of this branch: one name for each commit that has a successor; see chain.ts. */
  chain: string;
  /** The name of a link in the chain near its end, to start from. */
  hint: string;
  /** The requests of this branch: one name for each that was carried out; see requests.ts. */
  requests: string;
  /** The progress of an unfinished check or repair of this branch; see in-steps.ts. */
  runs: string;
  /** One name for each attempt to remove the lock of a dead process on this branch. */
  lockClaims: string;
}

/** The name of the hint in the directory of each chain. */
export const HINT_NAME = 'head';

export function layoutOf(gitDirectory: string, branch: string): Layout {
  const own = join(gitDirectory, 'pagetree');
  const name = encodeURIComponent(branch);
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
    damaged: join(own, 'damaged'),
    opened: openedPath(gitDirectory),
    multiPackIndex: join(own, 'multi-pack-index'),
    // Few directories deep: each level costs a new client of a shared mount two round trips.
    chain: join(own, `chain-${name}`),
    hint: join(own, `chain-${name}`, HINT_NAME),
    requests: join(own, `requests-${name}`),
    runs: join(own, `runs-${name}`),
    lockClaims: join(own, `claims-${name}`),
  };
}

export function openedPath(gitDirectory: string): string {
  return join(gitDirectory, 'pagetree', 'opened');
}
