import { expect, test } from 'vitest';
import { treatmentOf } from './command-classes.ts';
import { commandsIn, everyCommand, everyScript } from './every-command.ts';

test('every command in the documents is classified, and so is each script of package.json', () => {
  const lines = [
    ...everyCommand().map(({ line }) => line),
    ...everyScript().map((script) => `pnpm ${script}`),
  ];
  expect(lines.length).toBeGreaterThan(60);
  expect(lines.filter((line) => treatmentOf(line) === null)).toEqual([]);
});

test('commands are found in lines of shell, in indented lines and within sentences', () => {
  const markdown = [
    'Run `npx -y pnpm@12 mcp',
    'doctor`, not `page_list`.',
    '',
    '   ```sh',
    '   echo \'{ "a": 1,',
    '     "b": 2 }\' > file',
    '   pnpm bench new   # that nobody knows',
    '   ```',
    '',
    '    pnpm lab nfs -- COMMAND   # in a lab',
    '    a line that is no command',
  ].join('\n');
  const found = commandsIn(markdown);
  expect(found).toEqual([
    'echo \'{ "a": 1, "b": 2 }\' > file',
    'pnpm bench new',
    'pnpm lab nfs -- COMMAND',
    'pnpm mcp doctor',
  ]);
  expect(found.filter((line) => treatmentOf(line) === null)).toEqual(['pnpm bench new']);
});
