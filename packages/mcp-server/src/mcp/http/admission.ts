import { createHash, timingSafeEqual } from 'node:crypto';
import { errorResponse } from './error-response.ts';

/** The rules by which requests may call the wiki. */
export interface Admission {
  /** The accepted values of the `Host` header. */
  hosts: readonly string[];
  /** The secret that each request must carry; null if none is set, and this machine alone is served. */
  token: string | null;
}

/**
 * The refusal of a request that may not call the wiki; null if it may. Without a token only this machine's own programs
 * may: a foreign page can make a browser send requests here, but not without its `Origin`, and if its own name leads
 * here (DNS rebinding), the `Host` is foreign. With a token the host may be any one, as that of a tunnel.
 */
export function refusalOf(request: Request, { hosts, token }: Admission): Response | null {
  const host = request.headers.get('host')?.toLowerCase() ?? '';
  const origin = request.headers.get('origin')?.toLowerCase() ?? null;
  if (token === null && !hosts.includes(host)) {
    return errorResponse(403, 'Nothing is served here for this host.');
  }
  const own = hosts.map((each) => `http://${each}`);
  // Before a tunnel there is HTTPS, and a name of its own.
  if (token !== null) own.push(`http://${host}`, `https://${host}`);
  if (origin !== null && !own.includes(origin)) {
    return errorResponse(403, 'Pages of other origins may not call this server.');
  }
  if (token === null || isEqual(bearerOf(request), token)) return null;
  const sentence = 'This server needs its token: Authorization: Bearer TOKEN.';
  return errorResponse(401, sentence, { 'WWW-Authenticate': 'Bearer' });
}

function bearerOf(request: Request): string {
  return /^bearer +(.*)$/i.exec(request.headers.get('authorization') ?? '')?.[1]?.trim() ?? '';
}

/** Compares digests, which are equally long, in a time that says nothing of where they differ. */
function isEqual(given: string, token: string): boolean {
  const [left, right] = [given, token].map((text) => createHash('sha256').update(text).digest()) as [
    Buffer,
    Buffer,
  ];
  return timingSafeEqual(left, right);
}
