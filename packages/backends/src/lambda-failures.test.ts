import { WikiError } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { FunctionFailure } from './lambda-client.ts';
import { explainFailure, isCallDenied, outcomeUnknown, readUnanswered } from './lambda-failures.ts';

function said(name: string, message: string, httpStatusCode?: number): string {
  const error = Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });
  return explainFailure(error, 'the stack Wiki').error.message;
}

test.each([
  [
    'TokenProviderError',
    "Token is expired. To refresh this SSO session run 'aws sso login' with the profile SECRET.",
  ],
  ['CredentialsProviderError', 'The SSO session associated with this profile has expired. SECRET'],
])('an expired sign-in (%s) says to run aws sso login', (name, message) => {
  expect(said(name, message)).toMatch(
    /^backend_unavailable: The sign-in to AWS \(SSO\).*Run `aws sso login`/,
  );
  expect(said(name, message)).not.toContain('SECRET');
});

test.each([
  'Failed to load a token for session SECRET, please re-authenticate using aws login',
  'Your session has expired. Please reauthenticate.',
])('an expired `aws login` says to run it again: %s', (message) => {
  expect(said('CredentialsProviderError', message)).toMatch(
    /The sign-in to AWS \(aws login\).*Run `aws login`/,
  );
  expect(said('CredentialsProviderError', message)).not.toContain('SECRET');
});

test('a denied AssumeRole is not blamed on the call of the function', () => {
  const message =
    'User: arn:aws:iam::123456789012:user/SECRET is not authorized to perform: sts:AssumeRole on resource: x';
  expect(said('AccessDenied', message, 403)).toMatch(/^forbidden: .* may not assume the role .*role_arn/);
  expect(said('AccessDenied', message, 403)).not.toMatch(/InvokeFunction|SECRET/);
  expect(said('AccessDeniedException', 'not authorized to perform: lambda:InvokeFunction', 403)).toContain(
    'InvokeFunction',
  );
});

test.each([
  'Could not load credentials from any providers',
  // The error of a credential_process.
  'Command failed: UnauthorizedException: x',
  // A profile may have this name and lack keys.
  'Could not resolve credentials using profile: [sso] in configuration/credentials file(s).',
])('missing credentials without SSO are reported as such: %s', (message) => {
  expect(said('CredentialsProviderError', message)).toContain('There are no AWS credentials');
});

/** An error of the SDK, or of Node's sockets. */
function errorNamed(name: string, more: object = {}): Error {
  return Object.assign(new Error('SECRET'), { name, ...more });
}
const status = (httpStatusCode: number) => ({ $metadata: { httpStatusCode } });

