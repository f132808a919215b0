import type { Patience } from '../patience.ts';
import {
  cleanWords,
  RemoteFailure,
  type RemoteFailureCode,
  type RemoteFailureReason,
} from '../remote-failure.ts';

/** The failure that a status means. Reads the beginning of a plain text, in which servers say why. */
export async function failureOfStatus(
  response: Response,
  { remote, secrets, patience }: { remote: string; secrets: readonly string[]; patience: Patience },
): Promise<RemoteFailure> {
  const { status, headers } = response;
  const retryAfterMs = retryAfterOf(headers);
  const words = cleanWords(await beginningOf(response, patience), secrets);
  const [code, reason] = codeOf(status, retryAfterMs !== null);
  const hasWait = retryAfterMs !== null && (code === 'rate_limited' || code === 'server_error');
  return new RemoteFailure(code, {
    remote,
    status,
    ...(reason && { reason }),
    ...(hasWait && { retryAfterMs }),
    ...(words && { words }),
  });
}

function codeOf(status: number, saysWhen: boolean): [RemoteFailureCode, RemoteFailureReason?] {
  if (status === 429 || (status === 403 && saysWhen)) return ['rate_limited'];
  if (status === 403) return ['forbidden'];
  if (status === 404 || status === 410) return ['not_found'];
  if (status === 413) return ['too_large', 'request'];
  if (status >= 500) return ['server_error'];
  if (status >= 300 && status < 400) return ['no_git', 'redirect'];
  return ['no_git', 'status'];
}

/** In seconds or as a date, which counts from the server's own clock. Null if there is none that can be read. */
function retryAfterOf(headers: Headers): number | null {
  const given = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(given)) return Math.min(Number(given) * 1_000, MAX_RETRY_AFTER_MS);
  const until = Date.parse(given);
  if (Number.isNaN(until)) return null;
  const ownNow = Date.parse(headers.get('date') ?? '');
  const now = Number.isNaN(ownNow) ? Date.now() : ownNow;
  return Math.min(Math.max(0, until - now), MAX_RETRY_AFTER_MS);
}

const MAX_RETRY_AFTER_MS = 86_400_000;

async function beginningOf({ headers, body }: Response, patience: Patience): Promise<string> {
  const isPlain = headers.get('content-type')?.startsWith('text/plain') ?? false;
  let text = '';
  const reader = body?.getReader();
  try {
    while (isPlain && reader && text.length < MAX_BEGINNING) {
      const { value, done } = await patience.untilSilent(reader.read());
      if (done) break;
      text += Buffer.from(value).toString('utf8');
    }
    await reader?.cancel();
  } catch {
    // The status says enough.
  }
  return text.slice(0, MAX_BEGINNING);
}

const MAX_BEGINNING = 2_000;

/** The failure of a call without an answer. Only its code is kept: a message may repeat an address. */
export function failureOfConnection(error: unknown, remote: string): RemoteFailure {
  const code = codeWithin(error);
  if (TIMEOUTS.includes(code)) return new RemoteFailure('timeout', { remote });
  if (ANSWERS.some((beginning) => code.startsWith(beginning)))
    return new RemoteFailure('no_git', { remote, reason: 'content_type' });
  if (code === NOT_PUBLIC) return new RemoteFailure('unsupported', { remote, reason: 'not_public' });
  return new RemoteFailure('unreachable', { remote, reason: reasonOf(code) });
}

/** The first code in an error, its causes and its parts: Node tries all addresses of a name. */
function codeWithin(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > MAX_CAUSES) return '';
  const { code, cause } = error as Error & { code?: unknown };
  if (typeof code === 'string') return code;
  const parts: unknown[] = error instanceof AggregateError ? error.errors : [];
  return [cause, ...parts].map((each) => codeWithin(each, depth + 1)).find(Boolean) ?? '';
}

const MAX_CAUSES = 5;
/** The code of `fetch` that calls the public Internet alone. */
const NOT_PUBLIC = 'ERR_NOT_PUBLIC';
const TIMEOUTS = ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
/** Codes of an answer that is not HTTP as it should be. */
const ANSWERS = ['HPE_', 'UND_ERR_HEADERS_OVERFLOW'];

function reasonOf(code: string): RemoteFailureReason {
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'dns';
  if (code === 'ECONNREFUSED') return 'connection_refused';
  if (/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code)) return 'reset';
  if (/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN|ENETDOWN)$/.test(code)) return 'no_route';
  if (/CERT|^ERR_(TLS|SSL)|^EPROTO$|^UNABLE_TO|SELF_SIGNED/.test(code)) return 'tls';
  return 'connection';
}
