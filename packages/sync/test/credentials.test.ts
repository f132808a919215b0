import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RemoteSettings } from '@pagetree/wiki/contract';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../../wiki/test/native-git.ts';
import { askGit } from '../src/credentials/ask-git.ts';
import { readSecretToken } from '../src/credentials/read-secret.ts';
import { readFileToken, readToken } from '../src/credentials/read-token.ts';
import { openRemote } from '../src/open-remote.ts';
import { filledRepository } from './transport/repositories.ts';
import { type Fault, failureOf, serveRepository } from './transport/served-repository.ts';

const SECRET = 'not-for-anybody';

describe('a login in a file', () => {
  const login = (text: string) => readToken(async () => text)({ rejected: false });

  test('is a token, or a user and a password, in the first line', async () => {
    expect(await login(`${SECRET}\n`)).toEqual({ username: 'x-access-token', password: SECRET });
    expect(await login(` ada:a:b \nmore\n`)).toEqual({ username: 'ada', password: 'a:b' });
    expect(await login('\n')).toBeNull();
  });

  test('is none if the file cannot be read or is empty, and the failure says so', async () => {
    const missing = async () => readFileSync('/nonexistent/token', 'utf8');
    for (const read of [missing, async () => ' \n']) {
      const failure = await failureOf(readFileToken(read, 'https://a.org/a.git')({ rejected: false }));
      expect(failure).toMatchObject({ code: 'unauthorized', data: { reason: 'no_token' } });
    }
  });

  test('is not given again once it was rejected, unless the file has another one by then', async () => {
    let text = 'old';
    const ask = readToken(async () => text);
    expect(await ask({ rejected: false })).toMatchObject({ password: 'old' });
    expect(await ask({ rejected: true })).toBeNull();
    text = 'new';
    expect(await ask({ rejected: true })).toMatchObject({ password: 'new' });
  });
});

describe('a login in a secret', () => {
  const login = (text: string | null) =>
    readSecretToken('name', async () => text, 'https://a.org/a.git')({ rejected: false });

  test('is a text, or keys and values as the console of AWS makes them', async () => {
    for (const text of [
      SECRET,
      JSON.stringify({ token: SECRET }),
      ` ${JSON.stringify({ token: SECRET }, null, 2)}`,
    ])
      expect(await login(text)).toEqual({ username: 'x-access-token', password: SECRET });
    for (const text of [`ada:${SECRET}`, JSON.stringify({ username: 'ada', password: SECRET })])
      expect(await login(text)).toEqual({ username: 'ada', password: SECRET });
  });

  test.each([
    [null, 'no_secret'],
    [' ', 'no_secret'],
    [JSON.stringify({ github: SECRET }), 'secret_keys'],
    [JSON.stringify({ token: '' }), 'secret_keys'],
    [JSON.stringify({ token: 5 }), 'secret_keys'],
    [JSON.stringify({ username: 'a:b', password: SECRET }), 'secret_keys'],
    [JSON.stringify({ password: SECRET }), 'secret_keys'],
    [`{"token": "${SECRET}"`, 'secret_keys'],
  ])('of %j is none', async (text, reason) => {
    const failure = await failureOf(login(text));
    expect(failure).toMatchObject({ code: 'unauthorized', data: { reason } });
    expect(failure.message).not.toContain(SECRET);
  });
});

describe('a login that git has', () => {
  const url = new URL('https://git.example.org/ada/notes.git');
  const withHelper = (helper: string) => ({
    ...process.env,
    ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', HOME: '/nonexistent' },
    ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'credential.helper', GIT_CONFIG_VALUE_0: helper },
  });

  test('comes from its helpers, for this host', async () => {
    const asked = join(temporaryDirectory(), 'asked');
    const helper = `!f() { cat > ${asked}; echo username=ada; echo password=${SECRET}; }; f`;
    expect(await askGit(url, withHelper(helper))({ rejected: false })).toEqual({
      username: 'ada',
      password: SECRET,
    });
    expect(readFileSync(asked, 'utf8')).toContain('host=git.example.org\n');
  });

  test('is none without helpers, without asking anybody', async () => {
    expect(await askGit(url, withHelper(''))({ rejected: false })).toBeNull();
  });

  test('is none without git', async () => {
    expect(await askGit(url, { PATH: '/nonexistent' })({ rejected: false })).toBeNull();
  });

  test('is not given twice', async () => {
    const helper = `!f() { echo username=ada; echo password=${SECRET}; }; f`;
    expect(await askGit(url, withHelper(helper))({ rejected: true })).toBeNull();
  });
});

test('a remote that wants a login gets the token of the file, and no failure shows it', async () => {
  const { bare, second } = filledRepository();
  const wanted = `Basic ${Buffer.from(`x-access-token:${SECRET}`).toString('base64')}`;
  const served = await serveRepository(bare, requiring(wanted));
  const file = join(temporaryDirectory(), 'token');
  const settings: RemoteSettings = {
    ...{ url: served.url, mode: 'two-way', branch: null, every_ms: 60_000, token_from: file },
  };
  const around = { env: {}, agentName: 'pagetree/1.2.3', readFile: (path: string) => readFile(path, 'utf8') };
  const refs = () => openRemote(settings, around).remote.refs();
  expect(await failureOf(refs())).toMatchObject({ code: 'unauthorized', data: { reason: 'no_token' } });
  writeFileSync(file, `${SECRET}\n`);
  expect((await refs()).refs.get('refs/heads/main')).toBe(second);
  writeFileSync(file, `${SECRET}-expired\n`);
  const failure = await failureOf(refs());
  expect(failure).toMatchObject({ code: 'unauthorized', data: { reason: 'rejected' } });
  expect(JSON.stringify([failure.message, failure.data])).not.toContain(SECRET);
  rmSync(file);
  expect(await failureOf(refs())).toMatchObject({ code: 'unauthorized' });
});

function requiring(authorization: string): Fault {
  return ({ request }) =>
    request.headers.authorization === authorization
      ? undefined
      : { status: 401, headers: { 'www-authenticate': 'Basic realm="git"' }, body: Buffer.from('') };
}
