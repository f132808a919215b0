import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { expect } from 'vitest';
import { logIn } from '../login/in-chromium.ts';
import { prepareTeam } from '../login/served-team.ts';
import { HOST, ORIGIN } from '../login/team.ts';
import { openTlsProxy } from '../login/tls-proxy.ts';
import { openChromium } from '../open-chromium.ts';

const run = promisify(execFile);
/** As the Dockerfile says. */
const USER = 10_001;

/** The image as a server behind a proxy with TLS, and a browser in which a person is logged in. */
export interface ServedImage {
  baseURL: string;
  browser: Browser;
  /** For each context: the session, and the certificate that nobody vouches for. */
  context: BrowserContextOptions;
  stop(): Promise<void>;
}

/** `fill` writes the wikis before the server starts. */
export async function serveImage(
  storage: readonly string[],
  fill: (directory: string) => Promise<void>,
): Promise<ServedImage & { directory: string }> {
  const ends: (() => unknown)[] = [];
  const stop = async () => {
    for (const end of ends.reverse()) await end();
  };
  try {
    const everybody = [{ everyone: true, wikis: ['*'], may: 'administer' }];
    const team = await prepareTeam(everybody, { atEnd: (end) => ends.push(end) });
    mkdirSync(team.wikis);
    await fill(team.wikis);
    await run('chown', ['--recursive', `${USER}:${USER}`, team.wikis]);
    // With the secret and the rules.
    chmodSync(team.directory, 0o755);
    const name = `pagetree-pages-${randomUUID()}`;
    ends.push(() => run('podman', [...storage, 'rm', '--force', '--ignore', name]));
    await run('podman', [
      ...[...storage, '--runtime', 'runc', 'run', '--detach', '--name', name, '--network=host'],
      ...['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges'],
      ...['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'],
      ...['--volume', `${team.wikis}:/wikis`, '--volume', `${team.directory}:${team.directory}:ro`],
      ...['localhost/pagetree', ...team.args],
    ]);
    const answers = () => fetch(`http://127.0.0.1:${team.port}/`);
    await expect.poll(answers, { interval: 100 }).toBeDefined();
    const proxy = await openTlsProxy(HOST, team.port, { atEnd: (end) => ends.push(end) });
    const browser = await openChromium([`--host-resolver-rules=MAP ${HOST}:443 127.0.0.1:${proxy}`]);
    ends.push(() => browser.close());
    const context = { ignoreHTTPSErrors: true };
    const first = await browser.newContext({ baseURL: ORIGIN, ...context });
    await logIn(await first.newPage(), 'ada', '/main/');
    const storageState = await first.storageState();
    await first.close();
    return { baseURL: ORIGIN, directory: team.wikis, browser, context: { ...context, storageState }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
