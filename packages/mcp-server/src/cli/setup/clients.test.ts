import { expect, test } from 'vitest';
import { type ClientName, clientNames, clients, type Places } from './clients.ts';
import { chooseFile, isOnMachine } from './machine.ts';

const linux: Places = { env: {}, platform: 'linux', home: '/people/ada' };
const mac: Places = { env: { XDG_CONFIG_HOME: '/x' }, platform: 'darwin', home: '/Users/ada' };
const windows: Places = {
  env: { APPDATA: 'D:\\Roaming', LOCALAPPDATA: 'D:\\Local' },
  platform: 'win32',
  home: 'C:\\Users\\ada',
};

const usual: Readonly<Record<ClientName, readonly [linux: string, mac: string, windows: string]>> = {
  'claude-desktop': [
    '/people/ada/.config/Claude/claude_desktop_config.json',
    '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
    'D:\\Roaming\\Claude\\claude_desktop_config.json',
  ],
  'claude-code': ['/people/ada/.claude.json', '/Users/ada/.claude.json', 'C:\\Users\\ada\\.claude.json'],
  cursor: [
    '/people/ada/.cursor/mcp.json',
    '/Users/ada/.cursor/mcp.json',
    'C:\\Users\\ada\\.cursor\\mcp.json',
  ],
  'vs-code': [
    '/people/ada/.config/Code/User/mcp.json',
    '/Users/ada/Library/Application Support/Code/User/mcp.json',
    'D:\\Roaming\\Code\\User\\mcp.json',
  ],
  windsurf: [
    '/people/ada/.codeium/windsurf/mcp_config.json',
    '/Users/ada/.codeium/windsurf/mcp_config.json',
    'C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json',
  ],
  zed: [
    '/people/ada/.config/zed/settings.json',
    '/Users/ada/.config/zed/settings.json',
    'D:\\Roaming\\Zed\\settings.json',
  ],
  codex: [
    '/people/ada/.codex/config.toml',
    '/Users/ada/.codex/config.toml',
    'C:\\Users\\ada\\.codex\\config.toml',
  ],
  'gemini-cli': [
    '/people/ada/.gemini/settings.json',
    '/Users/ada/.gemini/settings.json',
    'C:\\Users\\ada\\.gemini\\settings.json',
  ],
  'copilot-cli': [
    '/people/ada/.copilot/mcp-config.json',
    '/Users/ada/.copilot/mcp-config.json',
    'C:\\Users\\ada\\.copilot\\mcp-config.json',
  ],
  kiro: [
    '/people/ada/.kiro/settings/mcp.json',
    '/Users/ada/.kiro/settings/mcp.json',
    'C:\\Users\\ada\\.kiro\\settings\\mcp.json',
  ],
  'lm-studio': [
    '/people/ada/.lmstudio/mcp.json',
    '/Users/ada/.lmstudio/mcp.json',
    'C:\\Users\\ada\\.lmstudio\\mcp.json',
  ],
  opencode: [
    '/people/ada/.config/opencode/opencode.json',
    '/x/opencode/opencode.json',
    'C:\\Users\\ada\\.config\\opencode\\opencode.json',
  ],
};

/** A machine on which these paths exist. */
function machine(places: Places, ...there: string[]) {
  return { ...places, exists: async (path: string) => there.includes(path) };
}

test.each(clientNames)(
  'the settings of %s are at the documented path on Linux, macOS and Windows',
  async (name) => {
    const files = [linux, mac, windows].map((places) => chooseFile(clients[name], machine(places)));
    expect(await Promise.all(files)).toEqual(usual[name]);
  },
);

test('the variables that move a folder of settings count', async () => {
  const file = (name: ClientName, env: Places['env']) =>
    chooseFile(clients[name], machine({ ...linux, env }));
  expect(await file('claude-code', { CLAUDE_CONFIG_DIR: '/c' })).toBe('/c/.claude.json');
  expect(await file('codex', { CODEX_HOME: '/c' })).toBe('/c/config.toml');
  expect(await file('copilot-cli', { COPILOT_HOME: '/c' })).toBe('/c/mcp-config.json');
  for (const name of ['vs-code', 'zed', 'opencode', 'claude-desktop'] as const) {
    expect(await file(name, { XDG_CONFIG_HOME: '/c' })).toMatch(/^\/c\//);
    // By its specification a relative path is none.
    expect(await file(name, { XDG_CONFIG_HOME: 'c' })).toMatch(/^\/people\/ada\/\.config\//);
  }
});

test('a client that Windows installed as a package uses its own folder, even if the usual one is left over', async () => {
  const folder = 'D:\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude';
  const old = 'D:\\Roaming\\Claude';
  const client = clients['claude-desktop'];
  const chosen = (...there: string[]) => chooseFile(client, machine(windows, ...there));
  expect(await chosen(folder, old, `${old}\\claude_desktop_config.json`)).toBe(
    `${folder}\\claude_desktop_config.json`,
  );
  expect(await chosen(old)).toBe(`${old}\\claude_desktop_config.json`);
});

test('if a settings file can have two names, the existing one counts', async () => {
  const folder = '/people/ada/.config/opencode';
  const chosen = (...there: string[]) => chooseFile(clients.opencode, machine(linux, folder, ...there));
  expect(await chosen(`${folder}/opencode.jsonc`)).toBe(`${folder}/opencode.jsonc`);
  expect(await chosen(`${folder}/opencode.json`)).toBe(`${folder}/opencode.json`);
  expect(await chosen()).toBe(`${folder}/opencode.json`);
});

test('a client counts as installed if its folder exists', async () => {
  for (const name of clientNames) expect(await isOnMachine(clients[name], machine(linux)), name).toBe(false);
  const found = async (...there: string[]) => {
    const here = machine(linux, ...there);
    const all = await Promise.all(
      clientNames.map(async (name) => ((await isOnMachine(clients[name], here)) ? [name] : [])),
    );
    return all.flat();
  };
  // Everybody has a home and a folder of settings.
  expect(await found('/people/ada', '/people/ada/.config', '/people/ada/.codeium')).toEqual([]);
  expect(await found('/people/ada/.claude', '/people/ada/.kiro', '/people/ada/.codex')).toEqual([
    'claude-code',
    'codex',
    'kiro',
  ]);
  expect(await found('/people/ada/.claude.json', '/people/ada/.config/Code/User')).toEqual([
    'claude-code',
    'vs-code',
  ]);
});