/** By AWS's list of errors of Invoke: what is refused or not started did nothing. */
test.each<[error: unknown, code: string, passes: boolean, mayHaveRun: boolean]>([
  [errorNamed('TooManyRequestsException', status(429)), 'busy', true, false],
  [errorNamed('EC2ThrottledException', status(502)), 'busy', true, false],
  [errorNamed('Unheard', status(429)), 'busy', true, false],
  [errorNamed('ServiceException', status(500)), 'backend_unavailable', true, true],
  [errorNamed('Unheard', status(500)), 'backend_unavailable', true, true],
  [errorNamed('Unheard', status(503)), 'backend_unavailable', true, true],
  [errorNamed('Unheard', status(499)), 'backend_unavailable', false, false],
  [errorNamed('EFSMountTimeoutException', status(408)), 'backend_unavailable', true, false],
  [errorNamed('EFSMountFailureException', status(403)), 'backend_unavailable', false, false],
  [errorNamed('ResourceNotFoundException', status(404)), 'backend_unavailable', false, false],
  [errorNamed('ExpiredTokenException', status(403)), 'backend_unavailable', false, false],
  [errorNamed('InvalidSignatureException', status(403)), 'backend_unavailable', false, false],
  [errorNamed('AccessDeniedException', status(403)), 'forbidden', false, false],
  [errorNamed('RequestTooLargeException', status(413)), 'too_large', false, false],
  [errorNamed('CredentialsProviderError'), 'backend_unavailable', false, false],
  [errorNamed('TimeoutError'), 'backend_unavailable', true, true],
  [errorNamed('AbortError'), 'backend_unavailable', true, true],
  [errorNamed('Error', { code: 'ECONNRESET' }), 'backend_unavailable', true, true],
  [errorNamed('Error', { code: 'EPIPE' }), 'backend_unavailable', true, true],
  [errorNamed('Error', { code: 'ECONNREFUSED' }), 'backend_unavailable', true, false],
  [errorNamed('Error', { code: 'ENOTFOUND' }), 'backend_unavailable', true, false],
  [errorNamed('Error', { code: 'EAI_AGAIN' }), 'backend_unavailable', true, false],
  [errorNamed('Error', { code: 'EHOSTUNREACH' }), 'backend_unavailable', true, false],
  [errorNamed('Error', { code: 'ENETUNREACH' }), 'backend_unavailable', true, false],
  [errorNamed('Error', { code: 'ERR_1' }), 'internal', false, false],
  [errorNamed('Error', { code: 'XENOTFOUND' }), 'internal', false, false],
  [errorNamed('Error', { code: 7 }), 'internal', false, false],
  [null, 'internal', false, false],
  [undefined, 'internal', false, false],
  [new FunctionFailure('Unhandled', false), 'backend_unavailable', true, true],
  [new FunctionFailure('Sandbox.Timedout', true), 'backend_unavailable', true, true],
  [new FunctionFailure('Function.ResponseSizeTooLarge', false), 'too_large', false, false],
  [new WikiError('no_match', { happened: 'A.', now: 'B.', next: 'C.' }), 'no_match', false, false],
])('%s is repeated only if that may help, and is known to have done nothing if so', (error, ...wanted) => {
  const { error: explained, passes, mayHaveRun } = explainFailure(error, 'the stack Wiki');
  expect([explained.code, passes, mayHaveRun]).toEqual(wanted);
  expect(explained.message).not.toContain('SECRET');
  if (!(error instanceof WikiError)) expect(explained.cause).toBe(error);
});

test.each([
  [errorNamed('Un_heard', status(400)), 'AWS refused the call to the stack Wiki (Un_heard).'],
  [errorNamed('x y', status(400)), 'AWS refused the call to the stack Wiki (an unknown error).'],
  [errorNamed('x'.repeat(81), status(400)), 'AWS refused the call to the stack Wiki (an unknown error).'],
  [errorNamed(' x', status(400)), 'AWS refused the call to the stack Wiki (an unknown error).'],
  [
    new FunctionFailure('y'.repeat(90), false),
    `No answer came from the stack Wiki, which ended early (${'y'.repeat(80)}).`,
  ],
  [new FunctionFailure('y', true), 'Time ran out before the stack Wiki answered.'],
])('the name of an error that nobody knows is shown if it is one: %s', (error, happened) => {
  expect(explainFailure(error, 'the stack Wiki').error.text.happened).toBe(happened);
});

test.each([
  ['AccessDeniedException', 'x', true],
  ['AccessDenied', 'x', true],
  ['AccessDenied', 'not authorized to perform: sts:AssumeRole', false],
  ['ForbiddenException', 'x', false],
])('a call that %s of %j denies can be made of the function of readers: %s', (name, message, isDenied) => {
  expect(isCallDenied(Object.assign(new Error(message), { name }))).toBe(isDenied);
  expect(isCallDenied(null)).toBe(false);
});

test('a write without a request id is reported as unknown too, with all that the failure says', () => {
  const cause = new Error('x');
  const error = new WikiError(
    'busy',
    { happened: 'A.', now: 'B.', next: 'C.' },
    { retry_after_ms: 5 },
    { cause },
  );
  const request = { pagetree: 1, operation: 'write_page', input: {}, caller } as const;
  const unknown = outcomeUnknown(error, request);
  expect(unknown).toMatchObject({
    ...{ code: 'write_state_unknown', data: { retry_after_ms: 5, request_id: null }, cause: error },
    text: { happened: 'A.', now: 'The write may or may not have been committed.' },
  });
  expect(readUnanswered(error)).toMatchObject({
    ...{ code: 'busy', data: { retry_after_ms: 5 }, cause },
    text: { happened: 'A.', now: 'Nothing was changed.', next: 'C.' },
  });
});

const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };
