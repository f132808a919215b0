import { type Cell, formatNumber, table } from '../report/table.ts';
import { summaryOf } from '../statistics/summary.ts';
import { type Kind, type Phase0Entry, type System, systems } from './entry.ts';
import { measureOf } from './measures.ts';

/** The parts of all cold starts or of all warm reads, by system. */
export function partsTable(entries: readonly Phase0Entry[], kind: 'cold' | 'read'): string {
  const rows = systems.flatMap((system) => {
    const own = entries
      .filter((entry) => entry.system === system && entry.kind === kind)
      .flatMap(({ calls }) => calls.map(({ cold, warm }) => (kind === 'cold' ? cold : warm) ?? {}));
    const names = [...new Set(own.flatMap((parts) => Object.keys(parts)))];
    return names.map((name): Cell[] => {
      const {
        mean = null,
        median = null,
        min = null,
        max = null,
      } = summaryOf(own.flatMap((parts) => parts[name] ?? [])) ?? {};
      return [system, name, mean, median, min, max];
    });
  });
  return table(['of', 'part', 'mean (ms)', 'median', 'min', 'max'], rows);
}

interface Target {
  readonly name: string;
  readonly kind: Kind;
  /** The factor by which it is faster than dulwich. */
  readonly times: number;
}

const TARGETS: readonly Target[] = [
  { name: "a warm read at least 5 times faster than dulwich's", kind: 'read', times: 5 },
  { name: "a cold start not slower than dulwich's", kind: 'cold', times: 1 },
];

/**
 * Compares ours with the targets, and shows if any Node function could reach them: the empty one takes part
 * of the time by itself.
 */
export function targetsTable(entries: readonly Phase0Entry[]): string {
  const median = (system: System, kind: Kind) => measureOf(entries, system, kind).function?.median ?? null;
  const rows = TARGETS.map(({ name, kind, times }): Cell[] => {
    const [ours, dulwich, empty] = [median('ours', kind), median('dulwich', kind), median('empty', kind)];
    const allowed = dulwich === null ? null : dulwich / times;
    return [name, allowed, empty, ours, dulwich, verdictOf(ours, allowed, empty)];
  });
  return table(['target', 'allowed (ms)', 'empty function', 'ours', 'dulwich', ''], rows);
}

function verdictOf(ours: number | null, allowed: number | null, empty: number | null): string {
  if (ours === null || allowed === null) return '**not measured**';
  if (ours <= allowed) return '**reached**';
  if (empty === null || empty <= allowed) return '**missed**';
  return `**out of reach here**: a function that does nothing takes ${formatNumber(empty)} ms, and ${formatNumber(allowed)} ms are allowed`;
}
