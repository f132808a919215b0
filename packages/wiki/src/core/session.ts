import type { Call } from '../contract/wiki.ts';
import type { WikiDirectory } from './directory-port.ts';
import type { Index } from './index-port.ts';
import type { Repository } from './ports.ts';

/** The context of one call of an operation: its wiki, its caller, and facts about the host. */
export interface Session {
  repository: Repository;
  index: Index;
  call: Call;
  /** A fresh request id, for writes without one. */
  newRequestId(): string;
  /**
   * Called with the commit that holds the call's change, made now or by an earlier call of the same request.
   */
  committed(commit: string): void;
  /** Milliseconds since 1970. */
  now(): number;
  host: Host;
}

/** The same for an operation on wikis, not in one. */
export interface DirectorySession
  extends Pick<Session, 'call' | 'newRequestId' | 'committed' | 'now' | 'host'> {
  directory: WikiDirectory;
  /** The wiki of calls that name none. */
  defaultWiki: string;
}

/**
 * For commits into a wiki that is being made: it does not exist before it is complete, and another may be
 * made first.
 */
export const nobodySees: Pick<Session, 'committed'> = { committed: () => undefined };

/** Facts about the host that wiki_status reports. */
export interface Host {
  /** For example `local` or `lambda`. */
  backend: string;
  versions: Record<string, string>;
  /** Names of all wikis that this backend serves. */
  wikis(): Promise<string[]>;
  /** The size limit for attachments to and from this backend, if it is lower than the wiki's own. */
  attachmentBytes?: number;
  /** The size limit for the bytes of one call, if it is lower than the wiki's own. */
  uploadBytes?: number;
  /** The same for the files of an import once unpacked. */
  unpackedBytes?: number;
  /** The time for which a call may wait for a sync that this machine makes; without it no call waits. */
  syncWaitMs?: number;
  /** Faults of the setup outside of any one wiki, in plain words. */
  problems: readonly string[];
}
