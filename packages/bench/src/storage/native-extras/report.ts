import { table } from '../../markdown-table.ts';
import type { ExtrasMeasure } from './measure-extras.ts';

/** As Markdown: the commands by what lies beside the packs, and what that costs. */
export function extrasMarkdown(measure: ExtrasMeasure): string {
  const { title, packs, times, costs, calibrationMilliseconds } = measure;
  const variants = Object.keys(Object.values(times)[0] ?? {});
  const rows = Object.entries(times).map(([command, byVariant]) => [
    command,
    ...variants.map((variant) => {
      const time = byVariant[variant];
      return time === undefined ? '' : `${short(time.median)} / ${short(time.least)}`;
    }),
  ]);
  const costRows = Object.entries(costs).map(([variant, { milliseconds, bytes }]) => [
    variant,
    short(milliseconds),
    (bytes / 1e6).toFixed(2),
  ]);
  return [
    `${title}; ${packs} packs. Median / least in ms; calibration ${calibrationMilliseconds} ms.`,
    table(['command', ...variants], rows),
    'What writing each takes:',
    table(['written', 'ms', 'MB more'], costRows),
  ].join('\n\n');
}

function short(milliseconds: number): string {
  return `${Number(milliseconds.toPrecision(3))}`;
}
