import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface ProcessOptions {
  /** The command of the runtime client. */
  readonly runtime: readonly string[];
  /** Directory of the function's code. */
  readonly code: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly memoryMib: number;
  readonly place: Place;
  readonly provisioned: boolean;
}

/** The location of an execution environment. */
export interface Place {
  /** Words before the command that starts its process, which must `exec` what follows. */
  readonly command: readonly string[];
  /** The address of the lab as seen from there. */
  readonly host: string;
}

interface Surroundings {
  /** `host:port` of the Runtime API. */
  readonly runtimeApi: string;
  /** Its directory for temporary files. */
  readonly temporary: string;
  /** Called with each line that it writes. */
  readonly onLine: (line: string) => void;
}

/** Starts the runtime client with only the environment variables that Lambda gives it. */
export function startRuntime(
  options: ProcessOptions,
  { runtimeApi, temporary, onLine }: Surroundings,
): ChildProcess {
  const { runtime, code, variables, place, provisioned } = options;
  // It ends with the lab, however the lab ends, frozen or not.
  const command = ['--pdeathsig', 'KILL', '--', ...place.command, ...runtime];
  const child = spawn('setpriv', command, {
    cwd: code,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      LANG: 'en_US.UTF-8',
      TZ: ':UTC',
      TMPDIR: temporary,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_INITIALIZATION_TYPE: provisioned ? 'provisioned-concurrency' : 'on-demand',
      AWS_LAMBDA_RUNTIME_API: runtimeApi,
      LAMBDA_TASK_ROOT: code,
      _HANDLER: 'index.handler',
      ...variables,
    },
  });
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', onLine);
  return child;
}

/** The way in which it ended, in Lambda's words. */
export async function exitOf(child: ChildProcess): Promise<string> {
  const [code, signal] = await once(child, 'exit');
  if (signal !== null) return `signal: ${signal === 'SIGKILL' ? 'killed' : signal}`;
  return `exit status ${code}`;
}

/** The command of the runtime client for Node, with the limits of memory that it has on Lambda. */
export function nodeRuntime(runtimeClient: string, memoryMib: number): string[] {
  return [process.execPath, ...heapLimits(memoryMib), runtimeClient];
}

/** The options of Node by which its heap grows as in a function of so much memory. */
export function heapLimits(memoryMib: number): string[] {
  const young = Math.floor(memoryMib * 0.05);
  const old = Math.floor(memoryMib * 0.9);
  return ['--expose-gc', `--max-semi-space-size=${young}`, `--max-old-space-size=${old}`];
}
