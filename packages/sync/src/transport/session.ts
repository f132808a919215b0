import type { Incoming } from './incoming.ts';
import type { Patience } from './patience.ts';

export type Service = 'git-upload-pack' | 'git-receive-pack';

/** The way to a service of a remote: calls of HTTP, or a command. */
export interface Transport {
  /** The address of the remote for messages. */
  readonly remote: string;
  /** Passwords that were given, which no words may repeat. */
  readonly secrets: readonly string[];
  /** Opens the service, asking for version 2 of the protocol if the service is for fetches, and closes it after `use`. */
  open<T>(service: Service, patience: Patience, use: (session: Session) => Promise<T>): Promise<T>;
}

export interface Session {
  /** Begins with the capabilities, in version 0 with the refs. */
  readonly greeting: Incoming;
  /** Sends the one request of this session, and returns what answers it. */
  ask(parts: readonly Uint8Array[]): Promise<Incoming>;
}
