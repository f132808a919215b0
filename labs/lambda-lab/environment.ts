import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { functionError, type Invocation, type Outcome } from './invocation.ts';
import { memoryOf, watchMemory } from './memory-watch.ts';
import { RuntimeApi } from './runtime-api.ts';

export interface EnvironmentOptions {
  /** The runtime client's program. */
  readonly runtimeClient: string;
  /** Directory of the function's code. */
  readonly code: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly memoryMib: number;
  readonly timeoutMs: number;
  readonly place: Place;
  readonly provisioned: boolean;
  readonly onLine: (line: string) => void;
}

/** Where an execution environment lives. */
export interface Place {
  /** Words before the command that starts its process, which must `exec` what follows. */
  readonly command: readonly string[];
  /** The address of the lab as seen from there. */
  readonly host: string;
}

/** AWS's limit for the init phase. */
const INIT_LIMIT_MS = 10_000;

/**
 * One execution environment: a process of the real runtime client, stopped whenever it has nothing to do. It serves
 * one invocation at a time and is gone once it has ended, for whatever reason.
 */
export class Environment {
  /** Resolves once it waits for its first event; rejects with InitFailure. */
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  readonly provisioned: boolean;
  initMs = 0;
  readonly #options: EnvironmentOptions;
  readonly #runtime: RuntimeApi;
  readonly #process: ChildProcess;
  readonly #died: Promise<Outcome>;
  #state: 'starting' | 'idle' | 'busy' | 'ended' = 'starting';
  #peakBytes = 0;
  #lines: string[] = [];
  #whyKilled: Outcome | null = null;
  #held: PromiseWithResolvers<void> | null = null;

  static async start(options: EnvironmentOptions): Promise<Environment> {
    const runtime = await RuntimeApi.listen(options.place.host);
    const temporary = await mkdtemp(join(tmpdir(), 'lambda-'));
    return new Environment(options, runtime, temporary);
  }

