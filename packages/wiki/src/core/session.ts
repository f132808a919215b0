import type { Call } from '../contract/wiki.ts';
import type { Index } from './index-port.ts';
import type { Repository, WikiDirectory } from './ports.ts';

/** What one call of an operation works with: the wiki that it named, who calls, and what the host tells of itself. */
export interface Session {
  repository: Repository;
  index: Index;
  call: Call;
  /** A fresh request id, for writes that came without one. */
  newRequestId(): string;
  /** Told of the commit that holds the call's change, now or since an earlier call of the same request. */
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

/** For commits into a wiki in the making: there is none before it is whole, and another may be made first. */
export const nobodySees: Pick<Session, 'committed'> = { committed: () => undefined };

/** What wiki_status tells of where it runs. */
export interface Host {
  /** Such as `local` or `lambda`. */
  backend: string;
  versions: Record<string, string>;
  /** Names of all wikis that this backend serves. */
  wikis(): Promise<string[]>;
  /** The largest attachment that travels to and from this backend, where that is less than the wiki takes. */
  attachmentBytes?: number;
  /** What is set up wrongly outside of any one wiki, in plain words. */
  problems: readonly string[];
}
