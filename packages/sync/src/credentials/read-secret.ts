import type { AskCredentials } from '../transport/http/http-calls.ts';
import { RemoteFailure, type RemoteFailureReason } from '../transport/remote-failure.ts';
import { readToken } from './read-token.ts';

/** The text of a secret; null if there is no such secret. Throws if the store cannot be asked. */
export type ReadSecret = (name: string) => Promise<string | null>;

/** The login in a secret, with the content of a token file. Throws RemoteFailure if there is none: nobody else has one. */
export function readSecretToken(name: string, read: ReadSecret, shown: string): AskCredentials {
  const failure = (reason: RemoteFailureReason) =>
    new RemoteFailure('unauthorized', { remote: shown, reason });
  return readToken(async () => {
    // The error of the store may name the account.
    const text = await read(name).catch(() => {
      throw failure('secret_unread');
    });
    if (text === null || text.trim() === '') throw failure('no_secret');
    const login = text.trimStart().startsWith('{') ? loginInKeys(text) : text;
    if (login === null) throw failure('secret_keys');
    return login;
  });
}

/** The login in a secret of keys and values, as the console of AWS makes one; null if none of the keys is known. */
function loginInKeys(text: string): string | null {
  const parsed = parseJson(text);
  if (typeof parsed !== 'object' || parsed === null) return null;
  const { token, username, password } = parsed as Record<string, unknown>;
  if (typeof token === 'string' && token !== '') return token;
  const isLogin = typeof username === 'string' && typeof password === 'string' && !username.includes(':');
  return isLogin ? `${username}:${password}` : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
