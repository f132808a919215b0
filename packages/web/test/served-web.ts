import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** `pnpm serve` as a process of its own. */
export class ServedWeb {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<number | null>;
  stdout = '';
  stderr = '';

  constructor(args: readonly string[], env: Record<string, string> = {}) {
    this.process = spawn(process.execPath, [MAIN, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    this.ended = once(this.process, 'close').then(([code]) => code);
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
  }

  /** The address that it prints, without the slash at its end. */
  async address(): Promise<string> {
    while (!this.stdout.includes('\n')) {
      const more = await Promise.race([once(this.process.stdout, 'data'), this.ended]);
      if (!Array.isArray(more)) throw new Error(`It ended without an address: ${this.stderr}`);
    }
    return this.stdout.trim().replace(/\/$/, '');
  }

  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    this.process.kill(signal);
    return this.ended;
  }
}
