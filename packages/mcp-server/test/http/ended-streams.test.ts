import { setImmediate } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import { collectGarbage } from '../../../wiki/test/collect-garbage.ts';
import { ALONE, Endpoint, EndpointRoom } from '../../src/mcp/http/endpoint.ts';

const LISTEN = 'subscriptions/listen';
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'listener', version: '1' },
};
const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: LISTEN,
  params: {
    notifications: { resourceSubscriptions: ['test://text'] },
    _meta: META,
  },
});

const HOST = {
  refusalOf: () => null,
  room: new EndpointRoom(),
  bounds: ALONE,
  log: () => {},
  watch: async () => null,
};

/** Listens as a client that has left when `gone` aborts. Returns the reader of the stream after the acknowledgement. */
async function listen(gone: AbortSignal, until: AbortSignal) {
  const endpoint = new Endpoint({
    ...HOST,
    factory: () =>
      new Server({ name: 'fixture', version: '1' }, { capabilities: { resources: { subscribe: true } } }),
  });
  onTestFinished(() => endpoint.close());
  const headers = {
    'Content-Type': 'application/json',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': LISTEN,
  };
  const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: BODY });
  // The server of the pages makes requests that have the signal itself.
  Object.defineProperty(request, 'signal', { value: gone });
  const { body } = await endpoint.fetch(request, new Promise(() => {}), until);
  if (body === null) throw new Error('There is no stream.');
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toContain('acknowledged');
  return reader;
}

test.each(['gone', 'until'] as const)(
  'a stream ends when "%s" aborts, also after a garbage collection',
  async (name) => {
    const given = { gone: new AbortController(), until: new AbortController() };
    const reader = await listen(given.gone.signal, given.until.signal);
    await collectGarbage();
    let state = 'open';
    const end = () => {
      state = 'ended';
    };
    reader.closed.then(end, end);
    given[name].abort();
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(state).toBe('ended');
  },
);

test.each(['legacy', 'modern'] as const)('nothing is kept of an answered request (%s)', async (era) => {
  const endpoint = new Endpoint({
    ...HOST,
    factory: () => new Server({ name: 'fixture', version: '1' }, { capabilities: { tools: {} } }),
  });
  onTestFinished(() => endpoint.close());
  const answered: WeakRef<Request>[] = [];
  for (let id = 0; id < 20; id += 1) {
    const request = ping(era, id);
    answered.push(new WeakRef(request));
    await (await endpoint.fetch(request, Promise.resolve(), new AbortController().signal)).text();
  }
  await collectGarbage();
  // The last one may still be on the stack.
  expect(answered.filter((each) => each.deref() !== undefined).length).toBeLessThan(3);
});

function ping(era: 'legacy' | 'modern', id: number): Request {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(era === 'modern'
      ? { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'server/discover' }
      : { 'MCP-Protocol-Version': '2025-06-18' }),
  };
  const message =
    era === 'modern' ? { method: 'server/discover', params: { _meta: META } } : { method: 'ping' };
  const body = JSON.stringify({ jsonrpc: '2.0', id, ...message });
  return new Request('http://localhost/mcp', { method: 'POST', headers, body });
}
