import type { Oid } from '../storage.ts';

/** What storage must know of a commit. */
export interface CommitText {
  tree: Oid;
  parents: Oid[];
  /** When it was committed, in seconds since 1970; 0 where that cannot be told. */
  date: number;
  /** Which request made it, null where the message does not end with these lines. */
  request: RequestTrailers | null;
}

export interface RequestTrailers {
  requestId: string;
  digest: string;
  nonce: string;
}

/** The lines that a commit's message ends with, in this order. */
export function trailerLines({ requestId, digest, nonce }: RequestTrailers): string[] {
  return [`Request-Id: ${requestId}`, `Request-Digest: ${digest}`, `Nonce: ${nonce}`];
}

/** Reads a commit's bytes. Throws nothing: a commit that git would not take has no tree and no parents. */
export function parseCommit(content: Uint8Array): CommitText {
  const text = new TextDecoder().decode(content);
  const headerEnd = text.indexOf('\n\n');
  const header = (headerEnd < 0 ? text : text.slice(0, headerEnd)).split('\n');
  const message = headerEnd < 0 ? '' : text.slice(headerEnd + 2);
  return {
    tree: valuesOf(header, 'tree')[0] ?? '',
    parents: valuesOf(header, 'parent'),
    date: Number(DATE.exec(valuesOf(header, 'committer')[0] ?? '')?.[1] ?? 0),
    request: parseTrailers(message.trimEnd().split('\n').slice(-3)),
  };
}

/** What a committer's line ends with: the seconds, and the time zone. */
const DATE = / (\d+) [+-]\d+$/;

function valuesOf(header: string[], key: string): string[] {
  return header.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
}

/** By place, not by search: what a page's author wrote above the last three lines is only text. */
function parseTrailers(lines: string[]): RequestTrailers | null {
  const [requestId, digest, nonce] = ['Request-Id: ', 'Request-Digest: ', 'Nonce: '].map((key, position) => {
    const line = lines[position];
    return line?.startsWith(key) ? line.slice(key.length) : undefined;
  });
  return requestId && digest && nonce ? { requestId, digest, nonce } : null;
}
