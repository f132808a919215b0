import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HttpClient, HttpClient2 } from '../../../mcp-server/test/http/http-clients.ts';
import { type HttpAnswer, messagesIn, RawHttp } from '../../../mcp-server/test/http/raw-http.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { OwnIssuer } from '../login/own-issuer.ts';
import { HOST, MCP, ORIGIN, openTeam } from '../login/team.ts';
import { fetchAs } from './fetch-as.ts';

const RULES = [
  { people: ['ada@example.org'], wikis: ['main', 'other'], may: 'write' },
  { people: ['grace@example.org'], wikis: ['main'], folders: ['Public/'], may: 'read' },
  { people: ['root@example.org'], wikis: ['*'], may: 'administer' },
];

async function openClients(rules: unknown = RULES) {
  const issuer = await OwnIssuer.open();
  const team = await openTeam({ rules, issuer });
  const person = (name: string) => ({
    ...{ issuer: issuer.address, subject: name, email: `${name}@example.org`, groups: [] },
    name: `${name[0]?.toUpperCase()}${name.slice(1)}`,
  });
  return { ...team, person };
}

const CHALLENGE = `Bearer resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/mcp"`;

/** The answer of a tool. */
function toolText({ messages }: HttpAnswer): { text: string; isError: boolean } {
  const result = messages.at(-1)?.result as { content: { text: string }[]; isError?: boolean } | undefined;
  return {
    text: result?.content.map(({ text }) => text).join('\n') ?? '',
    isError: result?.isError === true,
  };
}

function toolNames({ messages }: HttpAnswer): string[] {
  const result = messages.at(-1)?.result as { tools: { name: string }[] } | undefined;
  return result?.tools.map(({ name }) => name) ?? [];
}

const call = (http: RawHttp, name: string, args: object) =>
  http.modern('tools/call', { name, arguments: args });

describe.each([
  ['version 1 of the SDK', () => new HttpClient()],
  ['version 2 of the SDK, legacy', () => new HttpClient2('legacy')],
  ['version 2 of the SDK, 2026-07-28', () => new HttpClient2({ pin: '2026-07-28' })],
])('%s', (_, newClient) => {
  test('writes as the person of its token, and the commit names both', async () => {
    const { client, person, port, directory, audited } = await openClients();
    const { secret, id } = await client(person('ada'));
    const agent = newClient();
    await agent.connect(MCP, {
      requestInit: { headers: { Authorization: `Bearer ${secret}` } },
      fetch: fetchAs(HOST, port),
    });
    onTestFinished(() => agent.client.close());
    await agent.ok('write_page', { path: 'Plan', content: 'by an agent\n' });
    const log = git(join(directory, 'main.git'), ['log', '-1', '--format=%an <%ae>%n%B', 'main']);
    expect(log).toMatch(/^Ada <ada@example\.org>\nCreate Plan\n/);
    expect(log).toContain('Agent: sdk-client/1.2');
    expect(audited.at(-1)).toMatchObject({
      event: 'access',
      person: { subject: 'ada' },
      client: { kind: 'token', id },
      decision: { operation: 'write_page', isAllowed: true },
    });
  });
});

test('a client that does not say its name is named as its token is', async () => {
  const { client, person, directory } = await openClients();
  const { http } = await client(person('ada'));
  await http.legacy('tools/call', { name: 'write_page', arguments: { path: 'Plan', content: 'x\n' } });
  expect(git(join(directory, 'main.git'), ['log', '-1', '--format=%B', 'main'])).toContain('Agent: of Ada');
});

