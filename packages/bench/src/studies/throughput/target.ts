import type { Mode, ThroughputRecord, ThroughputRequest } from './record.ts';

/** The target of the study: two identical functions, each on a file system of its own. */
export interface ThroughputTarget {
  /** True if the limits of the modes are a model (token-bucket.ts), not those of AWS. */
  readonly modelled: boolean;
  write(mode: Mode, request: ThroughputRequest): Promise<ThroughputRecord>;
  close(): Promise<void>;
}
