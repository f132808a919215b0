import { expect, test } from 'vitest';
import { documentedCommands, examplePath } from './documented-commands.ts';

const commands = await documentedCommands();

test('the README and the page of each client tell how to add the server', () => {
  const files = new Set(commands.map(({ place }) => place.split(',')[0]));
  for (const client of ['claude-desktop', 'claude-code', 'vs-code', 'cursor']) {
    expect(files).toContain(`docs/clients/${client}.md`);
  }
  expect(commands.filter(({ place }) => place.startsWith('README.md'))).toHaveLength(3);
});

test.each(commands)('$place starts this repository, found by its absolute path', (documented) => {
  const line = [documented.command, ...documented.args].join(' ');
  const script = /^(cmd \/c )?npx -y pnpm@12 -C (\/|C:\\)\S+ mcp( --\w+ \S+)*$/;
  const direct = `${examplePath}/node_modules/.bin/node ${examplePath}/packages/mcp-server/src/main.ts`;
  expect(line === direct || script.test(line), line).toBe(true);
});
