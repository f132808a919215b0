import { type Cell, table } from '../report/table.ts';
import type { BurstOfTasks, Group } from './analysis.ts';
import type { JitterRecord, Service } from './record.ts';
import { services } from './record.ts';

/** Each burst: how long its tasks took, and how much longer than the fastest task that read alone. */
export function burstTable(bursts: readonly BurstOfTasks[], groups: readonly Group[]): string {
  const alone = groups.find(({ service, store }) => service === 'fargate' && store === 'efs')?.records ?? [];
  const rows = bursts.map(({ tasks, size_mib: size, records, spreadSeconds }): Cell[] => {
    const seconds = records.map((record) => record.duration_ms / 1000);
    const [fastest, slowest] = [Math.min(...seconds), Math.max(...seconds)];
    const baseline =
      Math.min(...alone.filter((each) => each.size_mib === size).map((each) => each.duration_ms)) / 1000;
    return [
      tasks,
      records.length,
      size,
      spreadSeconds,
      fastest,
      slowest,
      slowest / fastest,
      slowest / baseline || null,
    ];
  });
  return table(
    [
      'tasks at once',
      'records',
      'size (MiB)',
      'reads began within (s)',
      'fastest (s)',
      'slowest (s)',
      'slowest / fastest',
      'slowest / fastest alone',
    ],
    rows,
  );
}

/** The operating systems and versions of Node that each service ran on. */
export function describeSystems(records: readonly JitterRecord[]): string {
  const of = (service: Service) =>
    new Set(
      records.flatMap((record) => (record.service === service && record.system ? [record.system] : [])),
    );
  const names = { lambda: 'Lambda', fargate: 'Fargate' } as const;
  const lines = services.flatMap((service) => {
    const found = [...of(service)];
    return found.length === 0 ? [] : [`${names[service]} ran on ${found.join(' and on ')}.`];
  });
  return lines.join(' ');
}
