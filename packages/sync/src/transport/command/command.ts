import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { CommandLine } from './command-line.ts';

/** The end of a command. */
export interface CommandEnd {
  /** Null if it was killed, or did not start. */
  status: number | null;
  /** True if there is no such program. */
  isMissing: boolean;
  /** The beginning of what it wrote to its standard error. */
  errors: string;
}

/** A running command with its streams. It never outlives `leave` or `end`. */
export class Command {
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #closed: Promise<void>;
  #errors = '';
  #isMissing = false;

  constructor({ program, args, env }: CommandLine) {
    // A group of its own, so that what it starts ends with it.
    this.#child = spawn(program, args, { env, detached: HAS_GROUPS, windowsHide: true, stdio: 'pipe' });
    const { stdin, stdout, stderr } = this.#child;
    stderr?.on('data', (data: Buffer) => {
      if (this.#errors.length < MAX_ERRORS) this.#errors += data.toString('utf8');
    });
    // A command that ends closes its input; why, its output and its status say.
    for (const stream of [stdin, stdout, stderr]) stream?.on('error', () => {});
    this.#exited = new Promise((resolve) => {
      this.#child.on('exit', () => resolve());
      this.#child.on('error', ({ code }: NodeJS.ErrnoException) => {
        this.#isMissing ||= code === 'ENOENT' || code === 'EACCES';
        resolve();
      });
    });
    this.#closed = new Promise((resolve) => this.#child.on('close', () => resolve()));
  }

  async *output(): AsyncGenerator<Uint8Array> {
    if (this.#child.stdout !== null) yield* this.#child.stdout;
  }

  /** Writes in pieces, and then closes the input; `taken` is called when the command has read one more. */
  writeAll(parts: readonly Uint8Array[], taken: () => void): void {
    for (const part of parts)
      for (let at = 0; at < part.length; at += PIECE_BYTES)
        this.#child.stdin?.write(part.subarray(at, at + PIECE_BYTES), taken);
    // Without this git would wait for the rest of a pack that is too short.
    this.#child.stdin?.end();
  }

  /** Waits until the command ends by itself, as it does after its output has ended. */
  async ended(): Promise<CommandEnd> {
    await Promise.race([this.#exited, pause(LEAVE_MS, undefined, { ref: false })]);
    // A process in the background may hold the streams open, as a shared connection of ssh does.
    await Promise.race([this.#closed, pause(STREAMS_MS, undefined, { ref: false })]);
    return { status: this.#child.exitCode, isMissing: this.#isMissing, errors: this.#errors };
  }

  /** Lets a command end that has done its work. */
  async leave(): Promise<void> {
    this.#child.stdin?.end();
    if (!(await this.#exitsWithin(LEAVE_MS))) await this.end();
    this.#destroyStreams();
  }

  /** Ends the command and what it started. */
  async end(): Promise<void> {
    this.#kill('SIGTERM');
    await this.#exitsWithin(TERMINATE_MS);
    // Also for what it started: that may have outlived it.
    this.#kill('SIGKILL');
    await this.#exited;
    this.#destroyStreams();
  }

  async #exitsWithin(ms: number): Promise<boolean> {
    const timer = new AbortController();
    const late = pause(ms, false, { signal: timer.signal }).catch(() => false);
    const isEnded = await Promise.race([this.#exited.then(() => true), late]);
    timer.abort();
    return isEnded;
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (HAS_GROUPS) process.kill(-pid, signal);
      else this.#child.kill(signal);
    } catch {
      // Nothing of it runs any more.
    }
  }

  #destroyStreams(): void {
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy();
  }
}

const HAS_GROUPS = process.platform !== 'win32';
const MAX_ERRORS = 10_000;
const PIECE_BYTES = 65_536;
const LEAVE_MS = 5_000;
const STREAMS_MS = 1_000;
const TERMINATE_MS = 2_000;
