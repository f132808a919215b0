import { ckmeans, mean } from 'simple-statistics';
import { type DipTest, dipTest } from '../statistics/dip.ts';
import { type Band, confidenceBand, type Summary, summaryOf } from '../statistics/summary.ts';
import { type JitterRecord, type Service, type Store, services, stores } from './record.ts';

/** All reads by one service from one store. */
export interface Group {
  readonly service: Service;
  readonly store: Store;
  readonly records: readonly JitterRecord[];
}

/** The groups that have any reads. Those of bursts are apart. */
export function groupsOf(records: readonly JitterRecord[]): Group[] {
  return stores
    .flatMap((store) => services.map((service) => ({ store, service })))
    .map(({ store, service }) => ({
      store,
      service,
      records: records.filter(
        (record) => record.store === store && record.service === service && record.burst === undefined,
      ),
    }))
    .filter((group) => group.records.length > 0);
}

export interface OfSize {
  readonly size_mib: number;
  readonly records: readonly JitterRecord[];
  /** Mean throughput in MiB/s. */
  readonly mean: number;
  /** Null for fewer than three reads: with two the band is too wide to be useful. */
  readonly band: Band | null;
}

const LEAST_READS = 3;

/** By size, the smallest first. */
export function bySize({ records }: Group): OfSize[] {
  const groups = Map.groupBy(records, (record) => record.size_mib);
  return [...groups]
    .map(([size_mib, own]) => {
      const throughputs = own.map((record) => record.mib_per_s);
      return {
        size_mib,
        records: own,
        mean: mean(throughputs),
        band: own.length < LEAST_READS ? null : confidenceBand(throughputs),
      };
    })
    .sort((a, b) => a.size_mib - b.size_mib);
}

/** The factors by which reads took longer than the fastest one of the same size, which is the baseline. */
export function slowdowns(group: Group): Summary | null {
  return summaryOf(
    bySize(group).flatMap(({ records }) => {
      const fastest = Math.min(...records.map((record) => record.duration_ms));
      return records.length < 2 ? [] : records.map((record) => record.duration_ms / fastest);
    }),
  );
}

/** The share of the highest mean at which throughput is said to have levelled off. */
export const LEVEL = 0.9;

/** The smallest size from which on every size has at least nine tenths of the highest mean; null if the last has not. */
export function levelsOffAt(group: Group): number | null {
  const sizes = bySize(group);
  const highest = Math.max(...sizes.map((size) => size.mean));
  const lastBelow = sizes.findLastIndex((size) => size.mean < LEVEL * highest);
  return sizes[lastBelow + 1]?.size_mib ?? null;
}

export interface Modes {
  /** Hartigan's dip test; null if there are too few values. */
  readonly test: DipTest | null;
  readonly count: number;
  /** If the test finds more than one mode: the means of the two groups of values, and their shares. */
  readonly modes: readonly { readonly mean: number; readonly share: number }[];
}

/** For smaller files, the start of the transfer takes longer than the transfer itself. */
export const LARGE_MIB = 100;
const SIGNIFICANT = 0.05;

/** The modes of the throughput of large files. */
export function modesOf({ records }: Group): Modes {
  const values = records.filter((record) => record.size_mib >= LARGE_MIB).map((record) => record.mib_per_s);
  const test = dipTest(values);
  const isSplit = test !== null && test.p < SIGNIFICANT;
  const parts = isSplit ? ckmeans(values, 2) : [];
  return {
    test,
    count: values.length,
    modes: parts.map((part) => ({ mean: mean(part), share: part.length / values.length })),
  };
}

/** The mean throughput from one store over that from another, by one service; null if one is missing. */
export function ratioOfMeans(groups: readonly Group[], service: Service): number | null {
  const of = (store: Store) => {
    const group = groups.find((each) => each.service === service && each.store === store);
    return group === undefined ? null : mean(group.records.map((record) => record.mib_per_s));
  };
  const [efs, s3] = [of('efs'), of('s3')];
  return efs === null || s3 === null ? null : efs / s3;
}

/** Tasks that were started at once. */
export interface BurstOfTasks {
  readonly tasks: number;
  readonly size_mib: number;
  readonly records: readonly JitterRecord[];
  /** Between the first and the last begin of a read. */
  readonly spreadSeconds: number;
}

/** In the order of time. A burst that was broken off was continued as a burst of the tasks that were missing. */
export function burstsOf(records: readonly JitterRecord[]): BurstOfTasks[] {
  const bursts = Map.groupBy(
    records.filter(({ burst }) => burst !== undefined),
    ({ burst }) => burst?.id,
  );
  return [...bursts.values()].map((own) => {
    const begins = own.map(({ time }) => Date.parse(time));
    return {
      tasks: own[0]?.burst?.tasks ?? own.length,
      size_mib: own[0]?.size_mib ?? 0,
      records: own,
      spreadSeconds: (Math.max(...begins) - Math.min(...begins)) / 1000,
    };
  });
}
