import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Someone who keeps pushing to a wiki with native git. */
export interface Pusher {
  /** The files whose pushes git accepted, and refusals that are not that someone else was faster. */
  end(): Promise<{ accepted: string[]; unreasonable: string[] }>;
}

/**
 * Fetches, adds a file, pushes, and begins again, until it is asked to end and at least one push was accepted, as a
 * machine that is busy with other things may have got nowhere until then. `besideGc`: someone prunes meanwhile,
 * which makes git refuse a push now and then.
 */
export function startPusher(directory: string, besideGc: boolean): Pusher {
  let isEnded = false;
  const accepted: string[] = [];
  const unreasonable: string[] = [];

  async function run(): Promise<void> {
    const clone = await mkdtemp(join(tmpdir(), 'pagetree-pusher-'));
    await git(clone, 'init', '--quiet', '--initial-branch=main');
    await git(clone, 'remote', 'add', 'origin', directory);
    for (let number = 1; !isEnded || accepted.length === 0; number++) {
      const file = `pushed-${number}.md`;
      const refusal = await push(clone, file);
      if (refusal === null) accepted.push(file);
      else if (!isReasonable(refusal)) unreasonable.push(refusal);
      await wait(50);
    }
    await rm(clone, { recursive: true });
  }

  function isReasonable(refusal: string): boolean {
    return OTHERS_WERE_FASTER.test(refusal) || (besideGc && LOST_TO_GC.test(refusal));
  }

  const running = run();
  return {
    async end() {
      isEnded = true;
      await running;
      return { accepted, unreasonable };
    },
  };
}

/** Null if git accepts the push, else the reason for its refusal. */
async function push(clone: string, file: string): Promise<string | null> {
  try {
    await git(clone, 'fetch', '--quiet', 'origin');
    const branches = await git(clone, 'branch', '--remotes');
    if (branches.includes('origin/main')) await git(clone, 'reset', '--quiet', '--hard', 'origin/main');
    await writeFile(join(clone, file), 'pushed\n');
    await git(clone, 'add', file);
    await git(clone, 'commit', '--quiet', '--message', `Add ${file}`);
    await git(clone, 'push', '--quiet', 'origin', 'HEAD:main');
    return null;
  } catch (error) {
    return String(error);
  }
}

const OTHERS_WERE_FASTER = /fetch first|non-fast-forward|cannot lock ref|failed to update ref/;

/**
 * `git gc --prune=now` takes away what a push under way has put aside. Git alone does it too: of 609 pushes beside
 * a loop of it into a repository that nobody else wrote, 160 were refused, in these words.
 */
const LOST_TO_GC =
  /tmp_objdir-incoming|missing necessary objects|unable to migrate objects|bad pack|unpacker error/;

async function git(directory: string, ...args: string[]): Promise<string> {
  const author = ['-c', 'user.name=A. Writer', '-c', 'user.email=writer@example.org'];
  return (await promisify(execFile)('git', ['-C', directory, ...author, ...args])).stdout;
}
