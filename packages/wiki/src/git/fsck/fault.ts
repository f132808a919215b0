/** The reason why `git fsck --strict` refuses an object. */
export interface Fault {
  /**
   * Git's own name of the fault (git help fsck), in lower case. Faults that only we refuse have names that
   * git lacks.
   */
  id: string;
  /** The fault, worded to follow "the tree 12ab: ". */
  text: string;
}

export function fault(id: string, text: string): Fault {
  return { id, text };
}
