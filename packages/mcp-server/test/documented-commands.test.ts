import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { type ClientName, clientSettings } from './client-settings.ts';
import { documentedCommands, documentedSettings, examplePath } from './documented-commands.ts';

const commands = await documentedCommands();
const snippets = await documentedSettings();

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

test.each(snippets)('the settings in $file are what the client takes', ({ file, settings }) => {
  const page = basename(file, '.md') as ClientName;
  // The README shows VS Code's beside those of the others.
  const isVsCode = 'servers' in (settings as object);
  clientSettings[page === 'README' && isVsCode ? 'vs-code' : page].parse(settings);
});

test('settings that a client would not take are found out', () => {
  const server = { command: 'npx', args: ['mcp'] };
  expect(clientSettings['vs-code'].safeParse({ mcpServers: { pagetree: server } }).success).toBe(false);
  expect(clientSettings.cursor.safeParse({ servers: { pagetree: server } }).success).toBe(false);
  expect(clientSettings.README.safeParse({ mcpServers: { pagetree: { ...server, cwd: '/' } } }).success).toBe(
    false,
  );
  expect(new Set(snippets.map(({ file }) => basename(file, '.md')))).toEqual(
    new Set(Object.keys(clientSettings)),
  );
});
