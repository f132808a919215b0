import { Error as errorsOnly, parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

/** The common style of all plots: legible in black and white, and on paper. */
const style: NonNullable<TopLevelSpec['config']> = {
  background: 'white',
  font: 'Helvetica, Arial, DejaVu Sans, sans-serif',
  axis: { labelLimit: 300, labelFontSize: 12, titleFontSize: 13, titlePadding: 10, gridColor: '#dddddd' },
  legend: { labelLimit: 300, labelFontSize: 12, titleFontSize: 13, symbolSize: 90, symbolStrokeWidth: 2 },
  header: { labelFontSize: 13, titleFontSize: 13 },
  title: { fontSize: 15, offset: 14 },
  view: { stroke: '#888888' },
  padding: 12,
};

/** Kinds of things are distinguished by shape and stroke, and by a grey that survives any printer. */
export const greys = ['#000000', '#777777', '#4d4d4d', '#b5b5b5'];
export const shapes = ['circle', 'triangle-up', 'square', 'cross'];
export const dashes = [
  [1, 0],
  [6, 4],
  [2, 3],
  [9, 3, 2, 3],
];

/** One of several plots in one picture. */
export type Panel = Extract<TopLevelSpec, { concat: unknown }>['concat'][number];

/** Draws panels in one picture, so many in a row. */
export function drawPanels(panels: Panel[], columns = 2): Promise<string> {
  return drawPlot({ columns, concat: panels });
}

/** Draws a plot as SVG. */
export async function drawPlot(spec: TopLevelSpec): Promise<string> {
  const { spec: vegaSpec } = compile({ ...spec, config: { ...style, ...spec.config } });
  const view = new View(parse(vegaSpec), { renderer: 'none', logLevel: errorsOnly });
  const svg = await view.toSVG();
  view.finalize();
  return svg;
}
