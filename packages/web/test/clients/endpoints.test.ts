import { wikiOf } from '@pagetree/wiki/contract';
import { expect, test, vi } from 'vitest';
import { type AgentCaller, Agents } from '../../src/clients/agents.ts';
import type { Bearer } from '../../src/clients/bearers.ts';
import { accessOf } from '../login/team.ts';

const ORIGIN = 'https://wiki.example.org';
const ADA: Bearer = {
  person: { issuer: 'https://issuer.example', subject: 'ada', email: null, name: 'Ada', groups: [] },
  given: { may: 'write', wikis: null },
  client: { kind: 'token', id: 'of ada', name: 'script' },
};

/** Agents of one person, whose endpoints `open` makes. */
function openAgents(open: (caller: AgentCaller) => Promise<Response>, bearer: Bearer | null = ADA) {
  const opened = vi.fn(async (caller: AgentCaller) => {
    const answer = await open(caller);
    return { fetch: async () => answer.clone(), close: async () => {} };
  });
  const wiki = wikiOf(() => Promise.reject(new Error('nobody calls it')));
  const agents = new Agents({
    ...{ origin: ORIGIN, defaultWiki: null, audit: () => {}, wikiFor: () => wiki, open: opened },
    bearers: [{ of: async (secret) => (secret === 'known' ? bearer : null) }],
    access: () => accessOf([{ everyone: true, wikis: ['*'], may: 'write' }]),
  });
  const ask = (secret = 'known') =>
    agents.fetch(
      new Request(`${ORIGIN}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${secret}` } }),
      Promise.resolve(),
    );
  return { opened, ask };
}

test('an endpoint that could not be opened is opened for the next request, and then kept', async () => {
  let fails = 1;
  const { opened, ask } = openAgents(async () => {
    fails -= 1;
    if (fails >= 0) throw new Error('not now');
    return new Response('answered');
  });
  await expect(ask()).rejects.toThrow('not now');
  for (let at = 0; at < 3; at += 1) expect(await (await ask()).text()).toBe('answered');
  expect(opened).toHaveBeenCalledTimes(2);
});

test('nothing is opened for a token that is not known', async () => {
  const { opened, ask } = openAgents(async () => new Response('answered'));
  expect((await ask('unknown')).status).toBe(401);
  expect(opened).not.toHaveBeenCalled();
});
