import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { table } from '../markdown-table.ts';
import { median } from '../median.ts';

export interface MeasuredGraph {
  name: string;
  nodes: number;
  links: number;
  dataBytes: number;
  /** The times of the server for the data: after a change of the wiki, and again. */
  changedMs: readonly number[];
  againMs: readonly number[];
  pictures: readonly Picture[];
}

/** One visit to a graph. */
export interface Picture {
  nodes: Layer;
  links: Layer;
  drag: Drag;
}

export interface Layer {
  /** From the navigation to the first frame in which it is on the screen. */
  ms: number;
  /** The pixels that it covers in that frame. */
  pixels: number;
}

export interface Drag {
  /** The times of the frames that were drawn, in milliseconds. */
  frames: readonly number[];
  processorMs: number;
}

export async function reportGraphs(graphs: readonly MeasuredGraph[], runs: number): Promise<string> {
  const cpu = (await readFile('/proc/cpuinfo', 'utf8').catch(() => '')).match(/^processor/gm)?.length ?? 0;
  const milliseconds = (times: readonly number[]) =>
    `${median(times).toFixed(0)} ms (${Math.max(...times).toFixed(0)})`;
  const rows: [string, string, (graph: MeasuredGraph) => string][] = [
    [
      'nodes, links',
      '',
      ({ nodes, links }) => `${nodes.toLocaleString('en')}, ${links.toLocaleString('en')}`,
    ],
    ['data, not compressed', '', ({ dataBytes }) => `${(dataBytes / 1_000).toFixed(0)} kB`],
    ['server, data after a change', '', ({ changedMs }) => milliseconds(changedMs)],
    ['server, the same again', '', ({ againMs }) => milliseconds(againMs)],
    ['nodes on the screen', '2000 ms', ({ pictures }) => milliseconds(pictures.map(({ nodes }) => nodes.ms))],
    ['links on the screen', '', ({ pictures }) => milliseconds(pictures.map(({ links }) => links.ms))],
    [
      'pixels of nodes and of links',
      '',
      ({ pictures }) =>
        [pictures[0]?.nodes, pictures[0]?.links]
          .map((layer) => (layer?.pixels ?? 0).toLocaleString('en'))
          .join(' and '),
    ],
    ['frames a second while dragged', '20', ({ pictures }) => framesOf(pictures).perSecond.toFixed(1)],
    ['p95 between two frames', '', ({ pictures }) => `${framesOf(pictures).p95Ms.toFixed(0)} ms`],
    ['processor time of a frame', '', ({ pictures }) => `${framesOf(pictures).processorMs.toFixed(0)} ms`],
  ];
  return [
    `${runs} visits to each graph on ${cpu} processors, load ${loadavg()[0]?.toFixed(1)}. Medians, in brackets the longest.`,
    '',
    table(
      ['', 'aimed at', ...graphs.map(({ name }) => name)],
      rows.map(([name, aim, of]) => [name, aim, ...graphs.map(of)]),
    ),
  ].join('\n');
}

/** The frames of all drags: how many a second, the 95th percentile of the time between two, and the cost of one. */
export function framesOf(pictures: readonly Picture[]): {
  perSecond: number;
  p95Ms: number;
  processorMs: number;
} {
  const gaps = pictures
    .flatMap(({ drag: { frames } }) => frames.slice(1).map((at, before) => at - (frames[before] ?? at)))
    .sort((one, other) => one - other);
  const totalMs = gaps.reduce((sum, gap) => sum + gap, 0);
  const usedMs = pictures.reduce((sum, { drag }) => sum + drag.processorMs, 0);
  const count = pictures.reduce((sum, { drag }) => sum + drag.frames.length, 0);
  return {
    perSecond: (1_000 * gaps.length) / totalMs,
    p95Ms: gaps[Math.ceil(0.95 * gaps.length) - 1] ?? Number.NaN,
    processorMs: usedMs / count,
  };
}
