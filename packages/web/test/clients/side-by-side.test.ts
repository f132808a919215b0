import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { methodOf, type Wiki, wikiOf } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import type { RawHttp } from '../../../mcp-server/test/http/raw-http.ts';
import { collectGarbage } from '../../../wiki/test/collect-garbage.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { openTeam } from '../login/team.ts';

/** A session id of another client: everybody can make one. */
const SESSION = {
  'Mcp-Session-Id': Buffer.from('{"name":"x","version":"1","nonce":"n"}').toString('base64url'),
};
const LISTEN = 'subscriptions/listen';

/** People with equal rights, and the calls that wait until they are let on. */
async function openEquals() {
  const held: { name: string; letOn: () => void }[] = [];
  const holding = new Set<string>();
  let wasHeld = () => {};
  const around = (wiki: Wiki) =>
    wikiOf(async (operation, input, call) => {
      const { name } = call.caller.author;
      if (holding.has(name)) {
        await new Promise<void>((letOn) => {
          held.push({ name, letOn });
          wasHeld();
        });
      }
      return methodOf(wiki, operation)(input, call);
    });
  const team = await openTeam({ around });
  const person = (name: string) => ({
    ...{ issuer: team.issuer.address, subject: name, email: `${name}@example.org`, name, groups: [] },
  });
  const letOn = () => {
    holding.clear();
    for (const each of held.splice(0)) each.letOn();
  };
  onTestFinished(letOn);
  /** Waits until as many calls are held. Throws if one of `calls` is answered before. */
  const untilHeld = (count: number, calls: readonly Promise<string>[]) =>
    Promise.race([
      new Promise<void>((resolve) => {
        wasHeld = () => held.length >= count && resolve();
        wasHeld();
      }),
      ...calls.map(async (call) => {
        throw new Error(`A call was answered and not held: ${await call}`);
      }),
    ]);
  return { ...team, person, holding, untilHeld, letOn };
}

/** A call in the old era, whose requests are known by their session and id. */
async function call(http: RawHttp, id: number, name: string, args: object): Promise<string> {
  const params = { name, arguments: args };
  const answer = await http.post(
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
    SESSION,
  );
  return answer.text();
}

const cancel = (http: RawHttp, requestId: number) =>
  http.post(
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }),
    SESSION,
  );

test('a client cancels no request of another one, be it of the same person, with the same ids', async () => {
  const { client, person, holding, untilHeld, letOn, run } = await openEquals();
  await run('write_page', { path: 'Tea', content: 'green\n' });
  const [one, same, other] = [
    await client(person('ada')),
    await client(person('ada')),
    await client(person('grace')),
  ];
  holding.add('ada').add('grace');
  const read = ({ http }: { http: RawHttp }) => call(http, 7, 'read_page', { path: 'Tea' });
  const first = read(one);
  await untilHeld(1, [first]);
  // Those that came last would be found by the ids.
  const others = [read(same), read(other)];
  await untilHeld(3, [first, ...others]);
  await cancel(one.http, 7);
  expect(await first).toBe('');
  letOn();
  for (const answer of await Promise.all(others)) expect(answer).toContain('green');
});

test('clients that write at once with the same ids are each named as what they are', async () => {
  const { client, person, directory, audited } = await openEquals();
  const clients = await Promise.all(
    ['ada', 'ada', 'grace', 'grace'].map(async (name) => ({ name, ...(await client(person(name))) })),
  );
  const writes = clients.flatMap(({ http, id, name }) =>
    Array.from({ length: 5 }, (_, at) =>
      call(http, at, 'write_page', { path: `${name} ${id} ${at}`, content: 'x\n' }),
    ),
  );
  for (const answer of await Promise.all(writes)) expect(answer).toContain('"result"');
  const log = git(join(directory, 'main.git'), ['log', '--format=%an: %s', 'main']).trim().split('\n');
  const expected = clients.flatMap(({ name, id }) =>
    [0, 1, 2, 3, 4].map((at) => `${name}: Create ${name} ${id} ${at}`),
  );
  expect(log.sort()).toEqual([...expected, 'Pagetree: Begin the wiki'].sort());
  for (const { id, name } of clients) {
    const own = audited.filter((event) => 'client' in event && event.client?.id === id);
    expect(own.map((event) => 'person' in event && event.person.subject)).toEqual(Array(5).fill(name));
  }
});

