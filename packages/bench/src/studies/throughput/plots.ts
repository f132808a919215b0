import { drawPanels, greys, type Panel, shapes } from '../report/plot.ts';
import { confidenceBand } from '../statistics/summary.ts';
import type { ThroughputEntry } from './entry.ts';
import { modes } from './record.ts';

const WIDTH = 210;
const mode = { field: 'mode', type: 'nominal' as const, sort: [...modes], title: 'mode' };
const order = {
  field: 'mode',
  type: 'nominal' as const,
  sort: [...modes],
  title: null,
  axis: { labelAngle: 0 },
};
const fills = ['#ffffff', '#8a8a8a'];

/** A panel for each size: the mean of each mode as a bar, with its 95 % confidence interval. */
export function drawMeans(entries: readonly ThroughputEntry[]): Promise<string> {
  const panels = setsOf(entries).map((set): Panel => {
    const values = modes.flatMap((name) => {
      const times = entries
        .filter((entry) => entry.set === set && entry.mode === name)
        .map((entry) => entry.duration_ms);
      if (times.length === 0) return [];
      const average = times.reduce((sum, time) => sum + time, 0) / times.length;
      const { low, high } = confidenceBand(times) ?? { low: average, high: average };
      return [{ mode: name, mean: average, low: Math.max(0, low), high }];
    });
    const time = {
      type: 'quantitative' as const,
      title: 'mean time of all files (ms)',
      scale: { zero: true },
    };
    return {
      title: `files of ${set}`,
      width: WIDTH,
      height: 220,
      data: { values },
      layer: [
        {
          mark: { type: 'bar', stroke: 'black', width: 60 },
          encoding: {
            x: order,
            y: { field: 'mean', ...time },
            fill: { ...mode, scale: { range: fills }, legend: null },
          },
        },
        {
          mark: { type: 'rule', strokeWidth: 2 },
          encoding: { x: order, y: { field: 'low', ...time }, y2: { field: 'high' } },
        },
      ],
    };
  });
  return drawPanels(panels, 3);
}

/** A panel for each size: each repetition of each mode in the order of time. */
export function drawRepetitions(entries: readonly ThroughputEntry[]): Promise<string> {
  const panels = setsOf(entries).map((set): Panel => {
    const values = modes.flatMap((name) =>
      entries
        .filter((entry) => entry.set === set && entry.mode === name)
        .map(({ duration_ms }, index) => ({ mode: name, repetition: index + 1, duration_ms })),
    );
    return {
      title: `files of ${set}`,
      width: WIDTH,
      height: 220,
      data: { values },
      mark: { type: 'line', point: { size: 70, filled: false, fill: 'white' }, strokeWidth: 1.5 },
      encoding: {
        x: { field: 'repetition', type: 'ordinal', title: 'repetition', axis: { labelAngle: 0 } },
        y: {
          field: 'duration_ms',
          type: 'quantitative',
          title: 'time of all files (ms)',
          scale: { zero: true },
        },
        color: { ...mode, scale: { range: greys } },
        shape: { ...mode, scale: { range: shapes } },
      },
    };
  });
  return drawPanels(panels, 3);
}

function setsOf(entries: readonly ThroughputEntry[]): string[] {
  return [...new Set(entries.map(({ set }) => set))];
}
