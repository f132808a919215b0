import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Someone who keeps a wiki tidy by hand, and copies it, with native git. */
export interface Housekeeper {
  /** The number of runs of each command, and git's message if one failed. */
  end(): Promise<{ done: Record<string, number>; failures: string[] }>;
}

const COMMANDS: readonly (readonly string[])[] = [
  ['gc', '--quiet'],
  ['gc', '--quiet', '--prune=now'],
  ['repack', '-a', '-d', '--quiet'],
  ['pack-refs', '--all'],
  ['fsck', '--strict', '--no-dangling', '--no-progress'],
];

/** Runs one command after the other, clones between them, and begins again, until it is asked to end. */
export function startHousekeeper(directory: string): Housekeeper {
  let isEnded = false;
  const done: Record<string, number> = {};
  const failures: string[] = [];

  async function run(): Promise<void> {
    while (!isEnded) {
      for (const command of COMMANDS) {
        await note(command.join(' '), () => git('-C', directory, ...command));
        await note('clone', cloneAndCheck);
      }
    }
  }

  async function note(name: string, command: () => Promise<unknown>): Promise<void> {
    try {
      await command();
      done[name] = (done[name] ?? 0) + 1;
    } catch (error) {
      failures.push(`${name}: ${error}`);
    }
  }

  async function cloneAndCheck(): Promise<void> {
    const clone = await mkdtemp(join(tmpdir(), 'pagetree-clone-'));
    try {
      await git('clone', '--quiet', '--bare', `file://${directory}`, clone);
      await git('-C', clone, 'fsck', '--strict', '--no-dangling', '--no-progress');
    } finally {
      await rm(clone, { recursive: true });
    }
  }

  const running = run();
  return {
    async end() {
      isEnded = true;
      await running;
      return { done, failures };
    },
  };
}

async function git(...args: string[]): Promise<void> {
  await promisify(execFile)('git', args);
}
