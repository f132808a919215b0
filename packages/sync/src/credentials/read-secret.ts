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
    return text;
  });
}
