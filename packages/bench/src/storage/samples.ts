import type { MountStatistics } from '../../../../labs/nfs-lab/mount-statistics.ts';
import { totalRpcs } from '../../../../labs/nfs-lab/mount-statistics.ts';

/** What one operation cost. */
export interface Sample {
  milliseconds: number;
  rpcs: number;
  rpcsByKind: Readonly<Record<string, number>>;
  bytesRead: number;
}

export interface Summary {
  count: number;
  rpcsMean: number;
  rpcsMost: number;
  rpcsByKindMean: Record<string, number>;
  bytesReadMean: number;
  bytesReadMost: number;
  millisecondsMedian: number;
}

export function sampleOf(milliseconds: number, statistics: MountStatistics): Sample {
  const { rpcs, bytesRead } = statistics;
  return { milliseconds, rpcs: totalRpcs(statistics), rpcsByKind: rpcs, bytesRead };
}

/** Several operations taken as one, such as opening and reading. */
export function together(samples: readonly Sample[]): Sample {
  return {
    milliseconds: sum(samples.map(({ milliseconds }) => milliseconds)),
    rpcs: sum(samples.map(({ rpcs }) => rpcs)),
    rpcsByKind: byKind(samples, (count) => count),
    bytesRead: sum(samples.map(({ bytesRead }) => bytesRead)),
  };
}

/** Means over `samples`, into which `afterwards`, work that they left for later, is counted. */
export function summarize(samples: readonly Sample[], afterwards: readonly Sample[] = []): Summary {
  const all = [...samples, ...afterwards];
  const count = samples.length;
  const times = samples.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return {
    count,
    rpcsMean: sum(all.map(({ rpcs }) => rpcs)) / count,
    rpcsMost: Math.max(...samples.map(({ rpcs }) => rpcs)),
    rpcsByKindMean: byKind(all, (number) => number / count),
    bytesReadMean: sum(all.map(({ bytesRead }) => bytesRead)) / count,
    bytesReadMost: Math.max(...samples.map(({ bytesRead }) => bytesRead)),
    millisecondsMedian: times[Math.floor(count / 2)] ?? Number.NaN,
  };
}

function byKind(samples: readonly Sample[], scale: (count: number) => number): Record<string, number> {
  const kinds = new Set(samples.flatMap(({ rpcsByKind }) => Object.keys(rpcsByKind)));
  const sums = [...kinds].map((kind) => {
    const total = sum(samples.map(({ rpcsByKind }) => rpcsByKind[kind] ?? 0));
    return [kind, scale(total)] as const;
  });
  return Object.fromEntries(sums);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
