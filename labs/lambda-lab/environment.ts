import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { rationCpu } from './cpu-ration.ts';
import { functionError, type Invocation, type Outcome } from './invocation.ts';
import { memoryOf, watchMemory } from './memory-watch.ts';
import { RuntimeApi } from './runtime-api.ts';
import { exitOf, type ProcessOptions, startRuntime } from './runtime-process.ts';

export interface EnvironmentOptions extends ProcessOptions {
  readonly timeoutMs: number;
  /** Its share of one processor after the init phase; null for no limit. */
  readonly processorShare: number | null;
  readonly onLine: (line: string) => void;
}

/**
 * Limits for the init phase: of a call that waits, and of an environment that is provisioned. AWS's first limit is 10 s.
 * Here many environments may start side by side on two busy cores, which takes as long without being a defect.
 */
const INIT_LIMIT_MS = 100_000;
const PROVISIONED_INIT_LIMIT_MS = 15 * 60_000;

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
  #isKilled = false;
  #whyKilled: Outcome | null = null;
  #held: PromiseWithResolvers<void> | null = null;
  #endRation: (() => Promise<void>) | null = null;

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
    const onLine = (line: string) => {
      this.#lines.push(line);
      options.onLine(line);
    };
    this.#process = startRuntime(options, { runtimeApi: runtime.address, temporary, onLine });
    this.#died = exitOf(this.#process).then((how) => this.#whyKilled ?? exitError(how));
    this.ended = this.#died.then(async () => {
      this.#state = 'ended';
      await this.#endRation?.();
      runtime.close();
      await rm(temporary, { recursive: true, force: true });
    });
    this.ready = this.#initialise(started);
    // The code that awaits it gets the error; an environment that nobody awaits yet must not end the lab.
    this.ready.catch(() => {});
  }

  get state(): 'starting' | 'idle' | 'busy' | 'ended' {
    return this.#state;
  }

  /** True if a fault froze it in the middle of its work. */
  get isHeld(): boolean {
    return this.#held !== null;
  }

  /** The highest memory use of its process in bytes, as of the last look. */
  get peakBytes(): number {
    return this.#peakBytes;
  }

  /** The lines that it has written since the last call. */
  takeLines(): string[] {
    return this.#lines.splice(0);
  }

  /** Thaws it for one event. When the outcome is there it may still be at work: await `settled`. */
  async invoke(invocation: Invocation): Promise<Outcome> {
    this.#state = 'busy';
    this.#signal('SIGCONT');
    const over = new AbortController();
    const endWatch = this.#watchMemory();
    try {
      const outcome = this.#runtime.give(invocation, new Date(Date.now() + this.#options.timeoutMs));
      this.#limitTime(over.signal).catch(unlessAborted);
      return await Promise.race([outcome, this.#died]);
    } finally {
      over.abort();
      endWatch();
    }
  }

  /** Measures its current memory. Not part of any invocation's time. */
  async measureMemory(): Promise<void> {
    this.#peakBytes = Math.max(this.#peakBytes, (await memoryOf(this.#pid)).peak);
  }

  /** Resolves when the invocation is over: frozen, waiting for the next event, or ended. */
  async settled(): Promise<void> {
    await Promise.race([this.#runtime.asked(), this.ended]);
    // It may have asked for the next event before it was killed, and must not get one.
    if (this.#isKilled) await this.ended;
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

  /**
   * Ends it at once. @param why The reason that a waiting caller gets; by default that the process was
   * killed.
   */
  kill(why?: 'timeout' | 'memory' | undefined): void {
    if (this.#state === 'ended') return;
    this.#isKilled = true;
    if (why === 'timeout') this.#whyKilled ??= timedOut(this.#options.timeoutMs);
    this.#process.kill('SIGKILL');
    this.#held?.resolve();
  }

  async #initialise(started: number): Promise<void> {
    const endWatch = this.#watchMemory();
    const failed = Promise.race([this.#runtime.initError, this.#died, initTimeout(this.provisioned)]);
    const failure = await Promise.race([this.#runtime.asked(), failed]);
    endWatch();
    this.initMs = performance.now() - started;
    await this.measureMemory();
    if (failure !== undefined) {
      this.kill();
      throw new InitFailure(failure);
    }
    const { processorShare } = this.#options;
    if (processorShare !== null) this.#endRation = await rationCpu(this.#pid, processorShare);
    this.#signal('SIGSTOP');
    this.#state = 'idle';
  }

  /** Kills the process when the invocation's time is over; time in which it was held does not count. */
  async #limitTime(over: AbortSignal): Promise<void> {
    const { timeoutMs } = this.#options;
    let held: PromiseWithResolvers<void> | null;
    do {
      await wait(timeoutMs, undefined, { signal: over });
      held = this.#held;
      await held?.promise;
    } while (held !== null);
    this.kill('timeout');
  }

  #watchMemory(): () => void {
    const limit = this.#options.memoryMib * 2 ** 20;
    return watchMemory(this.#pid, limit, () => this.kill('memory'));
  }

  #signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.kill(signal);
  }

  get #pid(): number {
    return this.#process.pid ?? 0;
  }
}

/** The message of the function or its runtime when it could not start. */
export class InitFailure extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super(outcome.payload.toString());
    this.outcome = outcome;
  }
}

function unlessAborted(error: Error): void {
  if (error.name !== 'AbortError') throw error;
}

function timedOut(limitMs: number): Outcome {
  const text = `Error: Task timed out after ${(limitMs / 1000).toFixed(2)} seconds`;
  return functionError('Sandbox.Timedout', text);
}

/** The answer if the process ended by itself, or used too much memory. */
function exitError(how: string): Outcome {
  return functionError('Runtime.ExitError', `Error: Runtime exited with error: ${how}`);
}

async function initTimeout(provisioned: boolean): Promise<Outcome> {
  await wait(provisioned ? PROVISIONED_INIT_LIMIT_MS : INIT_LIMIT_MS, undefined, { ref: false });
  return functionError('Sandbox.Timedout', 'Error: Task timed out in the init phase');
}