test('a client that takes all turns that it gets leaves some to the others', async () => {
  const { client, person, holding, untilHeld, letOn, run } = await openEquals();
  await run('write_page', { path: 'Tea', content: 'green\n' });
  const [ada, grace] = [await client(person('ada')), await client(person('grace'))];
  holding.add('ada');
  const waiting = Array.from({ length: 60 }, (_, at) => call(ada.http, at, 'read_page', { path: 'Tea' }));
  await untilHeld(1, waiting);
  for (let at = 0; at < 10; at += 1)
    expect(await call(grace.http, at, 'read_page', { path: 'Tea' })).toContain('green');
  letOn();
  for (const answer of await Promise.all(waiting)) expect(answer).toContain('green');
});

/** The messages of a stream that a client listens to. */
async function* listening(http: RawHttp, uri: string): AsyncGenerator<string> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'listener', version: '1' },
  };
  const params = { notifications: { resourceSubscriptions: [uri] }, _meta };
  const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': LISTEN };
  const { body } = await http.post(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: LISTEN, params }),
    headers,
  );
  yield* body?.pipeThrough(new TextDecoderStream()) ?? [];
}

/** Reads a stream up to the piece with this text. Throws if the stream ends before. */
async function readTo(text: string, stream: AsyncGenerator<string>): Promise<void> {
  let read = '';
  while (!read.includes(text)) {
    const { done, value } = await stream.next();
    if (done) throw new Error(`The stream ended without ${text}: ${read}`);
    read += value;
  }
}

test('to listen is noted as an access when it begins, and not at each look', async () => {
  const { client, person, run, audited } = await openEquals();
  await run('write_page', { path: 'Tea', content: 'green\n' });
  const { http, id } = await client(person('ada'));
  const stream = listening(http, 'wiki://main/page/Tea');
  await readTo('acknowledged', stream);
  for (const content of ['black\n', 'white\n']) {
    const { version } = await run('read_page', { path: 'Tea' });
    await run('write_page', { path: 'Tea', content, version });
    await readTo('resources/updated', stream);
  }
  await stream.return(undefined);
  expect(audited.filter((event) => 'client' in event)).toMatchObject([
    { client: { id }, decision: { operation: 'read_page', isAllowed: true } },
  ]);
});

/** Resolves when the stream of a client has ended. */
async function endOf(stream: AsyncIterable<string>): Promise<void> {
  try {
    for await (const _ of stream);
  } catch {
    // It was cut off.
  }
}

test('a stream ends with its token', async () => {
  const { client, person, clock, run } = await openEquals();
  await run('write_page', { path: 'Tea', content: 'green\n' });
  const { http } = await client(person('ada'));
  const stream = listening(http, 'wiki://main/page/Tea');
  await readTo('acknowledged', stream);
  await collectGarbage();
  clock.ms += 7 * 24 * 3_600_000;
  await endOf(stream);
  expect((await http.modern('tools/list')).status).toBe(401);
});

test('a stream ends if nobody can know any more whether its client may have it', async () => {
  const { client, person, directory, run } = await openEquals();
  await run('write_page', { path: 'Tea', content: 'green\n' });
  const { http } = await client(person('ada'));
  const stream = listening(http, 'wiki://main/page/Tea');
  await readTo('acknowledged', stream);
  await collectGarbage();
  const records = new DatabaseSync(join(directory, '.pagetree', 'records.sqlite'));
  records.exec('DROP TABLE record');
  records.close();
  await endOf(stream);
  expect((await http.modern('tools/list')).status).toBe(500);
});

test('commits have the name that a person has since the latest login', async () => {
  const { client, person, people, directory } = await openEquals();
  const { http } = await client(person('ada'));
  await call(http, 1, 'write_page', { path: 'One', content: 'x\n' });
  await people.remember({ ...person('ada'), name: 'Ada King' });
  await call(http, 2, 'write_page', { path: 'Two', content: 'x\n' });
  const log = git(join(directory, 'main.git'), ['log', '-2', '--format=%an: %s', 'main']);
  expect(log).toBe('Ada King: Create Two\nada: Create One');
});
