import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { browserOf, logIn, write } from '../login/in-chromium.ts';
import { prepareTeam } from '../login/served-team.ts';
import { type BuiltImage, buildImage } from './build-image.ts';

const run = promisify(execFile);
/** As the Dockerfile says. */
const [USER, PORT] = [10_001, 7327];
const NAME = `pagetree-lab-${process.pid}`;

let image: BuiltImage;
const podman = (...args: string[]) => image.podman(...args);

beforeAll(async () => {
  image = await buildImage();
});

afterAll(async () => {
  await podman('rm', '--force', '--ignore', NAME).catch(() => {});
  await image?.remove();
});

test('the image serves a team, as no root and with nothing but its volume to write to', async () => {
  const team = await prepareTeam([{ everyone: true, wikis: ['*'], may: 'write' }], { port: PORT });
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

test.each(['items/items', 'items/writing', 'items/editor'])(
  'the browser tests of %s pass against the image',
  async (file) => {
    const args = ['run', '--config', 'vitest.labs.config.ts', `packages/web/test/${file}.lab.test.ts`];
    const env = {
      ...process.env,
      PAGETREE_SAMPLE: '1',
      PAGETREE_IMAGE_STORAGE: JSON.stringify(image.storage),
    };
    const vitest = fileURLToPath(new URL('../../../../node_modules/vitest/vitest.mjs', import.meta.url));
    const ran = await run(process.execPath, [vitest, ...args], { env, maxBuffer: 100_000_000 }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    process.stdout.write(`${ran.stdout}${ran.stderr}`);
    expect(ran.stdout).toMatch(/Tests .*\d+ passed/);
    expect(`${ran.stdout}${ran.stderr}`).not.toMatch(/\d+ failed/);
  },
);

/** Waits until its own health check finds it well. */
async function answers(port: number): Promise<void> {
  const check = () =>
    podman('healthcheck', 'run', NAME).then(
      () => 'healthy',
      () => run('podman', [...image.storage, 'logs', NAME]).then(({ stderr }) => stderr, String),
    );
  await expect.poll(check).toBe('healthy');
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(421);
}
