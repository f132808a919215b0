import { cureByPerson, type ErrorCode, type ErrorText } from '@pagetree/wiki/contract';

/** A row: the errors it covers, their meaning for a retry, and the text for people. */
export interface KnownFailure {
  names: readonly string[];
  code: ErrorCode;
  passes?: true;
  mayHaveRun?: true;
  text: (place: string) => ErrorText;
  data?: Record<string, unknown>;
}

export const nothingDone = 'Nothing was read or changed.';

export const throttled: KnownFailure = {
  names: ['TooManyRequestsException', 'ThrottlingException', 'EC2ThrottledException', 'Throttling'],
  code: 'busy',
  passes: true,
  text: (place) => ({
    happened: `AWS Lambda throttled the calls to ${place}: more are under way than it may run at once.`,
    now: nothingDone,
    next: 'Try again in a few seconds. If it happens often, tell the person who runs the wiki to raise the concurrency of the function.',
    atTerminal: 'Try again in a few seconds. If it happens often, raise the concurrency of the function.',
  }),
  data: { retry_after_ms: 2_000 },
};

export const serviceTrouble: KnownFailure = {
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

export const connectionLost: KnownFailure = {
  names: ['TimeoutError', 'RequestTimeout', 'AbortError'],
  code: 'backend_unavailable',
  passes: true,
  mayHaveRun: true,
  text: (place) => ({
    happened: `The connection to AWS was lost before ${place} answered.`,
    now: 'Whether it did what it was asked for is not known.',
    next: 'Try again. If it happens again, tell the person who runs this server to check the network.',
    atTerminal: 'Check the network and try again.',
  }),
};

export const unreachable: KnownFailure = {
  names: [],
  code: 'backend_unavailable',
  passes: true,
  text: (place) => ({
    happened: `AWS cannot be reached to call ${place}.`,
    now: nothingDone,
    ...cureByPerson('Check the network, and that AWS_REGION is the name of a region.'),
  }),
};

export const ssoExpired: KnownFailure = {
  names: [],
  code: 'backend_unavailable',
  text: (place) => ({
    happened: `The sign-in to AWS (SSO) to call ${place} with is missing or has expired.`,
    now: nothingDone,
    ...cureByPerson('Run `aws sso login`, with `--profile` where AWS_PROFILE is set, and try again.'),
  }),
};

export const ssoDenied: KnownFailure = {
  names: [],
  code: 'forbidden',
  text: (place) => ({
    happened: `The sign-in to AWS (SSO) may not take the role of the AWS profile, with which ${place} is to be called.`,
    now: nothingDone,
    ...cureByPerson(
      'Check sso_account_id and sso_role_name of the profile in AWS_PROFILE, and ask the person who assigns accounts in IAM Identity Center for access.',
    ),
  }),
};

export const ssoUnanswered: KnownFailure = {
  names: [],
  code: 'backend_unavailable',
  passes: true,
  text: (place) => ({
    happened: `The sign-in to AWS (SSO) did not answer, so that there are no credentials to call ${place} with.`,
    now: nothingDone,
    next: 'Try again in a minute. If it happens again, tell the person who runs this server to check the network, and sso_region of the profile in AWS_PROFILE.',
    atTerminal: 'Check the network, and sso_region of the profile in AWS_PROFILE, and try again.',
  }),
};

export const loginExpired: KnownFailure = {
  names: [],
  code: 'backend_unavailable',
  text: (place) => ({
    happened: `The sign-in to AWS (aws login) to call ${place} with is missing or has expired.`,
    now: nothingDone,
    ...cureByPerson('Run `aws login`, with `--profile` where AWS_PROFILE is set, and try again.'),
  }),
};

export const roleDenied: KnownFailure = {
  names: [],
  code: 'forbidden',
  text: (place) => ({
    happened: `Your AWS identity may not assume the role of the AWS profile, with which ${place} is to be called.`,
    now: nothingDone,
    ...cureByPerson(
      'Check role_arn of the profile in AWS_PROFILE, and whom the trust policy of that role allows.',
    ),
  }),
};

export const knownFailures: readonly KnownFailure[] = [
  throttled,
  serviceTrouble,
  connectionLost,
  {
    names: ['CredentialsProviderError', 'CredentialsError'],
    code: 'backend_unavailable',
    text: (place) => ({
      happened: `There are no AWS credentials to call ${place} with.`,
      now: nothingDone,
      ...cureByPerson(
        'Set AWS_PROFILE in the settings of this server (clients pass on few variables of the shell), or run `aws configure` or `aws sso login`, and try again.',
      ),
    }),
  },
  {
    names: ['ExpiredTokenException', 'ExpiredToken', 'TokenRefreshRequired', 'SSOTokenProviderFailure'],
    code: 'backend_unavailable',
    text: (place) => ({
      happened: `The AWS credentials to call ${place} with have expired.`,
      now: nothingDone,
      ...cureByPerson('Sign in again, with `aws sso login` for instance, and try again.'),
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
      ...cureByPerson(
        'Check the profile or the keys in the settings of this server, and the clock of this machine.',
      ),
    }),
  },
  {
    names: ['AccessDeniedException', 'AccessDenied'],
    code: 'forbidden',
    text: (place) => ({
      happened: `Your AWS identity may not do lambda:InvokeFunction on ${place}.`,
      now: nothingDone,
      ...cureByPerson(
        "Ask the person who deployed the wiki to attach the stack's reader or writer policy to you.",
      ),
    }),
  },
  {
    names: ['ResourceNotFoundException'],
    code: 'backend_unavailable',
    text: (place) => ({
      happened: `AWS does not find ${place}: this account has no such function or alias in this region.`,
      now: nothingDone,
      ...cureByPerson(
        "Compare PAGETREE_FUNCTION with the stack's output `Function`, and check AWS_REGION and AWS_PROFILE.",
      ),
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
      next: 'Try again in a minute. If it stays so, tell the person who runs the wiki to look at the dashboard of the stack.',
      atTerminal: 'Try again in a minute. If it stays so, look at the dashboard of the stack.',
    }),
  },
  {
    names: ['EFSMountFailureException'],
    code: 'backend_unavailable',
    text: (place) => ({
      happened: `AWS could not start ${place}, because it may not mount its file system.`,
      now: nothingDone,
      ...cureByPerson('Deploy the stack again: its file-system policy or access point was changed.'),
    }),
  },
];
