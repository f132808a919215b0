import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';

/** `pagetree serve` of an installed package. */
export class ServedPackage {
  readonly #process: ChildProcessByStdio<null, Readable, null>;
  readonly #address: string;

  private constructor(child: ChildProcessByStdio<null, Readable, null>, address: string) {
    this.#process = child;
    this.#address = address;
  }

  /** Resolves once it has printed its address, which is its first line. */
  static async start(command: string, args: readonly string[], env = process.env): Promise<ServedPackage> {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'close').then(([code]) => {
      throw new Error(`${command} ${args.join(' ')} ended with ${code}, without an address.`);
    });
    const [address] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
    ended.catch(() => {});
    return new ServedPackage(child, address);
  }

  /** The text at an address that is relative to the one of the server. */
  async get(path: string): Promise<string> {
    const response = await fetch(new URL(path, this.#address));
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`);
    return response.text();
  }

  /** @returns the exit code. */
  async stop(): Promise<number | null> {
    const closed = once(this.#process, 'close');
    this.#process.kill('SIGINT');
    return (await closed)[0];
  }
}
