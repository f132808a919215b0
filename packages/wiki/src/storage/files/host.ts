/** What storage asks of the machine beside its files. */
export interface Host {
  /** Milliseconds since 1970. Decides nothing about who may commit. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
  randomBytes(count: number): Uint8Array;
  /** This process, as it signs its locks. */
  readonly self: ProcessIdentity;
  /** True only where it is certain that this process has ended; in doubt it lives. */
  isDead(process: ProcessIdentity): Promise<boolean>;
}

/** One process among all that ever ran; what the system does not tell is ''. */
export interface ProcessIdentity {
  hostname: string;
  /** Changes with each start of the machine. */
  boot: string;
  /** Containers of one machine may share its boot, and count their processes each for itself. */
  namespace: string;
  pid: number;
  /** When the process started, so that a later one with the same number is not taken for it. */
  started: string;
}

/** A name that no other process and no other call makes. */
export function randomName(host: Host): string {
  return Buffer.from(host.randomBytes(16)).toString('hex');
}
