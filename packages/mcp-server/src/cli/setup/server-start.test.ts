import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Surroundings } from '../config.ts';
import type { Options } from '../options.ts';
import type { ServerStart } from './clients.ts';
import { keptProgram } from './kept-program.ts';
import { readStart } from './read-start.ts';

const script = process.argv[1] ?? '';

function surroundings(env: Surroundings['env'], platform = 'linux'): Surroundings {
  return {
    env,
    platform,
    home: '/people/ada',
    workingDirectory: '/place',
    authorSources: async () => ({
      git: { name: 'Ada', email: 'ada@example.org' },
      user: 'ada',
      host: 'engine',
    }),
  };
}

async function start(
  options: Options,
  env: Surroundings['env'] = {},
  platform?: string,
): Promise<ServerStart> {
  const read = await readStart(options, surroundings(env, platform), null);
  if (typeof read === 'string') throw new Error(read);
  return read;
}

test('the entry holds what this process would use by itself: the author of git and the folder of wikis', async () => {
  expect(await start({})).toEqual({
    command: process.execPath,
    args: [script, '--dir', '/people/ada/.local/share/pagetree'],
    env: { PAGETREE_AUTHOR: 'Ada <ada@example.org>' },
  });
});

test('options and variables become options of the entry, with absolute paths', async () => {
  const env = {
    PAGETREE_DIR: 'ours',
    PAGETREE_WIKI: 'notes',
    PAGETREE_FILES: '~/a:b',
    PAGETREE_TOOLS: 'essential',
  };
  const { args } = await start({ scope: 'x/', 'write-scope': 'x/y/', 'except-tools': 'delete_page' }, env);
  expect(args.slice(1).join(' ')).toBe(
    '--dir /place/ours --wiki notes --files /people/ada/a --files /place/b --tools essential --except-tools delete_page --scope x/ --write-scope x/y/',
  );
  const given = await start({ dir: '/d', wiki: 'w', files: ['/f'], author: 'Grace <g@example.org>' }, env);
  expect(given.args.slice(1).join(' ')).toBe('--dir /d --wiki w --files /f --tools essential');
  expect(given.env).toEqual({ PAGETREE_AUTHOR: 'Grace <g@example.org>' });
});

test('the entry contains the variables for AWS, as clients pass none on', async () => {
  const env = {
    PAGETREE_FUNCTION: 'Pagetree',
    AWS_REGION: 'us-east-2',
    AWS_PROFILE: 'work',
    AWS_SESSION_TOKEN: 'x',
  };
  const byVariable = await start({}, env);
  expect(byVariable.args).toEqual([script]);
  expect(byVariable.env).toEqual({
    PAGETREE_AUTHOR: 'Ada <ada@example.org>',
    PAGETREE_FUNCTION: 'Pagetree',
    AWS_REGION: 'us-east-2',
    AWS_PROFILE: 'work',
  });
  const byOption = await start({ connect: 'Team' }, { AWS_REGION: 'us-east-2' });
  expect(byOption.args).toEqual([script, '--connect', 'Team']);
  expect((await start({}, { AWS_REGION: 'us-east-2' })).env).not.toHaveProperty('AWS_REGION');
});

test('a clone is started by its own script, without pnpm and npx', async () => {
  const env = { npm_lifecycle_event: 'mcp', npm_package_name: 'pagetree-monorepo' };
  for (const platform of ['linux', 'win32']) {
    const { args } = await start({ connect: 'Team' }, env, platform);
    expect(args).toEqual([join(process.cwd(), 'start', 'mcp.mjs'), '--connect', 'Team']);
  }
});

test('nothing is copied for a clone, also in a folder that is called like a cache', () => {
  const env = { npm_lifecycle_event: 'mcp', npm_package_name: 'pagetree-monorepo' };
  const argv = [process.execPath, '/people/ada/dlx/pagetree/start/mcp.mjs'];
  expect(keptProgram(surroundings(env), argv)).toBe(null);
});

test.each(['start/mcp.mjs', 'packages/mcp-server/src/main.ts'])(
  'a clone that was started by %s is started by its script',
  async (file) => {
    const given = process.argv;
    onTestFinished(() => {
      process.argv = given;
    });
    process.argv = [process.execPath, join(process.cwd(), file)];
    const { command, args } = await start({ connect: 'Team' }, { PATH: '' });
    expect(command).toBe(join(process.cwd(), 'start/node_modules/node/bin/node'));
    expect(args).toEqual([join(process.cwd(), 'start', 'mcp.mjs'), '--connect', 'Team']);
  },
);

test('a server in the cache of npx is started from a copy, as the cache does not last', async () => {
  const given = process.argv;
  onTestFinished(() => {
    process.argv = given;
  });
  process.argv = [process.execPath, '/people/ada/.npm/_npx/1a2b/node_modules/.bin/pagetree'];
  const { args } = await start({ connect: 'Team' });
  expect(args).toEqual(['/people/ada/.local/share/pagetree-program/pagetree.js', '--connect', 'Team']);
  const [copy] = (await start({ connect: 'Team' }, { XDG_DATA_HOME: 'data' })).args;
  expect(copy).toBe('/place/data/pagetree-program/pagetree.js');
});

test('Node is started by a link that survives updates', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pagetree-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const bin of ['fnm_multishells/1', 'node_modules/.bin', 'bin']) {
    await mkdir(join(folder, bin), { recursive: true });
    await symlink(process.execPath, join(folder, bin, 'node'));
  }
  await mkdir(join(folder, 'other'));
  await symlink('/bin/sh', join(folder, 'other', 'node'));
  const path = ['fnm_multishells/1', 'node_modules/.bin', 'none', 'other', 'bin'].map((bin) =>
    join(folder, bin),
  );
  const env = { PATH: `relative:${path.join(':')}` };
  expect((await start({}, env)).command).toBe(join(folder, 'bin', 'node'));
  const inClone = { PATH: '', npm_lifecycle_event: 'mcp', npm_package_name: 'pagetree-monorepo' };
  expect((await start({}, inClone)).command).toBe(join(process.cwd(), 'start/node_modules/node/bin/node'));
});
