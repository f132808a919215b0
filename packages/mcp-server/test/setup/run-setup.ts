import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseCommandLine } from '../../src/cli/command-line.ts';
import { type ClientName, clientNames, clients } from '../../src/cli/setup/clients.ts';
import { thisMachine } from '../../src/cli/setup/machine.ts';
import { readStart } from '../../src/cli/setup/read-start.ts';
import { setUp } from '../../src/cli/setup/setup.ts';
import type { Terminal } from '../../src/cli/setup/terminal.ts';
import { temporaryDirectory } from '../built-server.ts';
import { RawServer } from '../raw-server.ts';
import { settingsFiles } from './settings-files.ts';

export interface Ran {
  said: string;
  complained: string;
  code: number | null;
}

/** The home of a person with all clients, on Linux. */
export class Home {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<Home> {
    return new Home(await temporaryDirectory());
  }

  settings(name: ClientName): string {
    return join(this.path, settingsFiles[name]);
  }

  /** Writes the settings of every client. */
  async fill(textOf: (name: ClientName, index: number) => string): Promise<void> {
    await Promise.all(
      clientNames.map(async (name, index) => {
        await mkdir(dirname(this.settings(name)), { recursive: true });
        await writeFile(this.settings(name), textOf(name, index));
      }),
    );
  }

  read(name: ClientName): Promise<string> {
    return readFile(this.settings(name), 'utf8');
  }

  /** The names beside the settings of a client. */
  async beside(name: ClientName): Promise<string[]> {
    return (await readdir(dirname(this.settings(name)))).toSorted();
  }

  async has(path: string): Promise<boolean> {
    return lstat(join(this.path, path)).then(
      () => true,
      () => false,
    );
  }

  /** Runs the command within this process, by default with nobody to ask. */
  async setUp(args: readonly string[], terminal: Terminal | null = null): Promise<Ran> {
    const command = parseCommandLine(['setup', ...args]);
    if (command.kind !== 'setup') throw new Error(`No command: ${JSON.stringify(command)}`);
    const ran: Ran = { said: '', complained: '', code: null };
    const surroundings = {
      env: {},
      platform: 'linux',
      home: this.path,
      workingDirectory: this.path,
      authorSources: async () => ({ git: { name: null, email: null }, user: 'ada', host: 'engine' }),
    };
    const done = await setUp(command, {
      machine: thisMachine(surroundings),
      terminal,
      readStart: (asked) => readStart(command.options, surroundings, asked),
      kept: null,
      say: (text) => {
        ran.said += text;
      },
      complain: (sentence) => {
        ran.complained += `${sentence}\n`;
      },
    });
    return { ...ran, code: done ? 0 : 1 };
  }

  /** Runs the command as a script does: in a process of its own, with nobody to ask. */
  async run(bundle: string, ...args: string[]): Promise<Ran> {
    const program = new RawServer(process.execPath, [bundle, ...args], this.env, this.path);
    program.process.stdin.end();
    const { code } = await program.ended;
    return { said: program.rubbish.join('\n'), complained: program.stderr, code };
  }

  get env(): Record<string, string> {
    const blank = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'COPILOT_HOME'];
    return {
      ...Object.fromEntries(
        [...blank, 'NODE_COMPILE_CACHE', 'PAGETREE_DIR', 'PAGETREE_AUTHOR'].map((name) => [name, '']),
      ),
      HOME: this.path,
      GIT_CONFIG_GLOBAL: join(this.path, 'gitconfig'),
      GIT_CONFIG_SYSTEM: '/dev/null',
    };
  }
}

export const AUTHOR = 'Ada Lovelace <ada@example.org>';

/** The expected entry of a client, written out for each form. */
export function expectedEntry(name: ClientName, command: string[], author = AUTHOR): Record<string, unknown> {
  const [program, ...args] = command;
  const env = { PAGETREE_AUTHOR: author };
  const entry = { command: program, args, env };
  if (name === 'claude-code' || name === 'vs-code') return { type: 'stdio', ...entry };
  if (name === 'copilot-cli') return { type: 'local', ...entry, tools: ['*'] };
  if (name === 'opencode') return { type: 'local', command, environment: env, enabled: true };
  return entry;
}

export const containerOf: Readonly<Record<ClientName, string>> = {
  ...(Object.fromEntries(clientNames.map((name) => [name, 'mcpServers'])) as Record<ClientName, string>),
  'vs-code': 'servers',
  zed: 'context_servers',
  codex: 'mcp_servers',
  opencode: 'mcp',
};

export function isToml(name: ClientName): boolean {
  return clients[name].format === 'toml';
}
