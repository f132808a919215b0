import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { terminalTalk } from './terminal-talk.ts';

/** A terminal on which somebody types, and what it shows in the end. */
function terminal(typed: string, isTTY: boolean) {
  const input = Object.assign(Readable.from([typed]), { isTTY });
  const output = new PassThrough();
  const shown = async () => {
    output.end();
    return text(output);
  };
  return { input, output, shown };
}

test('only the answer yes counts as agreement', async () => {
  for (const [typed, agreed] of [
    ['yes\n', true],
    ['y\n', false],
    ['no\n', false],
    ['', false],
  ] as const) {
    const { input, output, shown } = terminal(typed, true);
    expect(await terminalTalk({ input, output }, false).agree('This costs 1 USD.')).toBe(agreed);
    expect(await shown()).toContain('This costs 1 USD.');
  }
});

test('without a terminal nothing is done, and the output shows what would have been done', async () => {
  const { input, output, shown } = terminal('yes\n', false);
  await expect(terminalTalk({ input, output }, false).agree('This costs 1 USD.')).rejects.toMatchObject({
    code: 'not_agreed',
    message: expect.stringContaining('give --yes if you agree'),
  });
  expect(await shown()).toContain('This costs 1 USD.');
});

test('--yes agrees without a terminal, and still shows the estimate', async () => {
  const { input, output, shown } = terminal('', false);
  expect(await terminalTalk({ input, output }, true).agree('This costs 1 USD.')).toBe(true);
  expect(await shown()).toContain('This costs 1 USD.');
});
