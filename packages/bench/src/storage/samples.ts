import type { MountStatistics } from '../../../../labs/nfs-lab/mount-statistics.ts';
import { totalRpcs } from '../../../../labs/nfs-lab/mount-statistics.ts';

/** The cost of one call of an operation. */
export interface Sample {
  milliseconds: number;
  /** The peak of the whole process until then. */
  peakRssMegabytes: number;
  /** On NFS. */
  mount?: MountStatistics;
}

/** Why there is no sample: the engine failed, or answered what was so before another client's acknowledged commit. */
export type Miss = { missed: 'stale' } | { missed: 'failed'; failure: string };

/** The cost of an operation. */
export interface Summary {
  count: number;
  /** So many more tries gave no sample. */
  stale: number;
  failed: number;
  milliseconds: { median: number; mean: number; p95: number; least: number };
  peakRssMegabytes: number;
  /** The time of a fixed piece of work just before: a slower or busier machine takes longer for both. */
  calibrationMilliseconds: number;
  /** On NFS. */
  mount?: {
    rpcsMean: number;
    rpcsMost: number;
    rpcsByKindMean: Record<string, number>;
    bytesReadMean: number;
    bytesReadMost: number;
  };
}

/** Several operations taken as one, such as opening and reading. */
export function together(samples: readonly Sample[]): Sample {
  const mounts = mountsOf(samples);
  return {
    milliseconds: sum(samples.map(({ milliseconds }) => milliseconds)),
    peakRssMegabytes: Math.max(...samples.map(({ peakRssMegabytes }) => peakRssMegabytes)),
    ...(mounts.length > 0 && {
      mount: {
        rpcs: byKind(mounts, (count) => count),
        bytesRead: sum(mounts.map(({ bytesRead }) => bytesRead)),
        bytesWritten: sum(mounts.map(({ bytesWritten }) => bytesWritten)),
      },
    }),
  };
}

/**
 * Sums up the samples in `tries`. Their means on NFS include `afterwards`: the work that they left for later. If there
 * is no sample, returns the reason in words.
 */
export function summarize(
  tries: readonly (Sample | Miss)[],
  calibrationMilliseconds: number,
  afterwards: readonly Sample[] = [],
): Summary | string {
  const samples = tries.flatMap((each) => ('missed' in each ? [] : [each]));
  const misses = tries.flatMap((each) => ('missed' in each ? [each] : []));
  const failures = misses.filter((miss) => miss.missed === 'failed');
  const times = samples.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const [least] = times;
  if (least === undefined) return failures.at(-1)?.failure ?? 'Every read was stale.';
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? least;
  const mounts = mountsOf(samples);
  return {
    count: samples.length,
    stale: misses.length - failures.length,
    failed: failures.length,
    milliseconds: { median: at(0.5), mean: sum(times) / times.length, p95: at(0.95), least },
    peakRssMegabytes: Math.max(...samples.map(({ peakRssMegabytes }) => peakRssMegabytes)),
    calibrationMilliseconds,
    ...(mounts.length > 0 && { mount: mountSummary(mounts, mountsOf(afterwards)) }),
  };
}

function mountSummary(
  mounts: readonly MountStatistics[],
  afterwards: readonly MountStatistics[],
): NonNullable<Summary['mount']> {
  const all = [...mounts, ...afterwards];
  const count = mounts.length;
  return {
    rpcsMean: sum(all.map(totalRpcs)) / count,
    rpcsMost: Math.max(...mounts.map(totalRpcs)),
    rpcsByKindMean: byKind(all, (number) => number / count),
    bytesReadMean: sum(all.map(({ bytesRead }) => bytesRead)) / count,
    bytesReadMost: Math.max(...mounts.map(({ bytesRead }) => bytesRead)),
  };
}

function mountsOf(samples: readonly Sample[]): MountStatistics[] {
  return samples.flatMap(({ mount }) => mount ?? []);
}

function byKind(
  mounts: readonly MountStatistics[],
  scale: (count: number) => number,
): Record<string, number> {
  const kinds = new Set(mounts.flatMap(({ rpcs }) => Object.keys(rpcs)));
  const sums = [...kinds].map(
    (kind) => [kind, scale(sum(mounts.map(({ rpcs }) => rpcs[kind] ?? 0)))] as const,
  );
  return Object.fromEntries(sums);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
