import type { Mode, ThroughputRecord, ThroughputRequest } from './record.ts';

/** Where the study runs: two identical functions, each on a file system of its own. */
export interface ThroughputTarget {
  /** Whether the limits of the modes are a model (token-bucket.ts), not those of AWS. */
  readonly modelled: boolean;
  write(mode: Mode, request: ThroughputRequest): Promise<ThroughputRecord>;
  close(): Promise<void>;
}
