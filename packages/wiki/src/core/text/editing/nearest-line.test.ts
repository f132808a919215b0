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

test.each([
  ['the end of a line is there', 'npm install` first.\nThen stop the server.\n# Install', 4],
  ['the beginning of a line is there', 'Run `npm instal` first.\n\nThen start', 3],
  ['all lines but one between are there', '# Install\n\nRun `npm instal` first.\nThen start', 3],
  ['a part of a line is wanted as a whole one', '# Install\nstart the server\n# Install', 4],
  ['each line is there, in another order', '\n \nThen start the server.\nRun `npm install` first.', 4],
  ['each line is there, the last one in part', 'Then start the server.\nRun `npm inst', 4],
  ['a line is there with other blanks', '  # INSTALL', 1],
])('the line that fails is looked for if %s', (_, wanted, line) => {
  expect(nearestLine(page, wanted)?.line).toBe(line);
});

test('a line is shown as it begins, and whole if it has two hundred characters', () => {
  const line = (length: number) => `  ${'x'.repeat(length - 2)}`;
  expect(nearestLine(`${line(200)}  `, 'x'.repeat(150))?.text).toBe(line(200));
  expect(nearestLine(line(201), 'x'.repeat(150))?.text).toBe(`${line(197)}...`);
  expect(nearestLine(`a\n${'x'.repeat(600)}y\n${'x'.repeat(600)}z`, `${'x'.repeat(600)}z z`)?.line).toBe(2);
});

test('a line is found however far it is indented', () => {
  expect(nearestLine(`other\n${' '.repeat(40)}Start`, 'start')?.line).toBe(2);
});

test('upper and lower case make no difference to how near a line is', () => {
  expect(nearestLine('xSTRASSEx\nother', 'strasse')?.line).toBe(1);
  expect(nearestLine('STRAßE NACH OBEN\nSTRASSE NACH OBEN', 'straße nach oben')?.line).toBe(1);
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
