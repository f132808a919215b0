import { expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
import { nearestLine } from './nearest-line.ts';

const page = '# Install\n\nRun `npm install` first.\nThen start the server.\n';

test('a line with other words, case or spaces is found', () => {
  expect(nearestLine(page, 'Run `pnpm install` first.')).toEqual({
    line: 3,
    text: 'Run `npm install` first.',
  });
  expect(nearestLine(page, '  then Start the server. ')).toEqual({ line: 4, text: 'Then start the server.' });
});

test('a search for several lines looks for the first one that is missing', () => {
  const wanted = 'Run `npm install` first.\nThen stop the server.';
  expect(nearestLine(page, wanted)?.line).toBe(4);
});

test('no line is returned if none is similar', () => {
  expect(nearestLine(page, 'xyzzy')).toBeNull();
  expect(nearestLine('', 'x')).toBeNull();
});

test('the first of two equally near lines is returned, and a long line is cut', () => {
  const long = `start ${'🎉'.repeat(400)}`;
  const nearest = nearestLine(`x\n${long}\n${long}\n`, `Start ${'🎉'.repeat(390)}`);
  expect(nearest?.line).toBe(2);
  expect(nearest?.text.length).toBeLessThanOrEqual(200);
  expect(nearest?.text.isWellFormed()).toBe(true);
});

test('the cost is bounded on the largest pages', () => {
  const large = Array.from({ length: 60_000 }, (_, line) => `line ${line} of a very large page`).join('\n');
  const used = idleCpuMsOf(() => {
    expect(nearestLine(large, 'line 4711 of the very large page')?.line).toBe(4712);
    expect(nearestLine('a'.repeat(2_000_000), `${'a'.repeat(1_000_000)}b`)?.line).toBe(1);
  });
  expect(used).toBeLessThan(3_000);
});
