import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPrograms } from '../../../../labs/requirements.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { browserOf, logIn, write } from '../login/in-chromium.ts';
import { prepareTeam } from '../login/served-team.ts';
import { buildBase } from './base-image.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));
/** As the Dockerfile says. */
const [USER, PORT] = [10_001, 7327];
const NAME = `pagetree-lab-${process.pid}`;

let place: string;
/** For sockets, whose paths must be short. */
let state: string;
let storage: string[];

beforeAll(async () => {
  const programs = ['buildah', 'podman', 'runc', 'mmdebstrap'];
  await installPrograms(Object.fromEntries(programs.map((program) => [program, program])));
  place = await mkdtemp(join(tmpdir(), 'pagetree-container-'));
  state = await mkdtemp('/run/pagetree-');
  storage = ['--root', join(place, 'storage'), '--runroot', state];
  await buildBase('base', storage);
  const certificates = '/etc/ssl/certs:/etc/ssl/certs:ro';
  await run('buildah', [
    ...[...storage, 'build', '--isolation=chroot', '--network=host', '--volume', certificates],
    ...['--format=docker', '--build-arg', 'BASE=localhost/base', '--tag', 'pagetree', REPOSITORY],
  ]);
});

afterAll(async () => {
  await podman('rm', '--force', '--ignore', NAME).catch(() => {});
  await podman('rmi', '--all', '--force').catch(() => {});
  for (const directory of [place, state]) await rm(directory, { recursive: true, force: true });
});

async function podman(...args: string[]): Promise<string> {
  return (await run('podman', [...storage, '--runtime', 'runc', ...args])).stdout.trim();
}

test('the image serves a team, as no root and with nothing but its volume to write to', async () => {
  const team = await prepareTeam([{ everyone: true, wikis: ['*'], may: 'write' }], PORT);
  mkdirSync(team.wikis);
  chownSync(team.wikis, USER, USER);
  // With the secret and the rules.
  chmodSync(team.directory, 0o755);
  await podman(
    ...['run', '--detach', '--name', NAME, '--network=host', '--read-only', '--cap-drop=all'],
    ...['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024', '--security-opt=no-new-privileges'],
    ...['--volume', `${team.wikis}:/wikis`, '--volume', `${team.directory}:${team.directory}:ro`],
    ...['localhost/pagetree', ...team.args],
  );
  await answers(team.port);
  expect(await podman('top', NAME, 'user')).toMatch(/^USER\s+10001$/);
  const open = await browserOf(team.port);
  const page = await (await open()).newPage();
  await logIn(page, 'ada', '/main/');
  await write(page, 'Plan', 'The plan of Ada.');
  const log = ['-c', 'safe.directory=*', 'log', '-1', '--format=%an <%ae>', 'main'];
  expect(git(join(team.wikis, 'main.git'), log)).toBe('Ada Lovelace <ada@example.org>');

  // It ends by itself when it is asked to, and its session with it. The pages stay.
  await podman('stop', '--time', '20', NAME);
  expect(await podman('inspect', '--format', '{{.State.ExitCode}}', NAME)).toBe('0');
  await podman('start', NAME);
  await answers(team.port);
  await page.goto('/main/Plan');
  await page.getByRole('link', { name: /^Log in at/ }).waitFor();
  const other = await (await open()).newPage();
  await logIn(other, 'grace', '/main/Plan');
  expect(await other.textContent('article')).toContain('The plan of Ada.');
});

/** Waits until its own health check finds it well. */
async function answers(port: number): Promise<void> {
  const check = () =>
    podman('healthcheck', 'run', NAME).then(
      () => 'healthy',
      () => run('podman', [...storage, 'logs', NAME]).then(({ stderr }) => stderr, String),
    );
  await expect.poll(check, { timeout: 60_000 }).toBe('healthy');
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(421);
}
