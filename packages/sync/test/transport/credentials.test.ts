import { expect, test } from 'vitest';
import { filledRepository, localRepository } from './repositories.ts';
import { type Fault, failureOf, httpRemote, serveRepository } from './served-repository.ts';

const GOOD = `Basic ${Buffer.from('git:good').toString('base64')}`;

/** Lets in only the good password. */
const guarded: Fault = ({ request }) =>
  request.headers.authorization === GOOD
    ? undefined
    : { status: 401, headers: { 'www-authenticate': 'Basic' }, body: Buffer.from('Who are you?') };

function asking(...passwords: (string | null)[]) {
  const asked: boolean[] = [];
  const credentials = async ({ rejected }: { rejected: boolean }) => {
    asked.push(rejected);
    const password = passwords.shift() ?? null;
    return password === null ? null : { username: 'git', password };
  };
  return { credentials, asked };
}

test('a login is asked for after a refusal, once for all calls', async () => {
  const { bare, second, head } = filledRepository();
  const { url, requests } = await serveRepository(bare, guarded);
  const { credentials, asked } = asking('good');
  const remote = httpRemote(url, { credentials });
  expect((await remote.refs()).refs.size).toBe(1);
  await remote.fetch({ wants: [second], haves: [] });
  const local = localRepository(bare);
  const oid = local.commit('Page.md', 'text\n');
  await remote.push({ ref: 'refs/heads/main', from: second, to: oid, pack: local.pack(oid, second) });
  expect(head()).toBe(oid);
  expect(asked).toEqual([false]);
  expect(requests.filter(({ authorization }) => authorization === undefined)).toHaveLength(1);
});

test('a public repository asks for none', async () => {
  const { bare } = filledRepository();
  const { url } = await serveRepository(bare);
  const { credentials, asked } = asking('good');
  await httpRemote(url, { credentials }).refs();
  expect(asked).toEqual([]);
});

test('a login that is refused is asked for once more, and never again', async () => {
  const { bare } = filledRepository();
  const { url, requests } = await serveRepository(bare, guarded);
  const renewed = asking('old', 'good');
  await httpRemote(url, { credentials: renewed.credentials }).refs();
  expect(renewed.asked).toEqual([false, true]);
  requests.length = 0;
  const wrong = asking('bad', 'worse', 'good');
  const failure = await failureOf(httpRemote(url, { credentials: wrong.credentials }).refs());
  expect(failure).toMatchObject({ code: 'unauthorized', data: { reason: 'rejected' } });
  expect(wrong.asked).toEqual([false, true]);
  expect(requests).toHaveLength(3);
});

test('without a login the call fails at once', async () => {
  const { bare } = filledRepository();
  const { url, requests } = await serveRepository(bare, guarded);
  const failure = await failureOf(httpRemote(url).refs());
  expect(failure).toMatchObject({ code: 'unauthorized', data: { reason: 'no_credentials' } });
  expect(requests).toHaveLength(1);
});

test('a login that ended meanwhile is asked for again', async () => {
  const { bare } = filledRepository();
  let isEnded = false;
  const { url } = await serveRepository(bare, (exchange) =>
    isEnded ? { status: 401, headers: {}, body: Buffer.alloc(0) } : guarded(exchange),
  );
  const { credentials, asked } = asking('good', 'good');
  const remote = httpRemote(url, { credentials });
  await remote.refs();
  isEnded = true;
  expect(await failureOf(remote.refs())).toMatchObject({
    code: 'unauthorized',
    data: { reason: 'rejected' },
  });
  expect(asked).toEqual([false, true]);
});

test('another address that the remote names gets no login', async () => {
  const { bare } = filledRepository();
  const other = await serveRepository(bare);
  const strict = await serveRepository(filledRepository().bare, guarded);
  let target = other.origin;
  const { url } = await serveRepository(filledRepository().bare, (exchange) => {
    const refusal = guarded(exchange);
    if (refusal !== undefined) return refusal;
    return { status: 301, headers: { location: `${target}${exchange.request.url}` }, body: Buffer.alloc(0) };
  });
  const { credentials } = asking('good', 'good');
  const remote = httpRemote(url, { credentials });
  // The port makes it another origin.
  expect((await remote.refs()).refs.size).toBe(1);
  target = strict.origin;
  expect(await failureOf(remote.refs())).toMatchObject({
    code: 'unauthorized',
    data: { reason: 'moved_elsewhere' },
  });
  for (const { authorization } of [...other.requests, ...strict.requests])
    expect(authorization).toBeUndefined();
});

test('a redirect on the same origin keeps the login, for the calls that follow too', async () => {
  const { bare, second } = filledRepository();
  const { origin, requests } = await serveRepository(bare, (exchange) => {
    const refusal = guarded(exchange);
    if (refusal !== undefined || !exchange.request.url?.startsWith('/old')) return refusal;
    return {
      status: 308,
      headers: { location: exchange.request.url.replace('/old', '/main') },
      body: Buffer.alloc(0),
    };
  });
  const { credentials, asked } = asking('good');
  const remote = httpRemote(`${origin}/old.git`, { credentials });
  expect(await remote.fetch({ wants: [second], haves: [] })).not.toBeNull();
  expect(asked).toEqual([false]);
  expect(requests.at(-1)).toMatchObject({ method: 'POST', url: '/main.git/git-upload-pack' });
});

test('what the function of the login throws ends the call', async () => {
  const { bare } = filledRepository();
  const { url } = await serveRepository(bare, guarded);
  const credentials = async () => {
    throw new Error('The key store is closed.');
  };
  await expect(httpRemote(url, { credentials }).refs()).rejects.toThrow('The key store is closed.');
});

test('a login is asked for too where only the second call wants one, and the pack is sent again', async () => {
  const { bare, second, head } = filledRepository();
  const { url } = await serveRepository(bare, (exchange) => {
    return exchange.request.method === 'POST' ? guarded(exchange) : undefined;
  });
  const { credentials, asked } = asking('good');
  const local = localRepository(bare);
  const oid = local.commit('Page.md', 'text\n');
  const push = { ref: 'refs/heads/main', from: second, to: oid, pack: local.pack(oid, second) };
  await httpRemote(url, { credentials }).push(push);
  expect([head(), asked]).toEqual([oid, [false]]);
});
