import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export type GitInput = string | Uint8Array;

/** A directory that goes when the test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** An empty bare repository whose branch is `main`; it goes when the test ends. */
export function bareRepository(): string {
  const directory = join(temporaryDirectory(), 'wiki.git');
  git(tmpdir(), ['init', '--quiet', '--bare', '--initial-branch=main', directory]);
  return directory;
}

/**
 * The output of native git, the judge of everything that we write, in `directory`, without the line feed at
 * its end. The machine's configuration does not count. Throws git's error message if it fails.
 */
export function git(directory: string, args: readonly string[], input?: GitInput): string {
  return gitBytes(directory, args, { input }).toString('utf8').replace(/\n$/, '');
}

/** The same as bytes, with more environment. */
export function gitBytes(
  directory: string,
  args: readonly string[],
  { input, env }: { input?: GitInput | undefined; env?: Record<string, string> } = {},
): Buffer {
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd: directory,
    input: input ?? '',
    env: { ...process.env, ...ISOLATED, ...env },
    maxBuffer: 2 ** 30,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`git ${args.join(' ')} exited ${status}: ${stderr.toString()}`);
  return stdout;
}

const ISOLATED = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'A. Writer',
  GIT_AUTHOR_EMAIL: 'writer@example.org',
  GIT_COMMITTER_NAME: 'A. Writer',
  GIT_COMMITTER_EMAIL: 'writer@example.org',
  LC_ALL: 'C.UTF-8',
};
