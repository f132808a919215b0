import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtServer, temporaryDirectory } from './built-server.ts';
import { git } from './git.ts';
import { RawServer } from './raw-server.ts';

let bundle: string;

beforeAll(async () => {
  bundle = await builtServer();
});

interface SetUp {
  /** Makes what is wrong in a directory that is there and empty. */
  make?: (directory: string) => Promise<unknown>;
  options?: (directory: string) => string[];
  env?: Record<string, string>;
}

async function examine({ make, options, env = {} }: SetUp): Promise<{ said: string; code: number | null }> {
  const directory = await temporaryDirectory();
  await make?.(directory);
  const server = new RawServer(
    process.execPath,
    [bundle, 'doctor', ...(options?.(directory) ?? ['--dir', directory])],
    env,
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
  for (const setting of ['receive.denyNonFastForwards', 'receive.denyDeletes']) {
    await git(repository, 'config', setting, 'true');
  }
  return repository;
}

test('a set-up that works is told to work', async () => {
  const { said, code } = await examine({ env: { PAGETREE_AUTHOR: 'Ada <ada@example.org>' } });
  expect(said).toContain('Everything works.');
  expect(said).toMatch(/Author: +Ada <ada@example.org>/);
  expect(said).toMatch(/Wiki: +main, 2 pages, can be written/);
  expect(code).toBe(0);
});

const brokenSetUps: [string, SetUp, RegExp][] = [
  ['an author that is none', { env: { PAGETREE_AUTHOR: 'Ada' } }, /PAGETREE_AUTHOR is "Ada".*correct this/s],
  ['a wiki name that is none', { env: { PAGETREE_WIKI: 'My Wiki' } }, /"My Wiki".*1 to 64 of.*correct this/s],
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
    'a place where nothing can be made',
    { options: () => ['--dir', '/sys/pagetree'] },
    /permission was denied.*Tell the person/s,
  ],
  [
    'a wiki that is not there',
    {
      make: (directory) => wikiIn(directory, 'notes'),
      options: (directory) => ['--dir', directory, '--wiki', 'note'],
    },
    /There is no wiki "note".*"notes"/s,
  ],
  [
    'a wiki that is a working tree',
    { make: (directory) => git(directory, 'init', '--quiet', 'notes.git') },
    /Problem 1: \S+ cannot be used as a wiki: it is a working tree; [^(]+ Tell the person who runs the wiki\.\n/,
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

test.each(brokenSetUps)('%s is named, with what to do next', async (_, setUp, expected) => {
  const { said, code } = await examine(setUp);
  expect(said).toMatch(expected);
  expect(said).not.toContain('Everything works.');
  expect(said).not.toMatch(/\n\s+at /);
  expect(code).toBeGreaterThan(0);
});
