import { expect, test } from 'vitest';
import { documentedCommands } from './documented-commands.ts';

const commands = await documentedCommands();

test('the README and the page of each client tell how to add the server', () => {
  const files = new Set(commands.map(({ place }) => place.split(',')[0]));
  for (const client of ['claude-desktop', 'claude-code', 'vs-code', 'cursor']) {
    expect(files).toContain(`docs/clients/${client}.md`);
  }
  expect(commands.filter(({ place }) => place.startsWith('README.md'))).toHaveLength(3);
});

test.each(commands)(
  '$place starts the script `mcp` of this repository, found by its absolute path',
  (documented) => {
    const line = [documented.command, ...documented.args].join(' ');
    expect(line).toMatch(/^(cmd \/c )?npx -y pnpm@12 -C (\/|C:\\)\S+ mcp( --\w+ \S+)*$/);
  },
);
