import * as z from 'zod';
import type { StorageReport } from './results.ts';
import type { Summary } from './samples.ts';
import { operations } from './workload.ts';

/** Milliseconds are local, `rpc` and `bytes_read` the means on NFS; what was not measured is left out. */
const figures = z.strictObject({
  median_ms: z.number().positive().optional(),
  p95_ms: z.number().positive().optional(),
  rpc: z.number().nonnegative().optional(),
  bytes_read: z.int().nonnegative().optional(),
  /** The peak of the process from its start on; for native git that of its largest process. */
  peak_rss_mb: z.int().positive().optional(),
});

/** The output of `pnpm bench storage --json`. */
export const storageJson = z.strictObject({
  pages: z.int().positive(),
  engines: z.record(z.string(), z.partialRecord(z.enum(operations), figures)),
});

export function jsonOf({ pages, local, nfs }: StorageReport): z.infer<typeof storageJson> {
  const engines: z.infer<typeof storageJson>['engines'] = {};
  for (const engine of new Set([...Object.keys(local), ...Object.keys(nfs?.counted ?? {})])) {
    const reported = operations.flatMap((operation) => {
      const [here, mounted] = [local[engine]?.[operation], nfs?.counted[engine]?.[operation]];
      const both = { ...localFigures(here), ...mountedFigures(mounted) };
      return Object.keys(both).length === 0 ? [] : [[operation, both] as const];
    });
    if (reported.length > 0) engines[engine] = Object.fromEntries(reported);
  }
  return { pages, engines };
}

function localFigures(result: Summary | string | undefined): z.infer<typeof figures> {
  if (result === undefined || typeof result === 'string') return {};
  const { milliseconds, peakRssMegabytes } = result;
  return {
    median_ms: Number(milliseconds.median.toPrecision(3)),
    p95_ms: Number(milliseconds.p95.toPrecision(3)),
    peak_rss_mb: Math.ceil(peakRssMegabytes),
  };
}

function mountedFigures(result: Summary | string | undefined): z.infer<typeof figures> {
  if (result === undefined || typeof result === 'string' || !result.mount) return {};
  const { rpcsMean, bytesReadMean } = result.mount;
  return { rpc: Number(rpcsMean.toFixed(2)), bytes_read: Math.round(bytesReadMean) };
}
