import { execFile } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
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
import { ORIGIN } from '../login/team.ts';
import { buildBase } from './base-image.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));
/** As the Dockerfile says. */
const [USER, PORT] = [10_001, 7327];
const NAME = `pagetree-lab-${process.pid}`;

let place: string;
let storage: string[];

beforeAll(async () => {
  const programs = ['buildah', 'podman', 'runc', 'mmdebstrap'];
  await installPrograms(Object.fromEntries(programs.map((program) => [program, program])));
  place = await mkdtemp(join(tmpdir(), 'pagetree-container-'));
  storage = ['--root', join(place, 'storage'), '--runroot', join(place, 'run')];
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
  await rm(place, { recursive: true, force: true });
});

async function podman(...args: string[]): Promise<string> {
  return (await run('podman', [...storage, '--runtime', 'runc', ...args])).stdout.trim();
}

test('the image serves a team, as no root and with nothing but its volume to write to', async () => {
  const team = await prepareTeam([{ everyone: true, wikis: ['*'], may: 'write' }], PORT);
  mkdirSync(team.wikis);
  chownSync(team.wikis, USER, USER);
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
  expect(git(join(team.wikis, 'main.git'), log)).toBe('Ada Lovelace <ada@example.org>\n');

  // It ends by itself when it is asked to, and its session with it. The pages stay.
  await podman('stop', '--time', '20', NAME);
  expect(await podman('inspect', '--format', '{{.State.ExitCode}}', NAME)).toBe('0');
  await podman('start', NAME);
  await answers(team.port);
  await page.goto('/main/Plan');
  await logIn(page, 'ada', '/main/Plan');
  expect(await page.textContent('article')).toContain('The plan of Ada.');
  expect(new URL(page.url()).origin).toBe(ORIGIN);
});

/** Waits until its own health check finds it well. */
async function answers(port: number): Promise<void> {
  const check = () => podman('healthcheck', 'run', NAME).then(() => 'healthy', String);
  await expect.poll(check, { timeout: 60_000 }).toBe('healthy');
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(421);
}
