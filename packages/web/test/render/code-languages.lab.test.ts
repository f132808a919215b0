import { common } from 'lowlight';
import { expect, test } from 'vitest';
import { slowness } from '../../../wiki/test/machine-speed.ts';
import { highlight } from '../../src/render/highlight.ts';

/** Milliseconds of an idle core. */
const MAX_MS = 1_000;
/** If a sixth of the code takes less, all of it takes less than `MAX_MS`, even if its time grows with the square. */
const MIN_SIXTH_MS = 20;
const LENGTH = 36_000;

const PARTS = [...'a (<"\'`${\\1:=*[)>/.\n'];
const MORE = [
  'a <b> ',
  'a::',
  'a <;',
  '"a".',
  '"\\"#".',
  '() ',
  'a -> ',
  'class a ',
  '<a b="',
  '\r',
  '"${',
  '"$(',
];
const STARTS = [
  '>>> (',
  '<script>{',
  '<style>{',
  '<?php {',
  'html`${',
  '<a>{',
  '#{',
  '<<EOF\n',
  '<!',
  '@',
  '%',
];
const UNITS = [...PARTS.flatMap((first) => PARTS.map((second) => first + second)), ...MORE, ...STARTS];

test.each(Object.keys(common))('code in %s is colored quickly, whatever it repeats', async (language) => {
  const slow = slowness();
  const taken: [unit: string, width: number, ms: number][] = [];
  for (const unit of UNITS) {
    for (const width of [60, 1_900]) {
      const line = `${unit.repeat(width / unit.length)}\n`;
      const sixth = await msOf(language, line.repeat(LENGTH / 6 / line.length));
      if (sixth < MIN_SIXTH_MS * slow) continue;
      taken.push([unit, width, await msOf(language, line.repeat(LENGTH / line.length))]);
    }
  }
  const slowest = taken.toSorted((one, other) => other[2] - one[2]).slice(0, 4);
  process.stdout.write(`${JSON.stringify({ language, slow, texts: 2 * UNITS.length, slowest })}\n`);
  expect(slowest.filter(([, , ms]) => ms > MAX_MS * slow)).toEqual([]);
});

async function msOf(language: string, value: string): Promise<number> {
  const start = process.threadCpuUsage();
  await highlight([{ element: {}, language, value }]);
  const { user, system } = process.threadCpuUsage(start);
  return Math.round((user + system) / 1_000);
}
