import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { readTeam } from './team-settings.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pagetree-team-settings-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'secret'), 'the secret-of~the.client\n'.replace(' ', '-'));
  writeFileSync(join(directory, 'empty'), '\n');
});

const GOOD = {
  'public-url': 'https://wiki.example.org',
  issuer: 'https://issuer.example/realms/team',
  'client-id': 'pagetree',
  'client-secret-file': 'secret',
  access: 'access.json',
};

const read = (options: object, env: Record<string, string> = {}) =>
  readTeam(options, { env, platform: 'linux', home: '/', workingDirectory: directory });

test('people log in with all five settings, and nobody without any', async () => {
  expect(await read({ port: 1, open: false })).toEqual({ kind: 'none' });
  expect(await read(GOOD)).toEqual({
    kind: 'team',
    settings: {
      origin: 'https://wiki.example.org',
      issuer: 'https://issuer.example/realms/team',
      clientId: 'pagetree',
      clientSecret: 'the-secret-of~the.client',
      access: join(directory, 'access.json'),
    },
  });
  const here = { 'public-url': 'http://localhost:7327/', issuer: 'http://127.0.0.1:9000' };
  expect(await read({ ...GOOD, ...here })).toMatchObject({ settings: { origin: 'http://localhost:7327' } });
});

test.each<[options: object, sentence: RegExp]>([
  [{ access: undefined }, /^With --public-url people log in, so --access must be given too\./],
  [{ issuer: ' ', 'client-id': undefined }, /so --issuer, --client-id must be given too/],
  [{ 'public-url': 'http://wiki.example.org' }, /--public-url is .* https:/],
  [{ 'public-url': 'https://wiki.example.org/wiki' }, /without a path/],
  [{ 'public-url': 'https://wiki.example.org?x' }, /without a path/],
  [{ 'public-url': 'https://a@wiki.example.org' }, /without a path/],
  [{ 'public-url': 'http://localhost.evil.example' }, /--public-url is/],
  [{ 'public-url': 'wiki.example.org' }, /--public-url is/],
  [{ issuer: 'http://issuer.example' }, /--issuer is .* https/],
  [{ issuer: 'javascript:x' }, /--issuer is/],
  [{ 'client-secret-file': 'none' }, /none \(--client-secret-file\) cannot be read/],
  [{ 'client-secret-file': 'empty' }, /must have the secret in it/],
  [{ 'token-file': 'x' }, /^--token-file cannot be combined with --issuer/],
  [{ scope: 'a/', tools: 'all', 'read-only': true }, /^--scope, --read-only, --tools cannot be combined/],
  [{ open: true }, /^--open cannot/],
])('%j is a mistake, with what to do', async (changed, sentence) => {
  expect(await read({ ...GOOD, ...changed })).toEqual({
    kind: 'mistake',
    sentence: expect.stringMatching(sentence),
  });
});

test('a scope in the environment is not taken for a right of people', async () => {
  expect(await read(GOOD, { PAGETREE_SCOPE: 'notes/' })).toMatchObject({ kind: 'mistake' });
});
