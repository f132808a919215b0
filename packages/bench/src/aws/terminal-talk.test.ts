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

test('whoever types yes, and that alone, agrees to what was shown', async () => {
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

test('where there is no terminal nothing is done, and what would have been is shown', async () => {
  const { input, output, shown } = terminal('yes\n', false);
  await expect(terminalTalk({ input, output }, false).agree('This costs 1 USD.')).rejects.toMatchObject({
    code: 'not_agreed',
    message: expect.stringContaining('give --yes if you agree'),
  });
  expect(await shown()).toContain('This costs 1 USD.');
});

test('--yes agrees without a terminal, and shows all the same', async () => {
  const { input, output, shown } = terminal('', false);
  expect(await terminalTalk({ input, output }, true).agree('This costs 1 USD.')).toBe(true);
  expect(await shown()).toContain('This costs 1 USD.');
});
