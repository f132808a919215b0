import { spawn } from 'node:child_process';
import type { AskCredentials, Credentials } from '../transport/http/http-calls.ts';

/**
 * The login that git on this machine has for an address, from its credential helpers. It never asks a person. Gives none
 * if there is no git.
 */
export function askGit(url: URL, env: Readonly<Record<string, string | undefined>>): AskCredentials {
  return async ({ rejected }) => (rejected ? null : parse(await fill(url, env)));
}

/** The output of `git credential fill`; empty if it gives no login. */
async function fill(url: URL, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const child = spawn(
    'git',
    ['-c', 'core.askPass=', '-c', 'credential.interactive=false', 'credential', 'fill'],
    {
      env: { ...env, GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', SSH_ASKPASS: '', GCM_INTERACTIVE: 'never' },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
      timeout: TIMEOUT_MS,
    },
  );
  return new Promise((resolve) => {
    let output = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      if (output.length < MAX_OUTPUT) output += text;
    });
    child.on('error', () => resolve(''));
    child.on('close', (status) => resolve(status === 0 ? output : ''));
    // It may end without reading.
    child.stdin.on('error', () => {});
    child.stdin.end(
      `protocol=${url.protocol.slice(0, -1)}\nhost=${url.host}\npath=${url.pathname.slice(1)}\n\n`,
    );
  });
}

function parse(output: string): Credentials | null {
  const fields = new Map(
    output.split('\n').map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)] as const;
    }),
  );
  const [username, password] = [fields.get('username'), fields.get('password')];
  return username === undefined || password === undefined ? null : { username, password };
}

const TIMEOUT_MS = 20_000;
const MAX_OUTPUT = 100_000;
