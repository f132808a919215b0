import type { AskCredentials } from '../transport/http/http-calls.ts';
import { RemoteFailure } from '../transport/remote-failure.ts';

/**
 * The login in a file: a token alone, or `user:password`. It is read anew each time that it is asked for, so that a token can
 * be renewed. A file that cannot be read, or is empty, gives none. A RemoteFailure of `readFile` is thrown.
 */
export function readToken(readFile: () => Promise<string>): AskCredentials {
  let last: string | null = null;
  return async ({ rejected }) => {
    const text = await firstLine(readFile);
    // A login that was rejected is not tried again.
    if (text === null || (rejected && text === last)) return null;
    last = text;
    const at = text.indexOf(':');
    return at === -1
      ? { username: TOKEN_USER, password: text }
      : { username: text.slice(0, at), password: text.slice(at + 1) };
  };
}

async function firstLine(readFile: () => Promise<string>): Promise<string | null> {
  try {
    const [line = ''] = (await readFile()).split('\n');
    return line.trim() === '' ? null : line.trim();
  } catch (error) {
    if (error instanceof RemoteFailure) throw error;
    // The remote then says that it wants a login.
    return null;
  }
}

/** GitHub, GitLab, Bitbucket and Forgejo take any name with a token; this one is also right for tokens of GitHub's apps. */
const TOKEN_USER = 'x-access-token';
