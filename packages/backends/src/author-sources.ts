import { execFile } from 'node:child_process';
import { hostname, userInfo } from 'node:os';
import { promisify } from 'node:util';
import type { AuthorSources } from './author.ts';

/** Asks git and the system for the name and address of the person who runs this process. */
export async function readAuthorSources(): Promise<AuthorSources> {
  return { git: await readGitIdentity(), user: systemUser(), host: hostname() };
}

async function readGitIdentity(): Promise<AuthorSources['git']> {
  const query = ['config', '--null', '--get-regexp', '^user\\.(name|email)$'];
  try {
    const { stdout } = await promisify(execFile)('git', query, { timeout: 3_000, windowsHide: true });
    const entries = stdout.split('\0');
    return { name: lastValue(entries, 'user.name'), email: lastValue(entries, 'user.email') };
  } catch {
    // No git, nothing configured, or a broken configuration: git is one source of three, and the next one is
    // used.
    return { name: null, email: null };
  }
}

/** If a setting occurs in several of git's files, the last one counts. */
function lastValue(entries: string[], name: string): string | null {
  return entries.findLast((entry) => entry.startsWith(`${name}\n`))?.slice(name.length + 1) ?? null;
}

function systemUser(): string | null {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the system's list, as in containers.
    return null;
  }
}
