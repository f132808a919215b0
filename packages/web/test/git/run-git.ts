import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface GitOutcome {
  status: number | null;
  stdout: string;
  /** Without the progress of git itself. */
  stderr: string;
}

/** Runs native git while this process goes on, as it is what answers it. The machine's configuration does not count. */
export async function tryGit(
  directory: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<GitOutcome> {
  const child = spawn('git', args, {
    cwd: directory,
    env: { ...process.env, ...ISOLATED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { status, stdout: stdout.trimEnd(), stderr };
}

/** The output of git. Throws if it fails. */
export async function runGit(
  directory: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { status, stdout, stderr } = await tryGit(directory, args, env);
  if (status !== 0) throw new Error(`git ${args.join(' ')} exited ${status}: ${stderr}`);
  return stdout;
}

const ISOLATED = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  GIT_AUTHOR_NAME: 'A. Writer',
  GIT_AUTHOR_EMAIL: 'writer@example.org',
  GIT_COMMITTER_NAME: 'A. Writer',
  GIT_COMMITTER_EMAIL: 'writer@example.org',
  LC_ALL: 'C.UTF-8',
};
