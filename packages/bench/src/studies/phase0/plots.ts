import { drawPlot, greys, shapes } from '../report/plot.ts';
import type { Kind, Phase0Entry } from './entry.ts';

export const kindNames: Record<Kind, string> = {
  cold: 'cold start',
  read: 'warm read',
  write: 'warm write (init + commit)',
  reads: 'simultaneous reads',
  writes: 'simultaneous writes',
};

/** Every call as a point: how long it took as the caller saw it. */
export function drawCalls(entries: readonly Phase0Entry[]): Promise<string> {
  const values = entries.flatMap(({ system, kind, calls }) =>
    calls.map(({ wall_ms }) => ({ system, kind: kindNames[kind], wall_ms })),
  );
  const systems = [...new Set(values.map(({ system }) => system))];
  return drawPlot({
    title: 'Each call, wall time',
    width: 560,
    height: { step: 26 },
    data: { values },
    mark: { type: 'point', strokeWidth: 1.5, opacity: 0.8, size: 60 },
    encoding: {
      x: {
        field: 'wall_ms',
        type: 'quantitative',
        scale: { type: 'log' },
        title: 'wall time (ms, logarithmic)',
      },
      y: { field: 'kind', type: 'nominal', sort: Object.values(kindNames), title: null },
      yOffset: { field: 'system', type: 'nominal', sort: systems },
      shape: { field: 'system', type: 'nominal', sort: systems, scale: { range: shapes }, title: 'system' },
      color: { field: 'system', type: 'nominal', sort: systems, scale: { range: greys }, title: 'system' },
    },
  });
}

/** The parts of our cold starts, each start a bar. */
export function drawColdStarts(entries: readonly Phase0Entry[]): Promise<string> {
  const starts = entries.filter(({ system, kind }) => system === 'ours' && kind === 'cold');
  const parts = [
    ...new Set(starts.flatMap(({ calls }) => calls.flatMap(({ cold }) => Object.keys(cold ?? {})))),
  ];
  const values = starts.flatMap(({ calls }, index) =>
    calls.flatMap(({ cold }) =>
      Object.entries(cold ?? {}).map(([part, ms]) => ({
        start: index + 1,
        part,
        order: parts.indexOf(part),
        ms,
      })),
    ),
  );
  return drawPlot({
    title: 'What a cold start is made of',
    width: 560,
    height: { step: 30 },
    data: { values },
    mark: { type: 'bar', stroke: 'black', strokeWidth: 0.7 },
    encoding: {
      x: { field: 'ms', type: 'quantitative', title: 'time (ms)' },
      y: { field: 'start', type: 'ordinal', title: 'cold start, number' },
      color: {
        field: 'part',
        type: 'nominal',
        sort: parts,
        scale: {
          range: [
            '#ffffff',
            '#e4e4e4',
            '#cacaca',
            '#b0b0b0',
            '#969696',
            '#7a7a7a',
            '#606060',
            '#444444',
            '#262626',
            '#000000',
          ],
        },
        title: 'part',
      },
      order: { field: 'order', type: 'quantitative' },
    },
  });
}
