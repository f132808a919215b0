import { posix, win32 } from 'node:path';
import { type Surroundings, setting } from '@pagetree/backends/config';

/** The name of our entry in the settings of every client. */
export const ENTRY_NAME = 'pagetree';

/** The command with which a client starts the server. */
export interface ServerStart {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** An entry of a settings file, in the form of one client. */
export type Entry = Record<string, unknown>;

/** The surroundings that decide where settings are on a machine. */
export type Places = Pick<Surroundings, 'env' | 'platform' | 'home'>;

/** A program that starts MCP servers, and its settings as it documents them. */
export interface Client {
  title: string;
  format: 'json' | 'toml';
  /** The key of the settings that holds the servers by their names. */
  container: string;
  /**
   * The files that may hold the user's settings: the first folder that exists counts, and in it the first file that
   * does. Otherwise the last one is made.
   */
  files: (places: Places) => string[];
  /** A file or folder that shows that the client is on this machine; without it the folders of its files do. */
  sign?: (places: Places) => string;
  entry: (start: ServerStart) => Entry;
  /** The next step once the entry is written. */
  next: string;
}

/** By the name that people type. Each was looked up in the client's own documentation in November 2026. */
export const clients = {
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'json',
    container: 'mcpServers',
    files: (places) => {
      const { appData, join, localAppData } = folders(places);
      const name = 'claude_desktop_config.json';
      const usual = join(appData, 'Claude', name);
      if (localAppData === null) return [usual];
      // An application that Windows installs as a package reads a folder of its own instead of the documented
      // one.
      const ofPackage = join(
        localAppData,
        'Packages',
        'Claude_pzs8sxrjxfjjc',
        'LocalCache',
        'Roaming',
        'Claude',
      );
      return [join(ofPackage, name), usual];
    },
    entry: plain,
    next: 'Quit Claude Desktop and start it again; closing its window is not enough.',
  },
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    container: 'mcpServers',
    files: (places) => {
      const { home, join } = folders(places);
      return [join(setting(places.env.CLAUDE_CONFIG_DIR) ?? home, '.claude.json')];
    },
    sign: (places) => setting(places.env.CLAUDE_CONFIG_DIR) ?? folders(places).join(places.home, '.claude'),
    entry: (start) => ({ type: 'stdio', ...plain(start) }),
    next: 'Start a new session; /mcp shows whether it is connected.',
  },
  cursor: {
    title: 'Cursor',
    format: 'json',
    container: 'mcpServers',
    files: below('.cursor', 'mcp.json'),
    entry: plain,
    next: 'Cursor Settings, MCP shows it with its tools.',
  },
  'vs-code': {
    title: 'VS Code',
    format: 'json',
    container: 'servers',
    files: (places) => {
      const { appData, join } = folders(places);
      return [join(appData, 'Code', 'User', 'mcp.json')];
    },
    entry: (start) => ({ type: 'stdio', ...plain(start) }),
    next: 'The command "MCP: List Servers" starts it.',
  },
  windsurf: {
    title: 'Windsurf',
    format: 'json',
    container: 'mcpServers',
    files: below('.codeium', 'windsurf', 'mcp_config.json'),
    entry: plain,
    next: 'Refresh the list of MCP servers in Cascade.',
  },
  zed: {
    title: 'Zed',
    format: 'json',
    container: 'context_servers',
    files: (places) => {
      const { appData, config, home, join } = folders(places);
      // On macOS it keeps to this folder, whatever the variable says.
      const others = places.platform === 'darwin' ? join(home, '.config', 'zed') : join(config, 'zed');
      return [join(places.platform === 'win32' ? join(appData, 'Zed') : others, 'settings.json')];
    },
    entry: plain,
    next: 'The settings of the Agent Panel show whether it runs.',
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    container: 'mcp_servers',
    files: (places) => {
      const { home, join } = folders(places);
      return [join(setting(places.env.CODEX_HOME) ?? join(home, '.codex'), 'config.toml')];
    },
    entry: plain,
    next: 'Start Codex again; /mcp lists it.',
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    format: 'json',
    container: 'mcpServers',
    files: below('.gemini', 'settings.json'),
    entry: plain,
    next: 'Start Gemini CLI again; /mcp lists it.',
  },
  'copilot-cli': {
    title: 'GitHub Copilot CLI',
    format: 'json',
    container: 'mcpServers',
    files: (places) => {
      const { home, join } = folders(places);
      return [join(setting(places.env.COPILOT_HOME) ?? join(home, '.copilot'), 'mcp-config.json')];
    },
    entry: (start) => ({ type: 'local', ...plain(start), tools: ['*'] }),
    next: 'Start Copilot CLI again; /mcp show lists it.',
  },
  kiro: {
    title: 'Kiro',
    format: 'json',
    container: 'mcpServers',
    files: below('.kiro', 'settings', 'mcp.json'),
    sign: (places) => folders(places).join(places.home, '.kiro'),
    entry: plain,
    next: 'The MCP part of the Kiro panel shows it.',
  },
  'lm-studio': {
    title: 'LM Studio',
    format: 'json',
    container: 'mcpServers',
    files: below('.lmstudio', 'mcp.json'),
    entry: plain,
    next: 'Switch it on in the Program tab.',
  },
  opencode: {
    title: 'opencode',
    format: 'json',
    container: 'mcp',
    files: (places) => {
      const { config, join } = folders(places);
      return ['opencode.jsonc', 'opencode.json'].map((name) => join(config, 'opencode', name));
    },
    entry: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      enabled: true,
      ...(Object.keys(env).length === 0 ? {} : { environment: env }),
    }),
    next: 'Start opencode again.',
  },
} as const satisfies Record<string, Client>;

export type ClientName = keyof typeof clients;

export const clientNames = Object.keys(clients) as ClientName[];

export function isClientName(name: string): name is ClientName {
  return Object.hasOwn(clients, name);
}

function plain({ command, args, env }: ServerStart): Entry {
  return { command, args, ...(Object.keys(env).length === 0 ? {} : { env }) };
}

function below(...path: string[]): Client['files'] {
  return (places) => [folders(places).join(places.home, ...path)];
}

/** The folders of this user, by the rules of the given platform, not of the one that this runs on. */
function folders({ env, platform, home }: Places) {
  const { isAbsolute, join } = platform === 'win32' ? win32 : posix;
  const absolute = (text: string | undefined) => {
    const given = setting(text);
    return given !== null && isAbsolute(given) ? given : null;
  };
  const config = absolute(env.XDG_CONFIG_HOME) ?? join(home, '.config');
  if (platform === 'win32') {
    return {
      join,
      home,
      config,
      appData: absolute(env.APPDATA) ?? join(home, 'AppData', 'Roaming'),
      localAppData: absolute(env.LOCALAPPDATA) ?? join(home, 'AppData', 'Local'),
    };
  }
  const appData = platform === 'darwin' ? join(home, 'Library', 'Application Support') : config;
  return { join, home, config, appData, localAppData: null };
}
