import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { git } from '../git.ts';
import { RawServer } from '../raw-server.ts';
import { documentedShellLines } from './documented-commands.ts';

let bundle: string;

beforeAll(async () => {
  bundle = await builtServer();
});

interface SetUp {
  /** Creates the fault in an existing empty directory. */
  make?: (directory: string) => Promise<unknown>;
  options?: (directory: string) => string[];
  env?: Record<string, string>;
  cwd?: string;
}

async function examine({
  make,
  options,
  env = {},
  cwd,
}: SetUp): Promise<{ said: string; code: number | null }> {
  const directory = await temporaryDirectory();
  await (make ?? ((directory) => wikiIn(directory, 'main')))(directory);
  const server = new RawServer(
    process.execPath,
    [bundle, 'doctor', ...(options?.(directory) ?? ['--dir', directory])],
    { PAGETREE_AUTHOR: 'Ada <ada@example.org>', ...env },
    cwd,
  );
  server.process.stdin.end();
  const { code } = await server.ended;
  return { said: [...server.rubbish, server.stderr].join('\n'), code };
}

/** A wiki made by native git, with one page. */
async function wikiIn(directory: string, name: string): Promise<string> {
  const repository = join(directory, `${name}.git`);
  await git(directory, 'init', '--quiet', '--bare', '-b', 'main', repository);
  const clone = join(await temporaryDirectory(), 'clone');
  await git(directory, 'clone', '--quiet', repository, clone);
  await writeFile(join(clone, 'Home.md'), '# Home\n');
  await git(clone, 'add', '.');
  await git(clone, '-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'Begin');
  await git(clone, 'push', '--quiet', 'origin', 'HEAD:main');
  for (const setting of ['receive.denyNonFastForwards', 'receive.denyDeletes', 'receive.fsckObjects']) {
    await git(repository, 'config', setting, 'true');
  }
  return repository;
}

test('a set-up that works is reported as working', async () => {
  const { said, code } = await examine({});
  expect(said).toContain('Everything works.');
  expect(said).toMatch(/Author: +Ada <ada@example.org>/);
  expect(said).toMatch(/Wiki: +main, 1 pages, can be written/);
  expect(code).toBe(0);
});

test('a missing directory is reported, and nothing is created', async () => {
  const parent = await temporaryDirectory();
  const mistyped = join(parent, 'mistyped', 'wikis');
  const { said, code } = await examine({ options: () => ['--dir', mistyped] });
  expect(said).toContain(`Problem 1: There is no directory ${mistyped}.`);
  expect(said).not.toContain('Everything works.');
  expect(code).toBe(1);
  expect(await readdir(parent)).toEqual([]);
});

test('a directory without a wiki is reported, and nothing is created', async () => {
  let empty = '';
  const { said, code } = await examine({
    make: async (directory) => {
      empty = directory;
    },
  });
  expect(said).toMatch(/Problem 1: There is no wiki "main"\./);
  expect(code).toBe(1);
  expect(await readdir(empty)).toEqual([]);
});

test('a wiki that other users of the machine can read is reported, with the command that closes it', async () => {
  let repository = '';
  const make = async (directory: string) => {
    repository = await wikiIn(directory, 'main');
    for (const path of [directory, repository]) await chmod(path, 0o755);
  };
  const { said, code } = await examine({ make });
  expect(said).toContain(
    `Problem 1: Other users of this machine can look into this wiki: run \`chmod 700 ${repository}\``,
  );
  expect(code).toBe(1);
});

test('a clone made as docs/settings.md says causes no warning', async () => {
  const [line = ''] = await documentedShellLines('git clone --bare');
  const [parent, original] = [await temporaryDirectory(), await temporaryDirectory()];
  await wikiIn(original, 'my-notes');
  const wikis = join(parent, 'wikis');
  const places = { 'my-notes': join(original, 'my-notes.git'), DIRECTORY: wikis };
  const args = line.split(' ').slice(1);
  const [from = '', to = ''] = args.splice(-2);
  expect([from, to]).toEqual(['my-notes', 'DIRECTORY/my-notes.git']);
  await git(parent, ...args, places[from as 'my-notes'], to.replace('DIRECTORY', places.DIRECTORY));
  const { said, code } = await examine({ options: () => ['--dir', wikis] });
  expect(said).toMatch(/Wiki: +my-notes, 1 pages.*Everything works\./s);
  expect(code).toBe(0);
});

test.each([
  [
    '',
    /git's configuration has no user\.name and no user\.email, so that changes are recorded as by \S+ <\S+@\S+>\./,
  ],
  [
    '[user]\n\tname = Ada\n',
    /no user\.email, .* by Ada <\S+>\. Run `git config --global user\.email "you@example.org"`, or/,
  ],
])('a missing git identity is reported by doctor, with the setting to use: %j', async (config, expected) => {
  const place = await temporaryDirectory();
  await writeFile(join(place, 'config'), config);
  const env = {
    PAGETREE_AUTHOR: '',
    GIT_CONFIG_GLOBAL: join(place, 'config'),
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CEILING_DIRECTORIES: place,
  };
  const { said, code } = await examine({ env, cwd: place });
  expect(said).toMatch(expected);
  expect(said).toContain('or set PAGETREE_AUTHOR="Your Name <you@example.org>".');
  expect(code).toBe(1);
  await writeFile(join(place, 'config'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
  expect((await examine({ env, cwd: place })).said).toContain('Everything works.');
});

test('with INIT_CWD of our own package script paths are relative to the caller, not to the clone', async () => {
  const [caller, clone] = [await temporaryDirectory(), await temporaryDirectory()];
  await mkdir(join(caller, 'wikis'));
  await wikiIn(join(caller, 'wikis'), 'main');
  const env = { INIT_CWD: caller, npm_lifecycle_event: 'mcp', npm_package_name: 'pagetree-monorepo' };
  const options = () => ['--dir', 'wikis', '--files', 'wikis'];
  const { said } = await examine({ options, env, cwd: clone });
  expect(said).toContain(`Place:       ${join(caller, 'wikis')}\n`);
  expect(said).toContain(`Files:       ${join(caller, 'wikis')}\n`);
  expect(said).toContain('Everything works.');
  // A client started by npm sets these: the server's own directory must be used.
  const stale = { ...env, npm_lifecycle_event: 'start', npm_package_name: 'a-client' };
  expect((await examine({ options, env: stale, cwd: clone })).said).toContain(
    `There is no directory ${join(clone, 'wikis')}.`,
  );
});

const brokenSetUps: [string, SetUp, RegExp][] = [
  ['an author that is none', { env: { PAGETREE_AUTHOR: 'Ada' } }, /PAGETREE_AUTHOR is "Ada".*Correct this/s],
  ['a wiki name that is none', { env: { PAGETREE_WIKI: 'My Wiki' } }, /"My Wiki".*1 to 64 of.*Correct this/s],
  [
    'a tool that is none',
    { env: { PAGETREE_TOOLS: 'readpage' } },
    /no tool or preset "readpage". There are all,/,
  ],
  ['a scope that is no folder', { env: { PAGETREE_SCOPE: 'notes' } }, /"notes" is no folder.*"notes\/"/],
  [
    'a scope where nothing is',
    { env: { PAGETREE_SCOPE: 'Notse/' } },
    /Scope: +only what lies in "Notse\/".*No page lies in the scope/s,
  ],
  [
    'a function name that is none',
    { env: { PAGETREE_FUNCTION: 'my function' } },
    /PAGETREE_FUNCTION is "my function".*ARN/,
  ],
  ['an option that is none', { options: () => ['--directory', 'x'] }, /Unknown option '--directory'.*--help/],
  ['a word too many', { options: () => ['now'] }, /Unexpected argument 'now'.*--help/],
  [
    'a working tree',
    { make: (directory) => git(directory, 'init', '--quiet') },
    /is a git working tree.*git clone --bare/s,
  ],
  [
    'a vault',
    { make: (directory) => mkdir(join(directory, '.obsidian')) },
    /is a folder of Markdown files.*git clone --bare/s,
  ],
  [
    'a repository in place of the directory that it lies in',
    { make: (directory) => git(directory, 'init', '--quiet', '--bare') },
    /is itself a bare git repository\. \(?.*(Move it|Name the directory)/s,
  ],
  [
    'a file in place of a directory',
    {
      make: (directory) => writeFile(join(directory, 'f'), ''),
      options: (directory) => ['--dir', join(directory, 'f')],
    },
    /is not a directory.*Name a directory/s,
  ],
  [
    'a folder of files that is not there',
    {
      options: (directory) => ['--dir', directory, '--files', directory, '--files', join(directory, 'none')],
    },
    /Files: +(\S+), \1\/none\n.*"\S+\/none" cannot be looked at, or is no directory.*--files/s,
  ],
  [
    'a place that is not there',
    { options: () => ['--dir', '/sys/pagetree'] },
    /There is no directory \/sys\/pagetree\./,
  ],
  [
    'a wiki that is not there',
    {
      make: (directory) => wikiIn(directory, 'notes'),
      options: (directory) => ['--dir', directory, '--wiki', 'note'],
    },
    /There is no wiki "note"\. Name another one, as --wiki notes\./,
  ],
  [
    'a wiki that is a working tree',
    { make: (directory) => git(directory, 'init', '--quiet', 'notes.git') },
    /Problem 1: \S+ cannot be used as a wiki: it is a working tree; [^(]+ Correct that, or move/,
  ],
  [
    'a wiki of a newer format',
    {
      make: async (directory) => git(await wikiIn(directory, 'main'), 'config', 'pagetree.format', '999'),
    },
    /999.*(newer|update)/is,
  ],
  [
    'a repository with SHA-256',
    {
      make: (directory) => git(directory, 'init', '--quiet', '--bare', '--object-format=sha256', 'main.git'),
    },
    /sha-?256/i,
  ],
  [
    'a repository that anyone may rewrite by a push',
    {
      make: async (directory) =>
        git(await wikiIn(directory, 'main'), 'config', 'receive.denyDeletes', 'false'),
    },
    /A push may rewrite.*config receive.denyDeletes true/,
  ],
  [
    'a repository that lost its objects',
    {
      make: async (directory) => {
        const objects = join(await wikiIn(directory, 'main'), 'objects');
        for (const folder of await readdir(objects)) await rm(join(objects, folder), { recursive: true });
      },
    },
    /Problem 1: .*(restore|clone|fsck)/s,
  ],
];

/** Advice that only an agent calling a tool can follow, or that asks the very person who reads it. */
const forAgents = /ell the person|sk the person|Pass wiki|request_id|epeat the call|Call (it|again|the tool)/;

test.each(
  sampled(
    brokenSetUps,
    brokenSetUps.filter((_, at) => at % 3 === 0),
  ),
)('%s is named, with what to do next', async (_, setUp, expected) => {
  const { said, code } = await examine(setUp);
  expect(said).toMatch(expected);
  expect(said).not.toContain('Everything works.');
  expect(said).not.toMatch(/\n\s+at /);
  expect(said).not.toMatch(forAgents);
  expect(code).toBeGreaterThan(0);
});
