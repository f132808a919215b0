import { execFile } from 'node:child_process';
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ENVIRONMENT } from '../web/environment-config.ts';

const run = promisify(execFile);

/** A clone that native git makes, without a working tree of all pages. */
export class GitClient {
  readonly #directory: string;
  readonly #host: string;

  /** @param host the server behind the counter of bytes: it answers for its own name alone. */
  constructor(directory: string, host: string) {
    this.#directory = directory;
    this.#host = host;
  }

  async clone(url: string, ...options: string[]): Promise<void> {
    await this.#run('.', 'clone', '--quiet', '--no-checkout', ...options, url, this.#directory);
  }

  /** Commits one more line on the first page. */
  async changePage(number: number): Promise<void> {
    const files = await this.#git('ls-tree', '-r', '--name-only', 'HEAD');
    const page = files.split('\n').find((path) => path.endsWith('.md')) ?? '';
    await this.#git('read-tree', 'HEAD');
    await this.#git('checkout-index', '--force', page);
    await appendFile(join(this.#directory, page), `\nThe line ${number}.\n`);
    await this.#git('update-index', page);
    await this.#git('commit', '--quiet', '-m', `Add line ${number}`);
  }

  async push(): Promise<void> {
    await this.#git('push', '--quiet', 'origin', 'HEAD:main');
  }

  async fetch(): Promise<void> {
    await this.#git('fetch', '--quiet', 'origin');
  }

  async head(name: string): Promise<string> {
    return (await this.#git('rev-parse', name)).trim();
  }

  /** Throws if git finds the clone unsound. */
  async check(): Promise<void> {
    await this.#git('fsck', '--strict', '--connectivity-only');
  }

  async remove(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }

  #git(...args: string[]): Promise<string> {
    return this.#run(this.#directory, ...args);
  }

  async #run(cwd: string, ...args: string[]): Promise<string> {
    const { stdout } = await run(
      'git',
      [...IDENTITY, '-c', `http.extraHeader=Host: ${this.#host}`, ...args],
      {
        cwd,
        env: {
          ...ENVIRONMENT,
          GIT_CONFIG_NOSYSTEM: '1',
          GIT_CONFIG_GLOBAL: '/dev/null',
          GIT_TERMINAL_PROMPT: '0',
        },
        maxBuffer: 256_000_000,
      },
    );
    return stdout;
  }
}

const IDENTITY = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org', '-c', 'gc.auto=0'];
