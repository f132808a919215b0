/** The services of the machine, besides files, that storage needs. */
export interface Host {
  /** Milliseconds since 1970. Never decides which process may commit. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
  randomBytes(count: number): Uint8Array;
  /** This process, as it signs its locks. */
  readonly self: ProcessIdentity;
  /** True only if this process has certainly ended. In doubt it counts as alive. */
  isDead(process: ProcessIdentity): Promise<boolean>;
}

/** Identifies one process among all that ever ran. Fields that the system does not report are ''. */
export interface ProcessIdentity {
  hostname: string;
  /** Changes with each boot of the machine. */
  boot: string;
  /** Containers of one machine may share its boot, and each numbers its own processes. */
  namespace: string;
  pid: number;
  /** When the process started, so that a later one with the same number is not mistaken for it. */
  started: string;
}

/** A name that no other process and no other call makes. */
export function randomName(host: Host): string {
  return Buffer.from(host.randomBytes(16)).toString('hex');
}
