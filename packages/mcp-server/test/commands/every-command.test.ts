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

test('commands that begin with an assignment of variables are found and classified as those without', () => {
  const markdown = [
    'Run `PAGETREE_COMMANDS=all pnpm',
    'test:labs a.lab.test.ts`, not `A=b`, `A=b C=d` or `A=b page_list`.',
    '',
    '    PAGETREE_CORPORA=... npx -y pnpm@12 bench search --public-sets [--json]   # of the corpora',
    '    A=\'b c\' D="e f" .ci/run unit',
    '    AWS_REGION=x pnpm deploy:aws --nope',
    '    A=b pnpm bench new',
    '',
    '```sh',
    'PAGETREE_DIR=~/w pnpm mcp',
    '```',
  ].join('\n');
  const found = commandsIn(markdown);
  expect(found).toEqual([
    'PAGETREE_DIR=~/w pnpm mcp',
    'PAGETREE_CORPORA=... pnpm bench search --public-sets [--json]',
    'A=\'b c\' D="e f" .ci/run unit',
    'AWS_REGION=x pnpm deploy:aws --nope',
    'A=b pnpm bench new',
    'PAGETREE_COMMANDS=all pnpm test:labs a.lab.test.ts',
  ]);
  expect(found.map((line) => treatmentOf(line)?.kind ?? null)).toEqual([
    'run',
    'parse',
    null,
    'parse',
    null,
    'other',
  ]);
});
