import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../../labs/free-port.ts';
import { installPrograms } from '../../../../labs/requirements.ts';
import { browserBehind, logIn, write } from './in-chromium.ts';
import { serveTeam } from './served-team.ts';
import { HOST, ORIGIN } from './team.ts';
import { selfSigned } from './tls-proxy.ts';

const GUIDE = readFileSync(new URL('../../../../docs/team-server.md', import.meta.url), 'utf8');

/** The settings that the guide gives for a proxy. */
function documented(name: string): string {
  const [, settings] = new RegExp(`^## ${name}\\n\\n\`\`\`\\n([^]*?)\`\`\``, 'm').exec(GUIDE) ?? [];
  if (settings === undefined) throw new Error(`The guide has no settings for ${name}.`);
  return settings;
}

/** The command that runs a proxy with the settings of the guide, on a port of the test and in a directory of its own. */
type Proxy = (settings: string, port: number, directory: string) => string[];

const nginx: Proxy = (settings, port, directory) => {
  const { key, cert } = selfSigned(HOST);
  const [keyFile, certFile, file] = ['key', 'cert', 'nginx.conf'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(keyFile, key);
  writeFileSync(certFile, cert);
  const here = settings
    .replace('listen 443 ssl', `listen ${port} ssl`)
    .replace('/etc/ssl/wiki.pem', certFile)
    .replace('/etc/ssl/wiki.key', keyFile);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((part) => `${part}_temp_path ${directory};`)
    .join('\n');
  writeFileSync(
    file,
    `daemon off;\npid ${directory}/pid;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${here}}\n`,
  );
  return ['nginx', '-p', directory, '-e', 'stderr', '-c', file];
};

const caddy: Proxy = (settings, port, directory) => {
  const file = join(directory, 'Caddyfile');
  // Certificates of its own, as nobody reaches it from outside.
  const own = `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects\n\thttps_port ${port}\n}\n`;
  writeFileSync(file, own + settings);
  return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file];
};

test.each([
  ['nginx', nginx, 'nginx-light'],
  ['Caddy', caddy, 'caddy'],
] as const)(
  'behind %s, as the guide sets it up, a person logs in, writes, and follows changes',
  async (name, proxy, debianPackage) => {
    await installPrograms({ [name.toLowerCase()]: debianPackage });
    const team = await serveTeam([{ everyone: true, wikis: ['*'], may: 'write' }]);
    const directory = join(team.directory, 'proxy');
    mkdirSync(directory);
    const port = await freePort();
    const settings = documented(name).replace('127.0.0.1:7327', `127.0.0.1:${team.port}`);
    await run(proxy(settings, port, directory), directory);
    await expect.poll(() => answers(port)).toBe(true);

    const open = await browserBehind(port);
    const [ada, grace] = [await (await open()).newPage(), await (await open()).newPage()];
    await logIn(ada, 'ada', '/main/');
    await logIn(grace, 'grace', '/main/');
    await write(ada, 'Plan', 'The plan of Ada.');
    await grace.goto('/main/Plan');
    expect(await grace.textContent('article')).toContain('The plan of Ada.');
    await write(ada, 'Plan', 'A newer plan.');
    await grace.getByText('A newer plan.').waitFor();
    expect(new URL(grace.url()).origin).toBe(ORIGIN);
  },
);

async function run([program = '', ...args]: string[], home: string): Promise<void> {
  const running = spawn(program, args, {
    env: { ...process.env, HOME: home, XDG_DATA_HOME: home },
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    if (running.exitCode !== null) return;
    running.kill('SIGTERM');
    await once(running, 'exit');
  });
  await once(running, 'spawn');
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
