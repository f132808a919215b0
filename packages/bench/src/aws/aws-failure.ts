import { FunctionFailure } from '../studies/invoke.ts';

export type AwsFailureCode =
  | 'credentials'
  | 'forbidden'
  | 'region'
  | 'throttled'
  | 'unreachable'
  | 'fault'
  | 'refused'
  | 'limit'
  | 'not_deployed'
  | 'stack'
  | 'function'
  | 'task'
  | 'not_agreed'
  | 'misused';

/** Why something on AWS did not come about, in sentences for people: what happened, and what to do next. */
export class AwsFailure extends Error {
  override readonly name = 'AwsFailure';
  readonly code: AwsFailureCode;

  constructor(code: AwsFailureCode, happened: string, next: string, cause?: unknown) {
    super(`${happened} ${next}`, { cause });
    this.code = code;
  }
}

/**
 * The meaning of an SDK error. Branches on its name and status; its text, which may contain keys and
 * accounts, is not shown.
 * @param doing The failed action, worded to follow "could not", such as "start the task".
 */
export function explain(error: unknown, doing: string): AwsFailure {
  if (error instanceof AwsFailure) return error;
  if (error instanceof FunctionFailure)
    return new AwsFailure(
      'function',
      `A function failed while the bench wanted to ${doing}: ${error.message.slice(0, 300)}`,
      `Its log in CloudWatch says more. ${AGAIN}`,
      error,
    );
  const { name, status, code } = describe(error);
  const known = KNOWN.find(({ names }) => names.includes(name) || names.includes(code));
  if (known) return failure(known, doing, error);
  if (status === 429) return failure(THROTTLED, doing, error);
  if (status !== null && status >= 500) return failure(FAULT, doing, error);
  if (status === 403) return failure(FORBIDDEN, doing, error);
  if (status !== null)
    return new AwsFailure(
      'refused',
      `AWS refused to ${doing} (${word(name)}).`,
      'Check the region and the account.',
      error,
    );
  if (/^E[A-Z_]+$/.test(code)) return failure(UNREACHABLE, doing, error);
  throw error;
}

const AGAIN = 'Run the command again: it goes on where it stopped.';

interface Known {
  names: readonly string[];
  code: AwsFailureCode;
  happened: (doing: string) => string;
  next: string;
}

const THROTTLED: Known = {
  names: [
    'ThrottlingException',
    'Throttling',
    'TooManyRequestsException',
    'RequestLimitExceeded',
    'SlowDown',
  ],
  code: 'throttled',
  happened: (doing) => `AWS throttled the bench, again and again, so it could not ${doing}.`,
  next: `Wait a minute. ${AGAIN}`,
};

const FAULT: Known = {
  names: [
    'ServiceException',
    'InternalServerError',
    'InternalFailure',
    'ServiceUnavailable',
    'ServerException',
  ],
  code: 'fault',
  happened: (doing) => `AWS had a fault of its own, so the bench could not ${doing}.`,
  next: `Wait a minute. ${AGAIN}`,
};

const FORBIDDEN: Known = {
  names: ['AccessDeniedException', 'AccessDenied', 'UnauthorizedOperation', 'AccessDeniedFault'],
  code: 'forbidden',
  happened: (doing) => `Your AWS identity may not ${doing}.`,
  next: 'Use one that may make stacks and roles, an administrator for instance; docs/studies/on-aws.md lists what is made.',
};

const UNREACHABLE: Known = {
  names: ['TimeoutError', 'RequestTimeout'],
  code: 'unreachable',
  happened: (doing) => `AWS cannot be reached, so the bench could not ${doing}.`,
  next: `Check the network, and that the region's name is right. ${AGAIN}`,
};

const KNOWN: readonly Known[] = [
  THROTTLED,
  FAULT,
  FORBIDDEN,
  UNREACHABLE,
  {
    names: ['CredentialsProviderError', 'CredentialsError'],
    code: 'credentials',
    happened: (doing) => `There are no AWS credentials, so the bench could not ${doing}.`,
    next: 'Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run `aws sso login`.',
  },
  {
    names: ['ExpiredTokenException', 'ExpiredToken', 'TokenRefreshRequired', 'RequestExpired'],
    code: 'credentials',
    happened: (doing) => `The AWS credentials have expired, so the bench could not ${doing}.`,
    next: `Sign in again, with \`aws sso login\` for instance. ${AGAIN}`,
  },
  {
    names: [
      'UnrecognizedClientException',
      'InvalidSignatureException',
      'SignatureDoesNotMatch',
      'InvalidClientTokenId',
      'InvalidAccessKeyId',
      'AuthFailure',
    ],
    code: 'credentials',
    happened: (doing) => `AWS does not accept the credentials, so the bench could not ${doing}.`,
    next: 'Check the profile or the keys, and the clock of this machine.',
  },
  {
    names: ['ResourceNotFoundException', 'ClusterNotFoundException', 'NoSuchBucket', 'NotFound'],
    code: 'not_deployed',
    happened: (doing) => `What the bench needs to ${doing} is not there.`,
    next: 'Run `pnpm bench deploy`, and check the region: `pnpm bench status` says what is where.',
  },
  {
    names: ['LimitExceededException', 'ServiceQuotaExceededException', 'CodeStorageExceededException'],
    code: 'limit',
    happened: (doing) => `A quota of the account does not let the bench ${doing}.`,
    next: 'Ask for more under Service Quotas in the console.',
  },
  {
    names: [
      'EFSMountConnectivityException',
      'EFSMountTimeoutException',
      'EFSIOException',
      'EFSMountFailureException',
    ],
    code: 'function',
    happened: (doing) => `The function could not mount its file system, so the bench could not ${doing}.`,
    next: `A file system that was made just now may need another minute. ${AGAIN}`,
  },
];

function failure({ code, happened, next }: Known, doing: string, cause: unknown): AwsFailure {
  return new AwsFailure(code, happened(doing), next, cause);
}

function describe(error: unknown): { name: string; status: number | null; code: string } {
  const { name, code, $metadata } = (error ?? {}) as {
    name?: unknown;
    code?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  return { name: String(name), code: String(code), status: $metadata?.httpStatusCode ?? null };
}

function word(name: string): string {
  return /^\w{1,80}$/.test(name) ? name : 'an unknown error';
}
