export type HaltCode =
  /** The branch that was chosen, or that was in sync, is gone, and the remote has others. */
  | 'branch_gone'
  /** The remote has commits of others, and the wiki only pushes. */
  | 'diverged'
  /** The remote has something else in place of the folder. */
  | 'no_folder';

/** A sync that cannot go on until a person decides something. Nothing was changed. */
export class Halted extends Error {
  override readonly name = 'Halted';
  readonly code: HaltCode;
  readonly branch: string;
  /** The branches that the remote has, by full name. */
  readonly branches: readonly string[];

  constructor(code: HaltCode, { branch, branches = [] }: { branch: string; branches?: readonly string[] }) {
    super(code);
    this.code = code;
    this.branch = branch;
    this.branches = branches;
  }
}