test('each has the rights of its person, less what was not given, and is offered no other tools', async () => {
  const { client, person, run } = await openClients();
  await run('create_wiki', { wiki: 'other' });
  for (const path of ['Public/Tea', 'Secret/Tea']) await run('write_page', { path, content: 'tea\n' });
  const write = (http: RawHttp, path: string, wiki = 'main') =>
    call(http, 'write_page', { wiki, path, content: 'x\n' });
  const whole = await client(person('ada'));
  const reading = await client(person('ada'), 'read');
  const folder = await client(person('ada'), 'write', [{ wiki: 'main', folders: ['Public/'] }]);
  const guest = await client(person('grace'));
  const root = await client(person('root'));

  expect(toolText(await write(whole.http, 'Secret/New')).isError).toBe(false);
  expect(toolText(await write(whole.http, 'New', 'other')).isError).toBe(false);
  expect(toolText(await write(folder.http, 'Public/New')).isError).toBe(false);
  expect(toolText(await write(folder.http, 'Secret/Other')).text).toContain('forbidden:');
  expect(toolText(await write(folder.http, 'New', 'other')).text).toContain('no wiki "other"');
  expect(toolText(await call(folder.http, 'read_page', { path: 'Secret/Tea' })).isError).toBe(true);
  expect(toolText(await call(guest.http, 'read_page', { path: 'Public/Tea' })).text).toContain('tea');
  expect(toolText(await call(guest.http, 'read_page', { path: 'Secret/Tea' })).isError).toBe(true);
  // A client never administers, even if its person may.
  expect(toolText(await call(root.http, 'maintain_wiki', {})).text).toContain('forbidden:');
  for (const { http } of [reading, guest]) {
    const names = toolNames(await http.modern('tools/list'));
    expect(names).toContain('read_page');
    expect(names).not.toContain('write_page');
    expect(toolText(await write(http, 'Public/Other')).isError).toBe(true);
  }
});

test('what comes without a token that counts is refused, and looks at nothing', async () => {
  const { client, person, port, clock, tokens, audited, logged, browser, setRules } = await openClients();
  const made = await client(person('ada'));
  const { secret } = made;
  const ask = async (headers: Record<string, string>, url = MCP) => {
    const { status, headers: answered } = await new RawHttp(url, headers, fetchAs(HOST, port)).modern(
      'tools/list',
    );
    return [status, answered.get('www-authenticate')];
  };
  const bearer = (text: string) => ({ Authorization: `Bearer ${text}` });
  expect(await ask(bearer(secret))).toEqual([200, null]);
  for (const none of [
    {},
    { Authorization: secret },
    { Authorization: `Basic ${secret}` },
    bearer(''),
    bearer('ä'),
  ])
    expect(await ask(none)).toEqual([401, CHALLENGE]);
  expect(await ask(bearer('x'.repeat(5_000)))).toEqual([401, CHALLENGE]);
  // Addresses are logged by proxies, and cookies are sent by every page.
  expect(await ask({}, `${MCP}?access_token=${secret}`)).toEqual([401, CHALLENGE]);
  expect(await ask({ Cookie: `__Host-pagetree=${secret}` })).toEqual([401, CHALLENGE]);
  const wrong = [
    `${secret}x`,
    secret.slice(0, -1),
    secret.slice('pagetree_pat_'.length),
    made.id,
    secret.toUpperCase(),
  ];
  for (const each of wrong)
    expect(await ask(bearer(each))).toEqual([401, `${CHALLENGE}, error="invalid_token"`]);
  expect(await ask({ ...bearer(secret), Origin: 'https://evil.example' })).toEqual([403, null]);
  const other = await new RawHttp(MCP, bearer(secret), fetchAs('evil.example', port)).post('{}');
  expect(other.status).toBe(421);
  const before = [audited.length, logged.length];
  for (let at = 0; at < 1_000; at += 1) await ask(bearer(`pagetree_pat_${String(at).padStart(43, 'A')}`));
  expect([audited.length, logged.length]).toEqual(before);

  // A session of the browser is none of a client.
  const person2 = browser();
  expect((await person2.send('/mcp', { method: 'POST', body: '{}' })).status).toBe(401);

  setRules([]);
  expect(await ask(bearer(secret))).toEqual([403, null]);
  const { id } = made;
  expect(audited.at(-1)).toMatchObject({
    event: 'client refused',
    person: { subject: 'ada' },
    client: { id },
  });
  setRules(RULES);
  expect(await ask(bearer(secret))).toEqual([200, null]);
  expect(await tokens.revoke(person('grace'), made.id)).toBe(false);
  expect(await tokens.revoke(person('ada'), made.id)).toBe(true);
  expect(await ask(bearer(secret))).toEqual([401, `${CHALLENGE}, error="invalid_token"`]);
  const ending = await client(person('ada'));
  clock.ms += 7 * 24 * 3_600_000;
  expect(await ask(bearer(ending.secret))).toEqual([401, `${CHALLENGE}, error="invalid_token"`]);
});

