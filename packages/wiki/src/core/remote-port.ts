import type { Oid } from '../contract/ids.ts';

/**
 * Keeps what is known of the remote repository of one wiki beside it, for every process that opens the wiki. The settings
 * and the report are plain JSON, whose form the operations know: null if there is none, undefined if it is damaged. All methods throw WikiError.
 */
export interface KeptRemote {
  settings(): Promise<unknown>;
  /** Null removes the report too. */
  set(remote: object | null): Promise<void>;
  report(): Promise<unknown>;
  keepReport(report: object): Promise<void>;
}

/** What can be read of a wiki without opening it. All methods throw WikiError. */
export interface UnopenedWiki {
  remote: Pick<KeptRemote, 'settings' | 'report'>;
  /** True if a commit that was the head is so no longer. Does not see pushes of native git that nobody read yet. */
  hasCommitAfter(commit: Oid): Promise<boolean>;
}
