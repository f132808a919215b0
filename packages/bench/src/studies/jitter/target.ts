import type { JitterRecord, JitterRequest, Service } from './record.ts';

/** The target of the study. */
export interface JitterTarget {
  /** One read from a cold start: a new execution environment, a new task. */
  read(service: Service, request: JitterRequest): Promise<JitterRecord>;
  close(): Promise<void>;
}