test('after thirty days without a login of its person a token stops, until the person logs in again', async () => {
  const { person, clock, tokens, client, loggedIn, port, issuer } = await openClients();
  const ada = { ...person('ada'), subject: 'ada-1' };
  await client(ada);
  const untilMs = clock.ms + 90 * 24 * 3_600_000;
  const made = await tokens.make(ada, { name: 'long', given: { may: 'read', wikis: null }, untilMs });
  const http = new RawHttp(MCP, { Authorization: `Bearer ${made?.secret}` }, fetchAs(HOST, port));
  clock.ms += 29 * 24 * 3_600_000;
  expect((await http.modern('tools/list')).status).toBe(200);
  clock.ms += 2 * 24 * 3_600_000;
  expect((await http.modern('tools/list')).status).toBe(401);
  const claims = { sub: 'ada-1', name: 'Ada', email: 'ada@example.org', email_verified: true };
  clock.ms = Date.now();
  await loggedIn(claims);
  expect(issuer.address).toBe(ada.issuer);
  expect((await http.modern('tools/list')).status).toBe(200);
});

test('two clients with equal ids of sessions and requests have nothing to do with each other', async () => {
  const { client, person, run } = await openClients();
  await run('write_page', { path: 'Public/Tea', content: 'tea\n' });
  const [ada, grace] = [await client(person('ada')), await client(person('grace'))];
  const session = {
    'Mcp-Session-Id': Buffer.from('{"name":"x","version":"1","nonce":"n"}').toString('base64url'),
  };
  const listens = await Promise.all(
    [ada, grace].map(async ({ http }) => {
      return toolNames(await http.legacy('tools/list', {}, session)).length;
    }),
  );
  expect(listens[0]).toBeGreaterThan(listens[1] ?? 0);
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } };
  const slow = Array.from({ length: 20 }, () =>
    ada.http.legacy('tools/call', { name: 'list_pages', arguments: {} }, session),
  );
  for (let at = 0; at < 5; at += 1) await grace.http.post(JSON.stringify(cancelled), session);
  for (const { status, messages } of await Promise.all(slow))
    expect([status, messages.length]).toEqual([200, 1]);
});

test('a stream ends when its token is revoked, or its person may not see the wiki any more', async () => {
  const { client, person, run, tokens, setRules } = await openClients();
  await run('write_page', { path: 'Tea', content: 'tea\n' });
  const ada = person('ada');
  const listen = async (http: RawHttp) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'listener', version: '1' },
    };
    const method = 'subscriptions/listen';
    const notifications = { resourceSubscriptions: ['wiki://main/page/Tea'] };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { notifications, _meta } });
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method };
    return (await http.post(body, headers)).text().catch(() => 'cut off');
  };
  const [revoked, kept] = [await client(ada), await client(ada)];
  const streams = [listen(revoked.http), listen(kept.http)] as const;
  await run('write_page', { path: 'Other', content: 'x\n' });
  await tokens.revoke(ada, revoked.id);
  await streams[0];
  expect(await Promise.race([streams[1], Promise.resolve('open')])).toBe('open');
  setRules([{ people: ['ada@example.org'], wikis: ['other'], may: 'write' }]);
  const text = await streams[1];
  expect(text === 'cut off' || messagesIn(text).length > 0).toBe(true);
});

test('a call that names no wiki is for the configured one', async () => {
  const { client, run, issuer } = await openTeam({ defaultWiki: 'notes' });
  for (const wiki of ['a-first', 'notes']) await run('create_wiki', { wiki });
  await run('write_page', { wiki: 'notes', path: 'Tea', content: 'green\n' });
  const person = { issuer: issuer.address, subject: 'ada', email: null, name: 'Ada', groups: [] };
  const { http } = await client(person);
  expect(toolText(await call(http, 'read_page', { path: 'Tea' })).text).toContain('green');
});

test('two people use the same request id, and both of their lines are there, each once', async () => {
  const { client, person, run } = await openClients([
    { people: ['ada@example.org', 'grace@example.org'], wikis: ['main'], may: 'write' },
  ]);
  await run('write_page', { path: 'Log', content: '' });
  const clients = [await client(person('ada')), await client(person('grace')), await client(person('ada'))];
  // The third is another client of the first person, which repeats the call.
  for (const { http } of clients) {
    const answer = await call(http, 'append_to_page', {
      path: 'Log',
      content: 'a line\n',
      request_id: 'line-1',
    });
    expect(toolText(answer).isError).toBe(false);
  }
  const { content } = await run('read_page', { path: 'Log' });
  expect(content).toBe('a line\na line\n');
});
