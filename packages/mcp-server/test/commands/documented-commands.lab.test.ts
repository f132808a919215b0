import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { installWithRetries } from '../../../../labs/requirements.ts';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { SdkClient } from '../sdk-client.ts';
import { type Treatment, treatmentOf } from './command-classes.ts';
import { documentedCommands, documentedShellLines, examplePath } from './documented-commands.ts';
import { everyCommand } from './every-command.ts';
import { freshClone } from './fresh-clone.ts';
import { heavyCommands } from './heavy-commands-config.ts';
import { mistakeIn } from './mistake-in.ts';
import { runAlone } from './run-alone.ts';

const commands = (await documentedCommands()).filter(({ command }) => command !== 'cmd');

let clone: string;
let path: string;

beforeAll(async () => {
  ({ clone, path } = await freshClone());
  // Installs once, so that no client below gives up waiting for it.
  const env = { ...process.env, PATH: path };
  await installWithRetries("npm's packages of this repository", () =>
    promisify(execFile)('npx', ['-y', 'pnpm@12', '-C', clone, 'install'], { env }),
  );
  // The documents write `pnpm` for `npx -y pnpm@12`, which takes longer to start than most commands to run.
  const pnpm = await promisify(execFile)('npx', ['-y', '-p', 'pnpm@12', '-c', 'command -v pnpm'], { env });
  await symlink(pnpm.stdout.trim(), join(path, 'pnpm'));
});

test.each(linesOf('run'))('$line, alone in a fresh clone', async ({ line, treatment }) => {
  const { status, said } = await runAlone({ clone, path }, treatment.line ?? runnable(line));
  expect(said).toMatch(treatment.says);
  expect(status, said).toBe(treatment.status ?? 0);
});

test('every option of a command that takes long or needs AWS is valid', async () => {
  for (const { line } of linesOf('parse')) expect(await mistakeIn(runnable(line)), line).toBeNull();
  expect(await mistakeIn('pnpm bench storage --page 7')).toContain("Unknown option '--page'");
  expect(await mistakeIn('pnpm deploy:aws --new')).toContain("Unknown option '--new'");
  expect(await mistakeIn('pnpm mcp doctr')).toContain("Unexpected argument 'doctr'");
});

const heavy = linesOf('parse').flatMap(({ treatment }) => treatment.heavy ?? []);

// Not in CI, where they would take half an hour: PAGETREE_COMMANDS=all, or a part of their text.
for (const line of new Set(heavy.filter(heavyCommands)))
  test(`${line}, alone in a fresh clone`, async () => {
    const { status, said } = await runAlone({ clone, path: `${path}:${process.env.PATH}` }, line);
    expect(status, said).toBe(line.startsWith('timeout') ? 124 : 0);
  });

test.each(commands)('$place serves a wiki', async ({ command, args, env }) => {
  const ours = { ...env, PATH: path, PAGETREE_DIR: await temporaryDirectory() };
  const inClone = args.map((arg) => arg.replaceAll(examplePath, clone));
  const client = await new SdkClient(command.replace(examplePath, clone), inClone, ours).connect();
  expect(await client.ok('read_page', { path: 'Home' })).toMatchObject({ path: 'Home' });
  await client.close();
});

test('the inspector lists the tools without a warning and calls one, as docs/clients/ shows', async () => {
  const lines = await documentedShellLines('npx -y @modelcontextprotocol/inspector');
  expect(lines).toHaveLength(2);
  const env = { ...process.env, PATH: path, XDG_DATA_HOME: await temporaryDirectory() };
  const run = (line: string) =>
    promisify(execFile)('sh', ['-c', withCertificates(line).replaceAll(examplePath, clone)], { env });
  const [list, call] = [await run(lines[0] ?? ''), await run(lines[1] ?? '')];
  expect(JSON.parse(list.stdout).tools.length).toBeGreaterThan(0);
  expect(list.stderr).not.toMatch(/warning: tool|\d+ warnings/i);
  expect(JSON.parse(call.stdout)).toMatchObject({
    content: [{ text: expect.stringContaining('"Home"') }],
  });
});

test('the inspector calls tools that read and that write', async () => {
  const [bundle, directory] = await Promise.all([builtServer(), temporaryDirectory()]);
  const inspector = ['-y', '@modelcontextprotocol/inspector@2.12.0', '--cli', '--quiet'];
  const server = [process.execPath, bundle, '--dir', join(directory, 'wikis')];
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<string> => {
    const request = ['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)];
    const env = { ...process.env, PATH: path };
    const { stdout } = await promisify(execFile)('npx', [...inspector, ...server, ...request], { env });
    return JSON.parse(stdout).content[0].text;
  };
  const written = await call('write_page', { path: 'Tea', content: 'Black tea. See [[Home]].' });
  const [, commit] = /^commit ([0-9a-f]{10})/.exec(written) ?? [];
  const version = versionIn(written);
  await call('edit_page', { path: 'Tea', edits: [{ old_string: 'Black', new_string: 'Green' }], version });
  expect(await call('search_pages', { query: 'green' })).toContain('"Tea"');
  const moved = await call('move_page', { path: 'Tea', new_path: 'Drinks/Tea' });
  await call('delete_page', { path: 'Drinks/Tea', version: versionIn(moved) });
  expect(versionIn(await call('restore_page', { path: 'Tea', commit }))).toBe(version);
});

function versionIn(text: string): string | undefined {
  return /version ([0-9a-f]{40})/.exec(text)?.[1];
}

/**
 * The inspector hides the environment from the programs it starts, including the settings that npm needs here
 * to trust the registry.
 */
function withCertificates(line: string): string {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  return file === undefined ? line : line.replace('--cli', `--cli -e NODE_EXTRA_CA_CERTS=${file}`);
}

/** The documented commands with one kind of treatment. */
function linesOf<Kind extends Treatment['kind']>(kind: Kind) {
  return everyCommand().flatMap(({ line }) => {
    const treatment = treatmentOf(line);
    return treatment?.kind === kind ? [{ line, treatment: treatment as Treatment & { kind: Kind } }] : [];
  });
}

/** The line with values in place of the reader's own. */
function runnable(line: string): string {
  return line.replaceAll(/[[\]]/g, '').replaceAll('COMMAND', 'true').replaceAll('DIRECTORY', '"$HOME/wikis"');
}
