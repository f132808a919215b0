import { cureByPerson, type Request, toWikiError, WikiError } from '@pagetree/wiki/contract';
import {
  connectionLost,
  type KnownFailure,
  knownFailures,
  loginExpired,
  nothingDone,
  roleDenied,
  serviceTrouble,
  ssoDenied,
  ssoExpired,
  ssoUnanswered,
  throttled,
  unreachable,
} from './known-failures.ts';
import { FunctionFailure } from './lambda-client.ts';

/** The reason why an attempt to call the function returned no reply of the wiki. */
export interface Failure {
  error: WikiError;
  /** True if a retry after a moment may succeed. */
  passes: boolean;
  /** True if the function may have begun, or even completed, the request. */
  mayHaveRun: boolean;
}

/**
 * The meaning of an AWS failure, in plain words. Branches on names and status codes of the SDK's errors.
 * Their texts are never shown, since they may contain keys and accounts. `place` is the function as the
 * person named it.
 */
export function explainFailure(error: unknown, place: string): Failure {
  if (error instanceof WikiError) return { error, passes: false, mayHaveRun: false };
  if (error instanceof FunctionFailure) return explainFunctionFailure(error, place);
  const { name, status, message } = describe(error);
  const signIn = CREDENTIALS.has(name) ? signInFailure(message) : null;
  if (signIn !== null) return failure(signIn, place, error);
  if (ASSUME_ROLE.test(message)) return failure(roleDenied, place, error);
  const known = knownFailures.find(({ names }) => names.includes(name));
  if (known !== undefined) return failure(known, place, error);
  if (status === 429) return failure(throttled, place, error);
  if (status !== null && status >= 500) return failure(serviceTrouble, place, error);
  if (status !== null) return failure(refused(name), place, error);
  const code = networkCode(error);
  if (code !== null) return failure(neverSent.has(code) ? unreachable : connectionLost, place, error);
  return { error: toWikiError(error), passes: false, mayHaveRun: false };
}

/** True if AWS reports that this identity may not call the function, which therefore did nothing. */
export function isCallDenied(error: unknown): boolean {
  const { name, message } = describe(error);
  return DENIED.has(name) && !ASSUME_ROLE.test(message);
}

/**
 * The error of a read that may have been carried out although no reply came: in either case nothing changed.
 */
export function readUnanswered(error: WikiError): WikiError {
  const text = { ...error.text, now: 'Nothing was changed.' };
  return new WikiError(error.code, text, error.data, { cause: error.cause });
}

/** The error of a write that may have been carried out although no reply came. */
export function outcomeUnknown(error: WikiError, { input }: Request): WikiError {
  const requestId = (input as { request_id?: unknown }).request_id ?? null;
  return new WikiError(
    'write_state_unknown',
    {
      happened: error.text.happened,
      now: 'The write may or may not have been committed.',
      next: `Call the tool again with the same arguments and request_id ${JSON.stringify(requestId)}: it is applied once, however often it is sent.`,
      atTerminal: 'Look in the wiki whether the change is there before you make it again.',
    },
    { ...error.data, request_id: requestId },
    { cause: error },
  );
}

function refused(name: string): KnownFailure {
  return {
    names: [],
    code: 'backend_unavailable',
    text: (place) => ({
      happened: `AWS refused the call to ${place} (${/^\w{1,80}$/.test(name) ? name : 'an unknown error'}).`,
      now: nothingDone,
      ...cureByPerson('Check PAGETREE_FUNCTION, AWS_REGION and AWS_PROFILE in the settings of this server.'),
    }),
  };
}

function explainFunctionFailure(error: FunctionFailure, place: string): Failure {
  if (error.type.includes('ResponseSizeTooLarge')) {
    const row: KnownFailure = {
      names: [],
      code: 'too_large',
      text: () => ({
        happened: 'The answer is larger than AWS Lambda gives (6,291,556 bytes).',
        now: 'The function did what it was asked for.',
        next: 'Ask for less at once.',
      }),
    };
    return failure(row, place, error);
  }
  const row: KnownFailure = {
    names: [],
    code: 'backend_unavailable',
    passes: true,
    mayHaveRun: true,
    text: () => ({
      happened: error.timedOut
        ? `Time ran out before ${place} answered.`
        : `No answer came from ${place}, which ended early (${error.type.slice(0, 80)}).`,
      now: 'Whether it did what it was asked for is not known.',
      next: "Try again. If it happens again, tell the person who runs the wiki to look in the function's log.",
      atTerminal: "Try again. If it happens again, look in the function's log.",
    }),
  };
  return failure(row, place, error);
}

function failure(
  { code, text, passes, mayHaveRun, data }: KnownFailure,
  place: string,
  cause: unknown,
): Failure {
  const error = new WikiError(code, text(place), data, { cause });
  return { error, passes: passes === true, mayHaveRun: mayHaveRun === true };
}

interface Described {
  name: string;
  status: number | null;
  /** Used to distinguish causes, never shown. */
  message: string;
}

function describe(error: unknown): Described {
  const { name, message, $metadata } = (error ?? {}) as {
    name?: unknown;
    message?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  return { name: String(name), status: $metadata?.httpStatusCode ?? null, message: String(message) };
}

/** The reason why a sign-in to AWS gave no credentials; null if it is no matter of a sign-in. */
function signInFailure(message: string): KnownFailure | null {
  if (SSO_EXPIRED.test(message)) return ssoExpired;
  if (LOGIN_EXPIRED.test(message)) return loginExpired;
  const refusal = SSO_REFUSAL.exec(message)?.[1];
  return refusal === undefined ? null : (SSO_REFUSALS[refusal] ?? ssoUnanswered);
}

const CREDENTIALS = new Set(['CredentialsProviderError', 'TokenProviderError', 'UnauthorizedException']);
const DENIED = new Set(['AccessDeniedException', 'AccessDenied']);
const ASSUME_ROLE = /sts:AssumeRole/;
/** The SDK's own words. A profile may be named `sso` and have keys. */
const SSO_EXPIRED = /\bSSO session\b|\baws sso login\b/i;
const LOGIN_EXPIRED = /\baws login\b|\breauthenticate\b/i;
/**
 * The error of the sign-in's portal, which the SDK turns into the message as a whole, with its name. No other
 * provider of credentials does so.
 */
const SSO_REFUSAL = /^([A-Z]\w*(?:Exception|Error)|Error): /;
/** A session that was ended elsewhere, or a role that is not there for it. The others concern the portal. */
const SSO_REFUSALS: Readonly<Record<string, KnownFailure>> = {
  UnauthorizedException: ssoExpired,
  ForbiddenException: ssoDenied,
  ResourceNotFoundException: ssoDenied,
  InvalidRequestException: ssoDenied,
};

/** Node's errors of sockets and names have a code such as ECONNRESET; no reply came with them. */
function networkCode(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^E[A-Z_]+$/.test(code) ? code : null;
}

/** With these errors no connection was made, so nothing was sent. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
