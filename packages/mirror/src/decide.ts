import type { Oid } from '@pagetree/wiki/contract';

/** The step that brings one path in step. */
export type Decision =
  | 'nothing'
  /** Both sides have it already. */
  | 'agree'
  /** The wiki's version, or its absence, goes into the folder. */
  | 'take'
  /** The folder's content, or its absence, goes into the wiki. */
  | 'give'
  /** The wiki deleted what the folder changed: the change stays, and goes into the wiki again. */
  | 'give again'
  /** The folder deleted what the wiki changed: the change stays, and comes into the folder again. */
  | 'take again'
  | 'merge';

/** Compares three versions of one path: that on which both sides last agreed, and that of each. Null stands for no file. */
export function decide(agreed: Oid | null, folder: Oid | null, wiki: Oid | null): Decision {
  if (folder === wiki) return agreed === folder ? 'nothing' : 'agree';
  if (folder === agreed) return 'take';
  if (wiki === agreed) return 'give';
  if (folder === null) return 'take again';
  return wiki === null ? 'give again' : 'merge';
}
