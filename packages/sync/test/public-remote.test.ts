import type { RemoteSettings } from '@pagetree/wiki/contract';
import { describe, expect, test } from 'vitest';
import { publicFetch } from '../../outbound/src/public-fetch.ts';
import { tokenInSecret } from '../src/credentials/token-source.ts';
import { describeFailure } from '../src/describe-sync.ts';
import { openPublicRemote, type PublicSurroundings } from '../src/open-public-remote.ts';
import { filledRepository } from './transport/repositories.ts';
import { type Fault, failureOf, serveRepository } from './transport/served-repository.ts';

const TOKEN = 'not-for-anybody';
const HOST = 'https://git.example.org';
const OWN = 'pagetree/Team/notes/git.example.org';

interface Opening extends Partial<RemoteSettings> {
  around?: Partial<PublicSurroundings>;
}

/** The remote of the wiki `notes` of the stack `Team`. */
function opened({ around = {}, ...settings }: Opening) {
  const remote: RemoteSettings = {
    ...{ url: `${HOST}/main.git`, mode: 'two-way', branch: null, every_ms: 60_000, token_from: null },
    ...settings,
  };
  return openPublicRemote(remote, 'notes', {
    ...{ secretsUnder: 'pagetree/Team', agentName: 'pagetree/1.2.3', fetch: publicFetch() },
    readSecret: () => Promise.reject(new Error('No secret may be asked for.')),
    ...around,
  });
}

/** The state and the words that a person sees. */
async function described(open: () => ReturnType<typeof opened>) {
  return describeFailure(await failureOf(Promise.try(() => open().remote.refs())));
}

test.each([
  ['git@git.example.org:main.git'],
  ['ssh://git.example.org/main.git'],
  ['/srv/main.git'],
  ['file:///srv/main.git'],
  ['http://127.0.0.1:9001/main.git'],
  ['http://localhost/main.git'],
])('%s is not synced on AWS, and the words say why', async (url) => {
  expect(await described(() => opened({ url }))).toMatchObject({
    state: 'unsupported',
    words: expect.stringContaining('on AWS only addresses that begin with https:// are synced'),
    passes: false,
  });
});

test.each([
  'https://127.0.0.1:9001/2018-06-01/runtime',
  'https://169.254.169.254/latest',
  'https://[fd00:ec2::254]/latest',
  'https://10.0.0.1/main.git',
  'https://localhost:9001/main.git',
])('%s is never called, and the words say why', async (url) => {
  expect(await described(() => opened({ url }))).toMatchObject({
    state: 'unsupported',
    words: expect.stringContaining('not one of the public Internet'),
    passes: false,
  });
});

describe('a secret', () => {
  test.each([
    ['of another wiki', 'pagetree/Team/payroll/git.example.org'],
    ['for another server', 'pagetree/Team/notes/evil.example.org'],
    ['for another port', 'pagetree/Team/notes/git.example.org+8443'],
    ['of another stack', 'pagetree/Other/notes/git.example.org'],
    ['of something else', 'prod/database'],
    ['that only begins as ours', `${OWN}.evil.org`],
    ['by its ARN', `arn:aws:secretsmanager:us-east-2:111122223333:secret:${OWN}-a1b2c3`],
  ])('%s is not read', async (_, name) => {
    const refused = await described(() => opened({ token_from: tokenInSecret(name) }));
    expect(refused).toMatchObject({ state: 'unauthorized', passes: false });
    expect(refused.words).toContain('the secret is for another wiki or another server');
  });

  test('is for the port in the address', async () => {
    const url = `${HOST}:8443/main.git`;
    const token_from = tokenInSecret(`${OWN}+8443`);
    expect(opened({ url, token_from }).shown).toBe(url);
    const refused = await described(() => opened({ url, token_from: tokenInSecret(OWN) }));
    expect(refused.state).toBe('unauthorized');
  });

  test('has the login, and no failure shows it', async () => {
    const { bare, second } = filledRepository();
    const login = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
    const served = await serveRepository(bare, requiring(`Basic ${login}`));
    const asked: string[] = [];
    let read = async (): Promise<string | null> => `${TOKEN}\n`;
    const around = {
      // TLS has its test in the lab.
      fetch: (address: string | URL | Request, init?: RequestInit) =>
        fetch(String(address).replace(HOST, served.origin), init),
      readSecret: (name: string) => {
        asked.push(name);
        return read();
      },
    };
    const open = () => opened({ token_from: tokenInSecret(OWN), around });
    expect((await open().remote.refs()).refs.get('refs/heads/main')).toBe(second);
    expect(asked).toEqual([OWN]);

    read = async () => `${TOKEN}-expired`;
    const rejected = await described(open);
    expect(rejected).toMatchObject({ state: 'unauthorized', passes: false });
    expect(rejected.words).toContain('--token-secret');
    expect(rejected.words).not.toContain(TOKEN);
    for (const text of [null, '', '\n']) {
      read = async () => text;
      expect((await described(open)).words).toContain('the secret with its token is missing or empty');
    }
    read = () => Promise.reject(new Error('arn:aws:iam::111122223333:role/sync may not'));
    const unread = await described(open);
    expect(unread).toMatchObject({ state: 'unauthorized', passes: true });
    expect(unread.words).not.toContain('111122223333');
  });
});

test('a token in a file of another machine is not looked for', async () => {
  expect(await described(() => opened({ token_from: '/proc/self/environ' }))).toMatchObject({
    state: 'unauthorized',
    words: expect.stringContaining('Add the remote again with --token-secret.'),
  });
});

function requiring(authorization: string): Fault {
  return ({ request }) =>
    request.headers.authorization === authorization
      ? undefined
      : { status: 401, headers: { 'www-authenticate': 'Basic realm="git"' }, body: Buffer.from('') };
}
