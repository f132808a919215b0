import { WikiError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';

/**
 * Limits for the work that a history from elsewhere may cause. Each limit is checked before the work is done:
 * a bundle of some hundred bytes can name ten million files or terabytes of content.
 */
export const BOUNDS = {
  /** 25,000, a third of them commits, took 6 seconds of CPU time beside ten other processes. */
  objects: 20_000,
  /** The lines before the pack, which name the refs. */
  headerBytes: 1_000_000,
  /** The size of all objects and deltas once inflated. */
  inflatedBytes: limits.importHistoryBytes,
  /** The size of the pack of a repository, as of a file that is imported. */
  packBytes: limits.importBytes,
  /** Trees and commits are judged without a pause. */
  bytesOf: {
    blob: limits.attachmentBytes,
    delta: limits.attachmentBytes,
    tree: 2_000_000,
    commit: 1_000_000,
    tag: 1_000_000,
  },
  /** The size of all trees: 190 MB of them took 5.4 s of CPU time, since each entry is judged. */
  treeBytes: 150_000_000,
  /** The size of a .gitmodules or .gitattributes, which is judged without a pause too. */
  judgedFileBytes: 1_000_000,
  /** Git makes 50 at most. */
  deltaDepth: 64,
  /** The commits and folders of a push, which are in memory until it is judged. */
  pushedBytes: 50_000_000,
  /** Contents in memory at one time, on which deltas still rest. */
  heldBytes: 80_000_000,
  folderDepth: 256,
  /** The parents of a commit: it is compared with each of them. */
  parents: 1_000,
  /** In the tree of one commit. */
  files: 200_000,
  /** All paths in the tree of one commit. */
  pathBytes: 40_000_000,
  /** Files that differ between commits and their parents, in the whole history. */
  changes: 1_000_000,
  /** Tree entries that must be compared to find the changes. */
  comparedBytes: 200_000_000,
} as const;

/** The error for a bundle that cannot be read, `invalid_input`. */
export function broken(reason: string, cause?: unknown): WikiError {
  return new WikiError(
    'invalid_input',
    {
      happened: `The git bundle cannot be imported: ${reason}.`,
      now: 'Nothing was imported.',
      next: 'Make it anew with `git bundle create FILE HEAD main`.',
    },
    {},
    { cause },
  );
}

/** An object that `git fsck --strict` refuses. */
export function refusedObject(type: string, oid: string, text: string): WikiError {
  return new WikiError(
    'invalid_input',
    {
      happened: `The git bundle cannot be imported: the ${type} ${oid} would be refused by git: ${text}.`,
      now: 'Nothing was imported.',
      next: 'Look for it with `git fsck --strict` in its repository, make a history without it, and bundle that.',
    },
    { object: oid },
  );
}

/** A repository in a folder that lacks objects, or whose objects are damaged. */
export function repositoryDamaged(reason: string, cause: unknown): WikiError {
  return new WikiError(
    'invalid_input',
    {
      happened: `The repository cannot be imported, since it is not complete or damaged: ${reason}`,
      now: 'Nothing was imported.',
      next: 'Look at it with `git fsck`, fetch or restore what it lacks, and import it again.',
    },
    {},
    { cause },
  );
}

export function historyTooLarge(what: string): WikiError {
  return new WikiError('too_large', {
    happened: `The git bundle is too large to import: ${what}.`,
    now: 'Nothing was imported.',
    next: 'Import fewer or newer commits, or have the person who runs the wiki copy the repository with `git clone --mirror`.',
  });
}
