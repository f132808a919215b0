import {
  type ErrorCode,
  type ErrorText,
  type Request,
  toWikiError,
  WikiError,
} from '@pagetree/wiki/contract';
import { FunctionFailure } from './lambda-client.ts';

/** Why an attempt to call the function gave no reply of the wiki's. */
export interface Failure {
  error: WikiError;
  /** It may work when it is tried again in a moment. */
  passes: boolean;
  /** The function may have begun, or even done, what it was asked for. */
  mayHaveRun: boolean;
}

/**
 * What a failure of AWS means, in plain words. Branches on names and status codes of the SDK's errors; their texts
 * are never shown, since they may name keys and accounts. `place` is the function as the person named it.
 */
export function explainFailure(error: unknown, place: string): Failure {
  if (error instanceof WikiError) return { error, passes: false, mayHaveRun: false };
  if (error instanceof FunctionFailure) return explainFunctionFailure(error, place);
  const { name, status } = describe(error);
  const known = knownFailures.find(({ names }) => names.includes(name));
  if (known !== undefined) return failure(known, place, error);
  if (status === 429) return failure(throttled, place, error);
  if (status !== null && status >= 500) return failure(serviceTrouble, place, error);
  if (status !== null) return failure(refused(name), place, error);
  const code = networkCode(error);
  if (code !== null) return failure(neverSent.has(code) ? unreachable : connectionLost, place, error);
  return { error: toWikiError(error), passes: false, mayHaveRun: false };
}

/** The error of a read that may have been carried out although no reply came: whichever it was, nothing changed. */
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
    },
    { ...error.data, request_id: requestId },
    { cause: error },
  );
}

/** A row: which errors it is for, what they mean for a retry, and what people are told. */
interface KnownFailure {
  names: readonly string[];
  code: ErrorCode;
  passes?: true;
  mayHaveRun?: true;
  text: (place: string) => ErrorText;
  data?: Record<string, unknown>;
}

const nothingDone = 'Nothing was read or changed.';

const throttled: KnownFailure = {
  names: ['TooManyRequestsException', 'ThrottlingException', 'EC2ThrottledException', 'Throttling'],
  code: 'busy',
  passes: true,
  text: (place) => ({
    happened: `AWS Lambda throttled the calls to ${place}: more are under way than it may run at once.`,
    now: nothingDone,
    next: 'Try again in a few seconds; if it happens often, raise the concurrency of the function.',
  }),
  data: { retry_after_ms: 2_000 },
};

const serviceTrouble: KnownFailure = {
  names: ['ServiceException', 'InternalServerError', 'ServiceUnavailableException'],
  code: 'backend_unavailable',
  passes: true,
  mayHaveRun: true,
  text: (place) => ({
    happened: `AWS Lambda had a fault of its own when it called ${place}.`,
    now: 'Whether it did what it was asked for is not known.',
    next: 'Try again in a minute.',
  }),
};

const connectionLost: KnownFailure = {
  names: ['TimeoutError', 'RequestTimeout', 'AbortError'],
  code: 'backend_unavailable',
  passes: true,
  mayHaveRun: true,
  text: (place) => ({
    happened: `The connection to AWS was lost before ${place} answered.`,
    now: 'Whether it did what it was asked for is not known.',
    next: 'Check the network and try again.',
  }),
};

const unreachable: KnownFailure = {
  names: [],
  code: 'backend_unavailable',
  passes: true,
  text: (place) => ({
    happened: `AWS cannot be reached to call ${place}.`,
    now: nothingDone,
    next: 'Check the network, and that AWS_REGION is the name of a region.',
  }),
};

const knownFailures: readonly KnownFailure[] = [
  throttled,
  serviceTrouble,
  connectionLost,
  {
    names: ['CredentialsProviderError', 'CredentialsError'],
    code: 'backend_unavailable',
    text: (place) => ({
      happened: `There are no AWS credentials to call ${place} with.`,
      now: nothingDone,
      next: 'Set AWS_PROFILE in the settings of this server (clients pass on few variables of the shell), or run `aws configure` or `aws sso login`, and try again.',
    }),
  },
  {
    names: ['ExpiredTokenException', 'ExpiredToken', 'TokenRefreshRequired', 'SSOTokenProviderFailure'],
    code: 'backend_unavailable',
    text: (place) => ({
      happened: `The AWS credentials to call ${place} with have expired.`,
      now: nothingDone,
      next: 'Sign in again, with `aws sso login` for instance, and try again.',
    }),
  },
  {
    names: [
      'UnrecognizedClientException',
      'InvalidSignatureException',
      'SignatureDoesNotMatch',
      'IncompleteSignature',
      'InvalidClientTokenId',
    ],
    code: 'backend_unavailable',
    text: (place) => ({
      happened: `AWS does not accept the credentials to call ${place} with.`,
      now: nothingDone,
      next: 'Check the profile or the keys in the settings of this server, and the clock of this machine.',
    }),
  },
  {
    names: ['AccessDeniedException', 'AccessDenied'],
    code: 'forbidden',
    text: (place) => ({
      happened: `Your AWS identity may not do lambda:InvokeFunction on ${place}.`,
      now: nothingDone,
      next: "Ask whoever deployed the wiki to attach the stack's reader or writer policy to you.",
    }),
  },
  {
    names: ['ResourceNotFoundException'],
    code: 'backend_unavailable',
    text: (place) => ({
      happened: `AWS does not find ${place}: this account has no such function or alias in this region.`,
      now: nothingDone,
      next: "Compare PAGETREE_FUNCTION with the stack's output `Function`, and check AWS_REGION and AWS_PROFILE.",
    }),
  },
  {
    names: ['RequestTooLargeException', 'RequestEntityTooLargeException'],
    code: 'too_large',
    text: () => ({
      happened: 'The call is larger than AWS Lambda takes (6,291,556 bytes).',
      now: nothingDone,
      next: 'Send less at once.',
    }),
  },
  {
    names: [
      'EFSMountConnectivityException',
      'EFSMountTimeoutException',
      'EFSIOException',
      'ResourceNotReadyException',
      'ResourceConflictException',
    ],
    code: 'backend_unavailable',
    passes: true,
    text: (place) => ({
      happened: `AWS could not start ${place}, because its file system did not answer.`,
      now: nothingDone,
      next: 'Try again in a minute; if it stays so, look at the dashboard of the stack.',
    }),
  },
  {
    names: ['EFSMountFailureException'],
    code: 'backend_unavailable',
    text: (place) => ({
      happened: `AWS could not start ${place}, because it may not mount its file system.`,
      now: nothingDone,
      next: 'Deploy the stack again: its file-system policy or access point was changed.',
    }),
  },
];

function refused(name: string): KnownFailure {
  return {
    names: [],
    code: 'backend_unavailable',
    text: (place) => ({
      happened: `AWS refused the call to ${place} (${/^\w{1,80}$/.test(name) ? name : 'an unknown error'}).`,
      now: nothingDone,
      next: 'Check PAGETREE_FUNCTION, AWS_REGION and AWS_PROFILE in the settings of this server.',
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
      next: "Try again; if it happens again, look in the function's log.",
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

function describe(error: unknown): { name: string; status: number | null } {
  const { name, $metadata } = (error ?? {}) as { name?: unknown; $metadata?: { httpStatusCode?: number } };
  return { name: String(name), status: $metadata?.httpStatusCode ?? null };
}

/** Node's own errors of sockets and names carry a code such as ECONNRESET; no reply came with them. */
function networkCode(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^E[A-Z_]+$/.test(code) ? code : null;
}

/** With these no connection was made, so that nothing was sent over it. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
