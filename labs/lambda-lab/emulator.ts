import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import { cached, installPrograms, installWithRetries } from '../requirements.ts';
import { installRuntimeClient } from './runtime-client.ts';

const run = promisify(execFile);

const SAM_VERSION = '1.170.0';

export interface Emulator {
  /** Calls the function and returns its answer. One call at a time: two at once crash the emulator. */
  invoke(event: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Starts a function under AWS's own emulator of Lambda's runtime interface. It knows no versions, sets no
 * function error and handles one call at a time. It serves as a reference for the lab's Runtime API, not for
 * other work.
 * @param code directory with the function's `index.mjs`, which exports `handler`.
 */
export async function startEmulator(
  code: string,
  variables: Readonly<Record<string, string>>,
): Promise<Emulator> {
  const [emulator, runtimeClient] = await Promise.all([installEmulator(), installRuntimeClient()]);
  const [frontPort, runtimePort] = [await freePort(), await freePort()];
  const addresses = [
    '--runtime-interface-emulator-address',
    `127.0.0.1:${frontPort}`,
    '--runtime-api-address',
    `127.0.0.1:${runtimePort}`,
  ];
  const runtime = [process.execPath, runtimeClient, 'index.handler'];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', emulator, ...addresses, ...runtime], {
    cwd: code,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, LAMBDA_TASK_ROOT: code, ...variables },
  });
  await listening(child, frontPort);
  const url = `http://127.0.0.1:${frontPort}/2015-03-31/functions/function/invocations`;
  return {
    async invoke(event) {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(event) });
      return response.json();
    },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** The emulator comes in the package of AWS's SAM command line, which is not installed for it. */
async function installEmulator(): Promise<string> {
  const directory = await cached('aws-lambda-rie', SAM_VERSION, async (place) => {
    await installPrograms({ python3: 'python3', pip3: 'python3-pip' });
    const download = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', place];
    await installWithRetries(`PyPI's package aws-sam-cli ${SAM_VERSION}`, () =>
      run('python3', [...download, `aws-sam-cli==${SAM_VERSION}`]),
    );
    const wheel = join(place, `aws_sam_cli-${SAM_VERSION}-py3-none-any.whl`);
    await run('python3', ['-m', 'zipfile', '-e', wheel, join(place, 'wheel')]);
    await copyFile(
      join(place, 'wheel/samcli/local/rapid/aws-lambda-rie-x86_64'),
      join(place, 'aws-lambda-rie'),
    );
    await chmod(join(place, 'aws-lambda-rie'), 0o755);
    await rm(join(place, 'wheel'), { recursive: true });
  });
  return join(directory, 'aws-lambda-rie');
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt += 1) {
    // Refused until it listens. Any answer counts.
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    if (answer !== null) return;
    await wait(100);
  }
  throw new Error('The emulator did not start.');
}
