import type { Trace } from './invocation.ts';

/** The part of an invocation's log that the API returns, in bytes. */
const TAIL_BYTES = 4096;

export interface Report {
  readonly requestId: string;
  readonly durationMs: number;
  readonly memoryMib: number;
  readonly peakBytes: number;
  /** The start of an environment that was started for this invocation. */
  readonly initMs: number | null;
  readonly trace: Trace;
}

/** The last line of an invocation's log, written by Lambda. */
export function reportLine({ requestId, durationMs, memoryMib, peakBytes, initMs, trace }: Report): string {
  const fields = [
    `REPORT RequestId: ${requestId}`,
    `Duration: ${durationMs.toFixed(2)} ms`,
    `Billed Duration: ${Math.ceil(durationMs + (initMs ?? 0))} ms`,
    `Memory Size: ${memoryMib} MB`,
    `Max Memory Used: ${Math.round(peakBytes / 2 ** 20)} MB`,
    ...(initMs === null ? [] : [`Init Duration: ${initMs.toFixed(2)} ms`]),
  ];
  const { root, segment, sampled } = trace;
  return `${fields.join('\t')}\t\nXRAY TraceId: ${root}\tSegmentId: ${segment}\tSampled: ${sampled}\t`;
}

/** The last 4 KB of a log, as `X-Amz-Log-Result` carries it. */
export function tailOf(lines: readonly string[]): string {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''))
    .subarray(-TAIL_BYTES)
    .toString('base64');
}
