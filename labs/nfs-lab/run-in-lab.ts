import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface NfsLabOptions {
  /** Separate NFS clients; 2 if absent. */
  readonly clients?: number;
  /** Added round-trip time in milliseconds; none if absent. */
  readonly roundTripMs?: number;
  /** Size of the served disk in MiB; 768 if absent. */
  readonly diskMib?: number;
  /** The lab is stopped after so many seconds, for what hangs; 2,400 if absent, within a lab test's own limit. */
  readonly timeoutSeconds?: number;
  /** The one directory of this machine that the lab can write; this repository if absent. */
  readonly writable?: string;
  /** Called with each line of the command's standard error as it arrives. */
  readonly onErrorLine?: (line: string) => void;
  /** Stops the lab; give it the test's own signal. */
  readonly signal?: AbortSignal;
}

export interface NfsLabOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command in a new nfs-lab, beside its server, in the root of this repository and with this Node first on
 * its path. `in-client N command...` is the way to a client (see the lab's README).
 * @throws Error with the standard error if the lab cannot start or the command fails.
 */
export async function runInNfsLab(command: readonly string[], options: NfsLabOptions): Promise<NfsLabOutput> {
  const lab = fileURLToPath(new URL('./nfs-lab', import.meta.url));
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const child = spawn(lab, [...labArguments(options), '--', ...command], {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.signal && { signal: options.signal }),
  });
  if (options.onErrorLine) createInterface(child.stderr).on('line', options.onErrorLine);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (status !== 0) {
    const what = status === 125 ? 'nfs-lab could not run' : `the command in nfs-lab ended with ${status}`;
    throw new Error(`${what}: ${command.join(' ')}\n${stderr}${stdout}`);
  }
  return { stdout, stderr };
}

/**
 * Runs a TypeScript program in a new nfs-lab, as its first client, and gives back the JSON value that is all of
 * its standard output.
 * @throws Error as `runInNfsLab`; SyntaxError if the output is not one JSON value.
 */
export async function runProgramInNfsLab(
  program: URL,
  parameters: readonly string[],
  options: NfsLabOptions,
): Promise<unknown> {
  const command = ['in-client', '1', 'node', fileURLToPath(program), ...parameters];
  return JSON.parse((await runInNfsLab(command, options)).stdout);
}

function labArguments(options: NfsLabOptions): string[] {
  const { clients, roundTripMs, diskMib, timeoutSeconds = 2_400, writable } = options;
  return [
    ...(clients === undefined ? [] : ['-n', String(clients)]),
    ...(roundTripMs === undefined ? [] : ['-r', String(roundTripMs)]),
    ...(diskMib === undefined ? [] : ['-s', String(diskMib)]),
    ...(writable === undefined ? [] : ['-d', writable]),
    ...['-t', String(timeoutSeconds)],
  ];
}
