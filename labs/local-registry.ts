import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { installNpmPackages } from './requirements.ts';

/** A registry of npm on this machine. It takes every package from everybody, and knows no other registry. */
export interface LocalRegistry {
  address: string;
  /** The content of an `.npmrc` that may publish there. */
  npmrc: string;
  stop(): Promise<void>;
}

/** Starts Verdaccio with an empty store in a new directory. */
export async function startLocalRegistry(directory: string): Promise<LocalRegistry> {
  const installed = await installNpmPackages(['verdaccio@6.10.4'], { 'node-fetch': '2.7.0' });
  await mkdir(directory, { recursive: true });
  const config = join(directory, 'config.yaml');
  await writeFile(config, CONFIG);
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/`;
  const program = join(installed, 'node_modules', 'verdaccio', 'bin', 'verdaccio');
  const child = spawn(
    process.execPath,
    ['--no-warnings', program, '--config', config, '--listen', `127.0.0.1:${port}`],
    {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const ended = once(child, 'close');
  const isOver = ended.then(() => true);
  while (!(await answers(new URL('-/ping', address)))) {
    if (await Promise.race([isOver, wait(100, false)]))
      throw new Error('Verdaccio ended before it answered.');
  }
  return {
    address,
    // npm publishes with a token alone; this registry accepts any.
    npmrc: `//127.0.0.1:${port}/:_authToken=anybody\n`,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const CONFIG = `storage: ./storage
auth: {}
uplinks: {}
packages:
  '**':
    access: $all
    publish: $all
log: { type: stdout, format: pretty, level: error }
max_body_size: 100mb
`;

async function answers(address: URL): Promise<boolean> {
  return fetch(address).then(
    ({ ok }) => ok,
    () => false,
  );
}
