import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, temporaryDirectory } from '../../../wiki/test/native-git.ts';
import { commandRemote, standInForSsh } from './command-remotes.ts';
import { emptyRepository, filledRepository, localRepository } from './repositories.ts';
import { failureOf } from './served-repository.ts';

const HOST = 'ssh://git@host.example:2222/team/wiki.git';

/** A program in place of ssh that runs these lines. */
function program(...lines: string[]): { GIT_SSH: string } {
  const path = join(temporaryDirectory(), 'ssh');
  writeFileSync(path, `#!/bin/sh\n${lines.join('\n')}\n`);
  chmodSync(path, 0o755);
  return { GIT_SSH: path };
}

test('ssh gets the address in parts, never asks, and the path is quoted', async () => {
  const { program, log } = standInForSsh('exit 1');
  await failureOf(
    commandRemote("ssh://git@host.example:2222/it's%20here.git", { env: { GIT_SSH: program } }).refs(),
  );
  expect(readFileSync(log, 'utf8').split('\n')).toEqual([
    '-o',
    'BatchMode=yes',
    '-o',
    'SendEnv=GIT_PROTOCOL',
    '-p',
    '2222',
    'git@host.example',
    "git-upload-pack '/it'\\''s here.git'",
    '',
  ]);
});

test('a path with spaces and quotes is found', async () => {
  const { bare, second } = filledRepository();
  const odd = join(temporaryDirectory(), `it's $(touch x) a "wiki"! .git`);
  git('/', ['clone', '--quiet', '--bare', bare, odd]);
  const viaSsh = commandRemote(`host:${odd}`, { env: { GIT_SSH: standInForSsh().program } });
  for (const remote of [commandRemote(odd), viaSsh])
    expect((await remote.refs()).refs.get('refs/heads/main')).toBe(second);
  expect(existsSync('x')).toBe(false);
});

test('GIT_SSH_COMMAND is a line for a shell, and counts more than GIT_SSH', async () => {
  const { bare, second } = filledRepository();
  const { program, log } = standInForSsh();
  const env = { GIT_SSH: '/nowhere', GIT_SSH_COMMAND: `'${program}' -i "my key"` };
  expect((await commandRemote(`host:${bare}`, { env }).refs()).refs.get('refs/heads/main')).toBe(second);
  expect(readFileSync(log, 'utf8')).toMatch(/^-i\nmy key\n-o\n/);
});

test('variables that name another repository do not count', async () => {
  const { bare, second } = filledRepository();
  const env = { GIT_DIR: emptyRepository(), GIT_NAMESPACE: 'other', GIT_OBJECT_DIRECTORY: '/nowhere' };
  expect((await commandRemote(bare, { env }).refs()).refs.get('refs/heads/main')).toBe(second);
});

test.each([
  ['ssh: Could not resolve hostname host.example: Name or service not known', 'unreachable', 'dns'],
  ['ssh: connect to host host.example port 22: Connection refused', 'unreachable', 'connection_refused'],
  ['ssh: connect to host host.example port 22: Connection timed out', 'timeout', undefined],
  ['ssh: connect to host host.example port 22: No route to host', 'unreachable', 'no_route'],
  ['kex_exchange_identification: Connection closed by remote host', 'unreachable', 'reset'],
  ['Host key verification failed.', 'unreachable', 'host_key'],
  ['git@github.com: Permission denied (publickey,password).', 'unauthorized', 'rejected'],
  ['ERROR: Permission to team/wiki.git denied to somebody.', 'forbidden', undefined],
  ['ERROR: Repository not found.', 'not_found', undefined],
  ["fatal: '/team/wiki.git' does not appear to be a git repository", 'not_found', undefined],
  ['ERROR: This repository was archived so it is read-only.', 'refused', undefined],
  ['bash: line 1: git-upload-pack: command not found', 'no_git', 'content_type'],
  ['Something else went wrong at https://me:secret@example.org/x?token=secret', 'broken', 'cut_off'],
])('ssh says %s', async (words, code, reason) => {
  const env = program(`printf '%s\\n' "${words}" >&2`, 'exit 255');
  const failure = await failureOf(commandRemote(HOST, { env }).refs());
  expect(failure).toMatchObject({ code, data: { remote: 'ssh://host.example:2222/team/wiki.git' } });
  expect(failure.data).toHaveProperty('words');
  expect((failure.data as { reason?: string }).reason).toBe(reason);
  expect(failure.message).not.toContain('secret');
});

test('a machine without git or ssh', async () => {
  const { bare } = filledRepository();
  const env = { PATH: temporaryDirectory() };
  expect(await failureOf(commandRemote(bare, { env }).refs())).toMatchObject({ code: 'no_command' });
  expect(await failureOf(commandRemote(HOST, { env }).refs())).toMatchObject({ code: 'no_command' });
});

const IGNORE = "trap '' TERM";

test.each([
  ['', ''],
  ['that ignores the signal', IGNORE],
])('a silent command %s is ended, with what it started', async (_name, leader) => {
  const pids = join(temporaryDirectory(), 'pids');
  const child = `sh -c "${IGNORE}; sleep 1000; sleep 1000"`;
  const env = program(leader, `${child} & echo "$!" > '${pids}'`, `echo "$$" >> '${pids}'`, 'wait; wait');
  const failure = await failureOf(commandRemote(HOST, { env, limits: { idleMs: 300 } }).refs());
  expect(failure).toMatchObject({ code: 'timeout' });
  await expectNoneOf(pids);
});

test('a call that is given up ends its command', async () => {
  const pids = join(temporaryDirectory(), 'pids');
  const env = program(`echo "$$" > '${pids}'`, 'exec sleep 1000');
  const giveUp = new AbortController();
  const call = commandRemote(HOST, { env }).refs(giveUp.signal);
  await expect.poll(() => existsSync(pids) && readFileSync(pids, 'utf8')).toMatch(/\d\n/);
  giveUp.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  await expectNoneOf(pids);
});

test('a greeting of a shell is broken, and its command is ended', async () => {
  const env = program('echo Welcome to this machine', 'exec sleep 1000');
  expect(await failureOf(commandRemote(HOST, { env }).refs())).toMatchObject({ code: 'broken' });
});

test('a hook that works on after the push ends by itself', async () => {
  const { bare, second, head } = filledRepository();
  const mark = join(temporaryDirectory(), 'mark');
  const hook = `#!/bin/sh\nsleep 0.2\necho done > '${mark}'\n`;
  writeFileSync(join(bare, 'hooks', 'post-receive'), hook, { mode: 0o755 });
  const local = localRepository(bare);
  const oid = local.commit('Page.md', 'text\n');
  await commandRemote(bare).push({
    ref: 'refs/heads/main',
    from: second,
    to: oid,
    pack: local.pack(oid, second),
  });
  expect(head()).toBe(oid);
  expect(existsSync(mark)).toBe(true);
});

/** A killed process whose parent has ended may stand as a zombie until somebody asks for it: it runs no more. */
async function expectNoneOf(file: string): Promise<void> {
  for (const pid of readFileSync(file, 'utf8').trim().split('\n'))
    await expect.poll(() => isRunning(Number(pid))).toBe(false);
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
