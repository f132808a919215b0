import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { openProgressDisplay } from './progress-display.ts';

function shown(isTerminal: boolean): string {
  // Imitates a terminal: it has a width, and cursor moves that leave no trace here.
  const stream = Object.assign(new PassThrough(), { isTTY: isTerminal, columns: 80 });
  const display = openProgressDisplay(stream, isTerminal);
  display.show(0, 0, 'reading');
  for (let done = 1; done <= 200; done++) display.show(done, 200, 'unpacking');
  display.show(1, 2, 'checking');
  display.end();
  return String(stream.read());
}

test('a terminal gets a bar for each part of the work', () => {
  expect(shown(true)).toMatch(/^reading\n/);
  expect(shown(true)).toMatch(/unpacking \[=+-*\] 200 of 200/);
  expect(shown(true)).toMatch(/checking \[=+-+\] 1 of 2/);
});

test('elsewhere there are a few plain lines for each part', () => {
  const lines = shown(false).trimEnd().split('\n');
  expect(lines[0]).toBe('reading');
  expect(lines).toContain('unpacking: 200 of 200');
  expect(lines.at(-1)).toBe('checking: 1 of 2');
  expect(lines.length).toBeLessThan(16);
  for (const line of lines) expect(line).toMatch(/^[a-z:0-9 ]+$/);
});
