import type { AskCredentials } from '../transport/http/http-calls.ts';
import { RemoteFailure } from '../transport/remote-failure.ts';

/**
 * The login in a file: a token alone, or `user:password`. It is read anew each time that it is asked for, so that a token can
 * be renewed. Throws RemoteFailure if the file cannot be read or is empty: nobody else has a login.
 */
export function readFileToken(readFile: () => Promise<string>, shown: string): AskCredentials {
  return readToken(async () => {
    const text = await readFile().catch(() => '');
    if (text.trim() === '') throw new RemoteFailure('unauthorized', { remote: shown, reason: 'no_token' });
    return text;
  });
}

/** The same for the text of a file or of a secret. What `readText` throws is thrown. */
export function readToken(readText: () => Promise<string>): AskCredentials {
  let last: string | null = null;
  return async ({ rejected }) => {
    const [line = ''] = (await readText()).split('\n');
    const text = line.trim();
    // A login that was rejected is not tried again.
    if (text === '' || (rejected && text === last)) return null;
    last = text;
    const at = text.indexOf(':');
    return at === -1
      ? { username: TOKEN_USER, password: text }
      : { username: text.slice(0, at), password: text.slice(at + 1) };
  };
}

/** GitHub, GitLab, Bitbucket and Forgejo take any name with a token; this one is also right for tokens of GitHub's apps. */
const TOKEN_USER = 'x-access-token';