  private constructor(options: EnvironmentOptions, runtime: RuntimeApi, temporary: string) {
    const started = performance.now();
    this.#options = options;
    this.provisioned = options.provisioned;
    this.#runtime = runtime;
    this.#process = startProcess(options, runtime.address, temporary, (line) => {
      this.#lines.push(line);
      options.onLine(line);
    });
    this.#died = exitOf(this.#process).then((how) => this.#whyKilled ?? exitError(how));
    this.ended = this.#died.then(async () => {
      this.#state = 'ended';
      runtime.close();
      await rm(temporary, { recursive: true, force: true });
    });
    this.ready = this.#initialise(started);
    // Whoever waits for it is told; an environment that nobody waits for yet must not end the lab.
    this.ready.catch(() => {});
  }

  get state(): 'starting' | 'idle' | 'busy' | 'ended' {
    return this.#state;
  }

  /** The most memory that its process has held, in bytes. */
  get peakBytes(): number {
    return this.#peakBytes;
  }

  /** What it has written since it was last asked. */
  takeLines(): string[] {
    return this.#lines.splice(0);
  }

  /** Thaws it for one event. When the outcome is there it may be at work still: `settled` tells. */
  async invoke(invocation: Invocation): Promise<Outcome> {
    this.#state = 'busy';
    this.#signal('SIGCONT');
    const over = new AbortController();
    const endWatch = this.#watchMemory();
    try {
      const outcome = this.#runtime.give(invocation, new Date(Date.now() + this.#options.timeoutMs));
      this.#limitTime(invocation.requestId, over.signal).catch(unlessAborted);
      return await Promise.race([outcome, this.#died]);
    } finally {
      over.abort();
      endWatch();
      this.#peakBytes = Math.max(this.#peakBytes, (await memoryOf(this.#pid)).peak);
    }
  }

  /** Resolves when the invocation is over: frozen, waiting for the next event, or ended. */
  async settled(): Promise<void> {
    await Promise.race([this.#runtime.asked(), this.ended]);
    if (this.#state === 'ended') return;
    this.#signal('SIGSTOP');
    this.#state = 'idle';
  }

  /** Stops the process in the middle of its work; its timeout waits as well. */
  hold(): void {
    this.#held ??= Promise.withResolvers();
    this.#signal('SIGSTOP');
  }

  release(): void {
    this.#signal('SIGCONT');
    this.#held?.resolve();
    this.#held = null;
  }

  /** Ends it at once. @param why what a caller who is waiting is told. */
  kill(why: Outcome | null = null): void {
    if (this.#state === 'ended') return;
    this.#whyKilled ??= why;
    this.#process.kill('SIGKILL');
    this.#held?.resolve();
  }

  async #initialise(started: number): Promise<void> {
    const endWatch = this.#watchMemory();
    const failed = Promise.race([this.#runtime.initError, this.#died, initTimeout()]);
    const failure = await Promise.race([this.#runtime.asked(), failed]);
    endWatch();
    this.initMs = performance.now() - started;
    this.#peakBytes = (await memoryOf(this.#pid)).peak;
    if (failure !== undefined) {
      this.kill();
      throw new InitFailure(failure);
    }
    this.#signal('SIGSTOP');
    this.#state = 'idle';
  }

  /** Kills the process when the invocation's time is over; time in which it was held does not count. */
  async #limitTime(requestId: string, over: AbortSignal): Promise<void> {
    const { timeoutMs } = this.#options;
    let held: PromiseWithResolvers<void> | null;
    do {
      await wait(timeoutMs, undefined, { signal: over });
      held = this.#held;
      await held?.promise;
    } while (held !== null);
    const text = `RequestId: ${requestId} Error: Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`;
    this.kill(functionError('Sandbox.Timedout', text));
  }

  #watchMemory(): () => void {
    const limit = this.#options.memoryMib * 2 ** 20;
    return watchMemory(this.#pid, limit, () => {
      this.kill(
        functionError('Runtime.ExitError', 'RequestId: Error: Runtime exited with error: signal: killed'),
      );
    });
  }

  #signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.kill(signal);
  }

  get #pid(): number {
    return this.#process.pid ?? 0;
  }
}

/** What the function or its runtime said when it could not start. */
export class InitFailure extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super(outcome.payload.toString());
    this.outcome = outcome;
  }
}

function startProcess(
  options: EnvironmentOptions,
  runtimeAddress: string,
  temporary: string,
  onLine: (line: string) => void,
): ChildProcess {
  const { runtimeClient, code, variables, memoryMib, place, provisioned } = options;
  const node = [process.execPath, ...heapLimits(memoryMib), runtimeClient];
  // It ends with the lab, however the lab ends, frozen or not.
  const command = ['--pdeathsig', 'KILL', '--', ...place.command, ...node];
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
      AWS_LAMBDA_RUNTIME_API: runtimeAddress,
      LAMBDA_TASK_ROOT: code,
      _HANDLER: 'index.handler',
      ...variables,
    },
  });
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', onLine);
  return child;
}

/** Heap limits in proportion to the function's memory, which Lambda's own start of Node sets too. */
function heapLimits(memoryMib: number): string[] {
  const young = Math.floor(memoryMib * 0.05);
  const old = Math.floor(memoryMib * 0.9);
  return ['--expose-gc', `--max-semi-space-size=${young}`, `--max-old-space-size=${old}`];
}

function unlessAborted(error: Error): void {
  if (error.name !== 'AbortError') throw error;
}

async function exitOf(child: ChildProcess): Promise<string> {
  const [code, signal] = await once(child, 'exit');
  if (signal !== null) return `signal: ${signal === 'SIGKILL' ? 'killed' : signal}`;
  return `exit status ${code}`;
}

function exitError(how: string): Outcome {
  return functionError('Runtime.ExitError', `RequestId: Error: Runtime exited with error: ${how}`);
}

async function initTimeout(): Promise<Outcome> {
  await wait(INIT_LIMIT_MS, undefined, { ref: false });
  return functionError('Sandbox.Timedout', 'RequestId: Error: Task timed out in the init phase');
}
