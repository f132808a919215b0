import { dashes, drawPanels, greys, type Panel, shapes } from '../report/plot.ts';
import { bySize, type Group } from './analysis.ts';
import { type Service, type Store, services, stores } from './record.ts';

const serviceNames: Record<Service, string> = { lambda: 'Lambda', fargate: 'Fargate' };
const storeNames: Record<Store, string> = { efs: 'EFS', s3: 'S3' };

export function nameOf({ service, store }: Pick<Group, 'service' | 'store'>): string {
  return `${serviceNames[service]} from ${storeNames[store]}`;
}

const WIDTH = 330;
const HEIGHT = 230;
const throughput = { type: 'quantitative', title: 'throughput (MiB/s)', scale: { zero: true } } as const;
const byService = {
  field: 'service',
  type: 'nominal',
  sort: services.map((service) => serviceNames[service]),
  title: 'service',
} as const;

/** A panel for each service and store: every read, the mean of each size, and its 95 % confidence band. */
export function drawBySize(groups: readonly Group[]): Promise<string> {
  const size = sizeAxis(groups);
  const panels = groups.map(
    (group): Panel => ({
      title: `${nameOf(group)}, ${group.records.length} reads`,
      width: WIDTH,
      height: HEIGHT,
      layer: [
        {
          data: { values: bandsOf(group) },
          mark: { type: 'area', color: '#cccccc', opacity: 0.7 },
          encoding: { x: size, y: { field: 'low', ...throughput }, y2: { field: 'high' } },
        },
        {
          data: { values: group.records.map(({ size_mib, mib_per_s }) => ({ size_mib, mib_per_s })) },
          mark: { type: 'point', color: 'black', size: 34, strokeWidth: 1.2, opacity: 0.75 },
          encoding: { x: size, y: { field: 'mib_per_s', ...throughput } },
        },
        {
          data: { values: bySize(group).map(({ size_mib, mean }) => ({ size_mib, mean })) },
          mark: { type: 'line', color: 'black', strokeWidth: 2 },
          encoding: { x: size, y: { field: 'mean', ...throughput } },
        },
      ],
    }),
  );
  return drawPanels(panels);
}

/** Lambda against Fargate: for each store the means by size and their bands. */
export function drawServices(groups: readonly Group[]): Promise<string> {
  const size = sizeAxis(groups);
  const panels = storesOf(groups).map((store): Panel => {
    const own = groups.filter((group) => group.store === store);
    const means = own.flatMap((group) =>
      bySize(group).map(({ size_mib, mean }) => ({ size_mib, mean, service: serviceNames[group.service] })),
    );
    return {
      title: storeNames[store],
      width: WIDTH,
      height: HEIGHT,
      layer: [
        ...own.map((group) => ({
          data: { values: bandsOf(group) },
          mark: {
            type: 'area' as const,
            opacity: 0.25,
            color: greys[services.indexOf(group.service)] ?? 'black',
          },
          encoding: { x: size, y: { field: 'low', ...throughput }, y2: { field: 'high' } },
        })),
        {
          data: { values: means },
          mark: { type: 'line', strokeWidth: 2 },
          encoding: {
            x: size,
            y: { field: 'mean', ...throughput },
            color: { ...byService, scale: { range: greys } },
            strokeDash: { ...byService, scale: { range: dashes } },
          },
        },
        {
          data: { values: means },
          mark: { type: 'point', size: 60, strokeWidth: 2, fill: 'white' },
          encoding: {
            x: size,
            y: { field: 'mean', ...throughput },
            color: { ...byService, scale: { range: greys } },
            shape: { ...byService, scale: { range: shapes } },
          },
        },
      ],
    };
  });
  return drawPanels(panels);
}

/** Every read in the order of time. */
export function drawOverTime(groups: readonly Group[]): Promise<string> {
  const panels = storesOf(groups).map(
    (store): Panel => ({
      title: storeNames[store],
      width: WIDTH,
      height: HEIGHT,
      data: {
        values: groups
          .filter((group) => group.store === store)
          .flatMap(({ records, service }) =>
            records.map(({ time, mib_per_s }) => ({ time, mib_per_s, service: serviceNames[service] })),
          ),
      },
      mark: { type: 'point', strokeWidth: 1.5, size: 50 },
      encoding: {
        x: {
          field: 'time',
          type: 'temporal',
          scale: { type: 'utc' },
          title: 'time (UTC)',
          axis: { labelOverlap: true, tickCount: 6 },
        },
        y: { field: 'mib_per_s', ...throughput },
        shape: { ...byService, scale: { range: shapes } },
        color: { ...byService, scale: { range: greys } },
      },
    }),
  );
  return drawPanels(panels);
}

function storesOf(groups: readonly Group[]): Store[] {
  return stores.filter((store) => groups.some((group) => group.store === store));
}

/** The bands may reach below nothing; throughput does not. */
function bandsOf(group: Group): { size_mib: number; low: number; high: number }[] {
  return bySize(group).flatMap(({ size_mib, band }) =>
    band === null ? [] : [{ size_mib, low: Math.max(0, band.low), high: band.high }],
  );
}

/** The same for all panels, with room for the points at both ends. */
function sizeAxis(groups: readonly Group[]) {
  const sizes = groups.flatMap(({ records }) => records.map(({ size_mib }) => size_mib));
  return {
    field: 'size_mib',
    type: 'quantitative' as const,
    scale: { type: 'log' as const, domain: [Math.min(...sizes) / 1.3, Math.max(...sizes) * 1.3] },
    axis: { values: [1, 3, 10, 30, 100, 300, 1000], format: ',d' },
    title: 'file size (MiB, logarithmic)',
  };
}
