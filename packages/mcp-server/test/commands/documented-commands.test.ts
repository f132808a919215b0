import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { clientNames, clients, isClientName, type ServerStart } from '../../src/cli/setup/clients.ts';
import { snippet } from '../../src/cli/setup/setup.ts';
import { type ClientName, clientSettings } from './client-settings.ts';
import { documentedCommands, documentedSettings, examplePath } from './documented-commands.ts';

const commands = await documentedCommands();
const snippets = await documentedSettings();

test('the page of each client says how to add the server by hand, and the README leads there', () => {
  const files = new Set(commands.map(({ place }) => place.split(',')[0]));
  for (const client of ['claude-desktop', 'claude-code', 'vs-code', 'cursor', 'README']) {
    expect(files).toContain(`docs/clients/${client}.md`);
  }
  const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
  expect(readme).toContain('[docs/clients/](docs/clients/)');
});

test.each(commands)('$place starts this repository, found by its absolute path', (documented) => {
  const line = [documented.command, ...documented.args].join(' ');
  const script = /^(cmd \/c )?npx -y pnpm@12 -C (\/|C:\\)\S+ mcp( --\w+ \S+)*$/;
  const direct = `node ${examplePath}/start/mcp.mjs`;
  expect(line === direct || script.test(line), line).toBe(true);
});

test.each(snippets)('the settings in $file are what the client takes', ({ file, settings }) => {
  expect(clientSettings[basename(file, '.md') as ClientName].safeParse(settings).error).toBeUndefined();
});

test.each(snippets)('the settings in $file are what setup writes', ({ file, settings }) => {
  const page = basename(file, '.md');
  // What stands for several clients is that of the strictest.
  const client = clients[isClientName(page) ? page : 'claude-desktop'];
  const { pagetree } = (settings as Record<string, Record<string, ServerStart>>)[client.container] ?? {};
  if (pagetree === undefined) throw new Error(`${file} has no ${client.container}.`);
  const { command, args, env = {} } = pagetree;
  expect(pagetree).toEqual(client.entry({ command, args, env }));
});

test.each(clientNames)('the documents say how to set up %s, and where its settings are', (name) => {
  for (const file of ['README.md', 'docs/clients/README.md']) {
    const text = readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');
    expect(text).toContain(clients[name].title);
    expect(text).toContain(`\`npx -y pnpm@12 mcp setup ${name}\``);
  }
  const [usual = ''] = clients[name].files({ env: {}, platform: 'linux', home: '~' }).toReversed();
  const guide = readFileSync(new URL('../../../../docs/clients/README.md', import.meta.url), 'utf8');
  expect(guide).toContain(`\`${usual}\``);
});

test('what setup writes is what the clients take', () => {
  const start = {
    command: '/usr/bin/node',
    args: ['/pagetree.js'],
    env: { PAGETREE_AUTHOR: 'Ada <a@example.org>' },
  };
  for (const name of ['claude-desktop', 'claude-code', 'cursor', 'vs-code'] as const) {
    expect(() => clientSettings[name].parse(JSON.parse(snippet(clients[name], start))), name).not.toThrow();
  }
});

test('the test finds settings that a client would refuse', () => {
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
