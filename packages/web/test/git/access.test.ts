import { describe, expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { serveWiki } from './served-wiki.ts';

const TOKEN = 'a-token-of-more-than-thirty-two-characters';
const REFS = '/main.git/info/refs?service=git-upload-pack';

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

async function served(options: Parameters<typeof serveWiki>[0] = {}) {
  const wiki = await serveWiki(options);
  const ask = async (address: string, headers: Record<string, string> = {}, init: RequestInit = {}) => {
    const answer = await fetch(wiki.origin + address, { headers, ...init });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return { ...wiki, ask };
}

test('an answer is of the type that git expects, and is cached by nobody', async () => {
  const { ask } = await served();
  const { status, headers, text } = await ask(REFS, { 'git-protocol': 'version=2' });
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-git-upload-pack-advertisement']);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(text).toContain('agent=pagetree/1.2.3\n');
});

describe('refused by words is', () => {
  test.each([
    ['an unknown wiki', '/nope.git/info/refs?service=git-upload-pack', 404, 'There is no wiki "nope".'],
    [
      'an unknown wiki for a push',
      '/nope.git/info/refs?service=git-receive-pack',
      404,
      'There is no wiki "nope".',
    ],
    ['an unknown service', '/main.git/info/refs?service=git-upload-archive', 403, 'no such service'],
    ['the dumb protocol', '/main.git/info/refs', 403, 'use git 1.6.6 or newer'],
    ['a file of the dumb protocol', '/main.git/HEAD', 404, 'nothing for git'],
    ['an address with more behind it', '/main.git/info/refs/more', 404, 'nothing for git'],
    ['a GET of the objects', '/main.git/git-upload-pack', 405, 'answers POST alone'],
  ])('%s', async (_, address, status, words) => {
    const { ask } = await served();
    const answer = await ask(address);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)]);
    expect(answer.headers.get('content-type')).toContain('text/plain');
  });
});

test('git shows the words', async () => {
  const { origin, tryGit } = await served();
  const { status, stderr } = await tryGit(['clone', `${origin}/nope.git`]);
  expect([status, stderr]).toEqual([128, expect.stringContaining('remote: There is no wiki "nope".')]);
});

describe('without a token', () => {
  test.each([
    ['of another origin', { origin: 'https://example.org' }],
    ['of our own pages', { 'sec-fetch-site': 'same-origin' }],
    ['of a page without an origin', { origin: 'null' }],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('a request by a browser, %s, is refused', async (_, headers) => {
    const { ask } = await served();
    expect(await ask(REFS, headers)).toMatchObject({ status: 403 });
    const init = { method: 'POST', body: '0000' };
    const type = { 'content-type': 'application/x-git-receive-pack-request' };
    expect(await ask('/main.git/git-receive-pack', { ...headers, ...type }, init)).toMatchObject({
      status: 403,
    });
  });

  test('another host is refused, as a foreign name may lead here', async () => {
    const { tryGit, url, clone } = await served();
    const rebound = await tryGit(['-c', 'http.extraHeader=Host: rebound.example', 'ls-remote', url]);
    expect(rebound.stderr).toContain('421');
    await clone('copy');
  });

  test('a person who opens the address is shown a page', async () => {
    const { ask } = await served();
    const { status, headers } = await ask('/main.git/', { accept: 'text/html' });
    expect([status, headers.get('content-type')]).toEqual([404, expect.stringContaining('text/html')]);
  });
});

describe('with a token', () => {
  test('only the token lets in, as a password with any user name or as a bearer', async () => {
    const { ask } = await served({ token: TOKEN });
    for (const headers of [basic('x', TOKEN), basic('', TOKEN), { authorization: `Bearer ${TOKEN}` }])
      expect(await ask(REFS, headers)).toMatchObject({ status: 200 });
    const wrong = [
      {},
      basic('x', `${TOKEN}x`),
      basic(TOKEN, ''),
      basic('x', ''),
      { authorization: 'Basic !' },
      { authorization: `Bearer ${TOKEN.slice(1)}` },
      { authorization: `Basic ${'A'.repeat(10_000)}` },
    ];
    for (const headers of wrong) {
      const answer = await ask(REFS, headers);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm="Pagetree"/);
      const type = { 'content-type': 'application/x-git-upload-pack-request' };
      const init = { method: 'POST', body: '0000' };
      expect(await ask('/main.git/git-upload-pack', { ...headers, ...type }, init)).toMatchObject({
        status: 401,
      });
    }
    expect(await ask(REFS, { ...basic('x', TOKEN), origin: 'https://example.org' })).toMatchObject({
      status: 403,
    });
  });

  test('git asks its helper for it, under the name of any host, and pages are not served', async () => {
    const { tryGit, url, ask } = await served({ token: TOKEN });
    const helper = `credential.helper=!f() { test "$1" = get && echo username=any && echo password=${TOKEN}; }; f`;
    const cloned = await tryGit([
      '-c',
      helper,
      '-c',
      'http.extraHeader=Host: wiki.example',
      'clone',
      url,
      'copy',
    ]);
    expect(cloned).toMatchObject({ status: 0 });
    const refused = await tryGit(['clone', url, 'other']);
    expect(refused.status).toBe(128);
    expect(await ask('/main/Home')).toMatchObject({ status: 404 });
  });
});

test('a server that only reads takes no push, and says so before git sends anything', async () => {
  const { clone, tryGit, ask } = await served({ isReadOnly: true });
  await clone('copy');
  await tryGit(['-C', 'copy', 'commit', '--allow-empty', '--message', 'mine']);
  const { status, stderr } = await tryGit(['-C', 'copy', 'push', 'origin', 'HEAD:main']);
  expect([status, stderr]).toEqual([128, expect.stringContaining('remote: Nothing can be pushed here')]);
  const type = { 'content-type': 'application/x-git-receive-pack-request' };
  const init = { method: 'POST', body: '0000' };
  expect(await ask('/main.git/git-receive-pack', type, init)).toMatchObject({ status: 403 });
});

test('a server of some folders gives no clone and takes no push, by words', async () => {
  const scope = { read: ['Public/'], write: ['Public/'] };
  const { url, tryGit, bare, clone } = await served({ scope });
  const cloned = await tryGit(['clone', url, 'copy']);
  expect([cloned.status, cloned.stderr]).toEqual([128, expect.stringMatching(/^remote: A clone/m)]);
  await tryGit(['clone', bare, 'own']);
  await tryGit(['-C', 'own', 'commit', '--allow-empty', '--message', 'mine']);
  const pushed = await tryGit(['-C', 'own', 'push', url, 'HEAD:main']);
  expect([pushed.status, pushed.stderr]).toEqual([128, expect.stringMatching(/^remote: /m)]);
  expect(git(bare, ['log', '--format=%s', 'main'])).not.toContain('mine');
  await expect(clone('again')).rejects.toThrow('403');
});
