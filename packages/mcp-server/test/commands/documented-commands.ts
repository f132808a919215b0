import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repositoryRoot = fileURLToPath(new URL('../../../..', import.meta.url));

/** Stands in the documents for the reader's clone. */
export const examplePath = '/path/to/pagetree';

/** A command for a client's settings, from a page of docs/clients/. */
export interface DocumentedCommand {
  /** The file, and the number of commands before this one in it. */
  place: string;
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** Every command that starts the server. */
export async function documentedCommands(): Promise<DocumentedCommand[]> {
  const found = await Promise.all((await documentFiles()).map(commandsIn));
  return found.flat();
}

async function documentFiles(): Promise<string[]> {
  const clients = (await readdir(join(repositoryRoot, 'docs', 'clients'))).sort();
  return ['README.md', join('docs', 'settings.md'), ...clients.map((file) => join('docs', 'clients', file))];
}

/** A settings file of a client, as a page of docs/clients/ shows it. */
export interface DocumentedSettings {
  file: string;
  settings: unknown;
}

/** Every piece of JSON for a client's settings in the documents. */
export async function documentedSettings(): Promise<DocumentedSettings[]> {
  const found = await Promise.all(
    (await documentFiles()).map(async (file) => {
      const text = await readFile(join(repositoryRoot, file), 'utf8');
      return fencedBlocks(text, 'json').map((block) => ({ file, settings: JSON.parse(block) as unknown }));
    }),
  );
  return found.flat();
}

/** Lines of shell in these documents that start with the given words. */
export async function documentedShellLines(start: string): Promise<string[]> {
  const found = await Promise.all((await documentFiles()).map(shellLinesIn));
  return found.flat().filter((line) => line.startsWith(start));
}

async function commandsIn(file: string): Promise<DocumentedCommand[]> {
  const text = await readFile(join(repositoryRoot, file), 'utf8');
  const settings = fencedBlocks(text, 'json').flatMap((block) => commandsOfSettings(JSON.parse(block)));
  const shell = (await shellLinesIn(file))
    .filter((line) => line.startsWith('claude mcp add '))
    .map((line) => line.slice(line.indexOf(' -- ') + 4).split(' '));
  const commands = [...settings, ...shell.map(([command = '', ...args]) => ({ command, args, env: {} }))];
  return commands.map((found, index) => ({
    place: `${file}, command ${index + 1}`,
    command: found.command,
    args: found.args,
    env: found.env,
  }));
}

async function shellLinesIn(file: string): Promise<string[]> {
  const blocks = fencedBlocks(await readFile(join(repositoryRoot, file), 'utf8'), 'sh');
  return blocks.flatMap((block) => block.split('\n'));
}

interface ServerSettings {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

/** The settings of Claude and Cursor have `mcpServers`, those of VS Code `servers`. */
function commandsOfSettings(settings: { mcpServers?: object; servers?: object }) {
  const servers = Object.values(settings.mcpServers ?? settings.servers ?? {}) as ServerSettings[];
  return servers.map(({ command, args, env = {} }) => ({ command, args, env }));
}

function fencedBlocks(markdown: string, language: string): string[] {
  const blocks = markdown.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  return Array.from(blocks, ([, block = '']) => block);
}
