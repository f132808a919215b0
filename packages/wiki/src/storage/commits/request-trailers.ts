import type { Commit } from '../../formats/commit.ts';

/** Identifies the request that made a commit. */
export interface RequestTrailers {
  requestId: string;
  digest: string;
  nonce: string;
}

/** The lines at the end of a commit's message, in this order. */
export function trailerLines({ requestId, digest, nonce }: RequestTrailers): string[] {
  return [`Request-Id: ${requestId}`, `Request-Digest: ${digest}`, `Nonce: ${nonce}`];
}

/**
 * The request that made a commit, or null if its message does not end with these lines. Only the last three
 * lines count: above them, the same words are only text by the page's author.
 */
export function requestOf({ message }: Pick<Commit, 'message'>): RequestTrailers | null {
  const lines = message.trimEnd().split('\n').slice(-3);
  const [requestId, digest, nonce] = ['Request-Id: ', 'Request-Digest: ', 'Nonce: '].map((key, position) => {
    const line = lines[position];
    return line?.startsWith(key) ? line.slice(key.length) : undefined;
  });
  return requestId && digest && nonce ? { requestId, digest, nonce } : null;
}
