import { expect, test } from 'vitest';
import { explainFailure } from './lambda-failures.ts';

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
