import { execFile } from 'node:child_process';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ENVIRONMENT } from '../web/environment-config.ts';

/** The lines of pushes that git said were accepted, and how many were rejected since somebody else came first. */
export interface Pushed {
  accepted: string[];
  rejected: number;
}

/** A person who commits and pushes a line after another, and pulls whenever the push is rejected, until `endsAt`. */
export async function pushLines(
  url: string,
  directory: string,
  number: number,
  endsAt: number,
): Promise<Pushed> {
  const pushed: Pushed = { accepted: [], rejected: 0 };
  await git('.', 'clone', '--quiet', url, directory);
  await mkdir(join(directory, 'pushed'), { recursive: true });
  // At least one, however slow the machine is.
  for (let at = 0; at === 0 || Date.now() < endsAt; at += 1) {
    const line = `pusher ${number}, line ${at}`;
    await appendFile(join(directory, pageOf(number)), `${line}\n`);
    await git(directory, 'add', '--all');
    await git(directory, 'commit', '--quiet', '-m', line);
    while (!(await isPushed(directory))) {
      pushed.rejected += 1;
      await git(directory, 'pull', '--quiet', '--rebase');
    }
    pushed.accepted.push(line);
  }
  return pushed;
}

/** The page of a person, to which nobody else writes. */
export function pageOf(number: number): string {
  return `pushed/${number}.md`;
}

async function isPushed(directory: string): Promise<boolean> {
  try {
    await git(directory, 'push', '--quiet', 'origin', 'HEAD:main');
    return true;
  } catch (error) {
    const words = String((error as { stderr?: unknown }).stderr);
    // Git's own check may see it first: then the advertisement named commits that it does not have.
    if (/\(fetch first\)|\(non-fast-forward\)/.test(words)) return false;
    throw error;
  }
}

async function git(cwd: string, ...args: string[]): Promise<void> {
  await promisify(execFile)('git', [...IDENTITY, ...args], {
    cwd,
    env: { ...ENVIRONMENT, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C.UTF-8' },
  });
}

const IDENTITY = ['-c', 'user.name=Pusher', '-c', 'user.email=pusher@example.org', '-c', 'gc.auto=0'];
