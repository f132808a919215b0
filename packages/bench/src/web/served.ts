import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../labs/free-port.ts';
import { installPythonPackages } from '../../../../labs/requirements.ts';
import { ENVIRONMENT } from './environment-config.ts';

/** A wiki that a process serves over HTTP on this machine. */
export interface Served {
  origin: string;
  pid: number;
  stop(): Promise<void>;
}

/** `pnpm serve` without pnpm. */
export async function servePagetree(wikis: string): Promise<Served> {
  const main = fileURLToPath(new URL('../../../web/src/main.ts', import.meta.url));
  const port = await freePort();
  return begin(port, '/main/', process.execPath, [main, '--port', String(port), '--dir', wikis], {});
}

/** otterwiki behind waitress, with as many threads as waitress has by itself. `repository` has a work tree. */
export async function serveOtterwiki(repository: string): Promise<Served> {
  const packages = await installPythonPackages([`otterwiki==${OTTERWIKI}`, 'waitress==3.0.2']);
  const port = await freePort();
  const args = ['-m', 'waitress', '--listen', `127.0.0.1:${port}`, 'otterwiki.server:app'];
  return begin(port, '/-/healthz', 'python3', args, {
    PYTHONPATH: packages,
    REPOSITORY: repository,
    SECRET_KEY: 'of-a-wiki-that-is-measured',
    RETAIN_PAGE_NAME_CASE: 'true',
    LOG_LEVEL: 'ERROR',
  });
}

export const OTTERWIKI = '2.26.1';

async function begin(
  port: number,
  path: string,
  program: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Served> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...ENVIRONMENT, ...env },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000);
  });
  const origin = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + MAX_START_MS;
  for (;;) {
    const answer = await fetch(origin + path).catch(() => null);
    if (answer?.ok) return { origin, pid: child.pid ?? 0, stop: () => stop(child) };
    if (answer !== null || child.exitCode !== null || Date.now() > deadline) {
      await stop(child);
      throw new Error(
        `${program} ${args.join(' ')} did not answer${answer === null ? '' : `, but ${answer.status}`}: ${said}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Before its first answer a server may read the history of 100,000 pages. */
const MAX_START_MS = 20 * 60_000;

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** The processor time that a process has used, in milliseconds; 0 if the system does not report it. */
export async function processorMs(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
}

const TICK_MS = 10;
