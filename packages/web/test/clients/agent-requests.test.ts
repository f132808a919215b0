import { expect, test } from 'vitest';
import { type AgentCaller, Agents } from '../../src/clients/agents.ts';
import { accessOf } from '../login/team.ts';
import { openAdmission, READS, WRITES } from './open-admission.ts';

const ORIGIN = 'https://wiki.example';
const CHALLENGE = `Bearer resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/mcp"`;

/** Agents whose endpoints answer with the number of their opening. */
async function openAgents() {
  const opened = await openAdmission();
  const callers: AgentCaller[] = [];
  const closed: number[] = [];
  const failures = { next: 0, until: Promise.resolve() };
  const agents = new Agents({
    ...opened.options,
    origin: ORIGIN,
    async open(caller) {
      const at = callers.push(caller);
      if (failures.next > 0) {
        failures.next -= 1;
        await failures.until;
        throw new Error('no room');
      }
      const close = async () => void closed.push(at);
      return { fetch: async () => new Response(`endpoint ${at}`), close };
    },
  });
  const ask = async (headers: Record<string, string>) => {
    const request = new Request(`${ORIGIN}/mcp`, { method: 'POST', body: '{}', headers });
    const answer = await agents.fetch(request, Promise.resolve());
    const challenge = answer.headers.get('www-authenticate');
    return { status: answer.status, challenge, text: await answer.text(), headers: answer.headers };
  };
  const bearer = { authorization: `Bearer ${opened.secret}` };
  return { ...opened, agents, ask, bearer, callers, closed, failures };
}

test('only a bearer token of this server lets a request in, from no page of another origin', async () => {
  const { ask, secret, bearer, callers } = await openAgents();
  const unknown = `${CHALLENGE}, error="invalid_token"`;
  const rows: [headers: Record<string, string>, status: number, challenge: string | null][] = [
    [bearer, 200, null],
    [{ authorization: `bEARER   ${secret}` }, 200, null],
    [{ ...bearer, origin: ORIGIN }, 200, null],
    [{ ...bearer, origin: ORIGIN.toUpperCase() }, 200, null],
    [{ ...bearer, origin: `${ORIGIN}.evil.example` }, 403, null],
    [{ ...bearer, origin: 'null' }, 403, null],
    [{}, 401, CHALLENGE],
    [{ authorization: secret }, 401, CHALLENGE],
    [{ authorization: `Basic ${secret}` }, 401, CHALLENGE],
    [{ authorization: `x Bearer ${secret}` }, 401, CHALLENGE],
    [{ authorization: `Bearer ${secret} x` }, 401, CHALLENGE],
    [{ authorization: `Bearer${secret}` }, 401, CHALLENGE],
    [{ authorization: `Bearer ${'x'.repeat(3_993)}` }, 401, unknown],
    [{ authorization: `Bearer ${'x'.repeat(3_994)}` }, 401, CHALLENGE],
    [{ authorization: `Bearer ${secret}x` }, 401, unknown],
  ];
  for (const [headers, status, challenge] of rows) {
    const answer = await ask(headers);
    const name = JSON.stringify(headers).slice(0, 80);
    expect([answer.status, answer.challenge], name).toEqual([status, challenge]);
    if (status === 200) expect(answer.text).toBe('endpoint 1');
    else {
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const error = { code: -32_600, message: expect.stringMatching(/\w/) };
      expect(JSON.parse(answer.text)).toEqual({ jsonrpc: '2.0', error });
    }
  }
  expect(callers).toHaveLength(1);
});

test('a client whose person may see nothing is refused, and the log says so', async () => {
  const { ask, bearer, rules, audited, callers } = await openAgents();
  rules.access = accessOf([]);
  expect(await ask(bearer)).toMatchObject({ status: 403, challenge: null });
  expect(audited.map(({ event }) => event)).toEqual(['client refused']);
  expect(callers).toEqual([]);
});

test('an endpoint is of one client with the same rights, and is opened again if that failed', async () => {
  const { agents, ask, bearer, rules, callers, failures, closed } = await openAgents();
  failures.next = 1;
  await expect(ask(bearer)).rejects.toThrow('no room');
  expect((await ask(bearer)).text).toBe('endpoint 2');
  expect((await ask(bearer)).text).toBe('endpoint 2');
  rules.access = accessOf(READS);
  expect((await ask(bearer)).text).toBe('endpoint 3');
  rules.access = accessOf([...READS, { everyone: true, wikis: ['other'], may: 'write' }]);
  expect((await ask(bearer)).text).toBe('endpoint 4');
  rules.access = accessOf(WRITES);
  expect((await ask(bearer)).text).toBe('endpoint 2');
  expect(callers.map(({ onlyReads }) => onlyReads)).toEqual([false, false, true, false]);
  expect(callers[1]?.author).toEqual({ name: 'Ada', email: 'ada@example.org' });
  // The last one fails while the server ends.
  rules.access = accessOf([{ everyone: true, wikis: ['last'], may: 'write' }]);
  failures.next = 1;
  const failing = Promise.withResolvers<void>();
  failures.until = failing.promise;
  const late = ask(bearer).catch((error: Error) => error.message);
  await expect.poll(() => callers.length).toBe(5);
  const ended = agents.close();
  failing.resolve();
  await ended;
  expect([await late, closed.toSorted()]).toEqual(['no room', [2, 3, 4]]);
});
