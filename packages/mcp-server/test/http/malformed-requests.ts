/** A request that no client should send. */
export interface MalformedRequest {
  body: string | Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
}

/** As many malformed requests, always the same: bad JSON, bad messages, bad envelopes, bad headers, and mixtures. */
export function* malformedRequests(count: number): Generator<MalformedRequest> {
  const random = randomNumbers(25);
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  for (let at = 0; at < count; at += 1) {
    const message: Record<string, unknown> = {
      jsonrpc: pick(['2.0', '2.0', '1.0', 2, null]),
      id: pick<unknown>([at, `${at}`, null, 1.5, {}, [], '', undefined]),
      method: pick<unknown>([...METHODS, null, 7, '', 'no/such', '__proto__']),
      params: pick<unknown>([
        undefined,
        null,
        [],
        'x',
        3,
        {},
        { name: pick(NAMES), arguments: pick(ARGUMENTS) },
        ENVELOPES[at % ENVELOPES.length],
      ]),
    };
    const json = JSON.stringify(
      pick<unknown>([message, message, message, [message], [], 'text', 5, null, true]),
    );
    const cut = Math.floor(random() * json.length);
    const body = pick<string | Uint8Array<ArrayBuffer>>([
      json,
      json,
      json.slice(0, cut),
      `${json.slice(0, cut)}\u0000${json.slice(cut)}`,
      '',
      '['.repeat(5_000),
      Uint8Array.from([0xff, 0xfe, 0x7b, at % 256]),
    ]);
    yield {
      body,
      headers: Object.fromEntries(
        HEADERS.flatMap(([name, values]) => (random() < 0.3 ? [[name, pick(values)]] : [])),
      ),
    };
  }
}

const METHODS = [
  'tools/call',
  'tools/list',
  'initialize',
  'ping',
  'resources/read',
  'server/discover',
  'subscriptions/listen',
  'prompts/get',
  'completion/complete',
  'notifications/cancelled',
  'logging/setLevel',
  'resources/subscribe',
];
const NAMES = ['read_page', 'no_tool', 'write_page', '', 7, null, {}];
const ARGUMENTS = [undefined, null, 'x', [], {}, { path: 7 }, { path: '../../x' }, { content: {} }];
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const ENVELOPES = [
  { _meta: { [VERSION]: '2026-07-28' } },
  { _meta: { [VERSION]: '2099-01-01' } },
  { _meta: { [VERSION]: 7 } },
  { _meta: 'x' },
  {
    _meta: {
      [VERSION]: '2026-07-28',
      'io.modelcontextprotocol/clientInfo': 'x',
      'io.modelcontextprotocol/clientCapabilities': [],
    },
  },
  { notifications: { resourceSubscriptions: [7] }, _meta: { [VERSION]: '2026-07-28' } },
];
const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ['Content-Type', ['text/plain', 'application/json; charset=latin1', 'multipart/form-data', '']],
  ['Accept', ['text/html', 'application/json', '*/*', '']],
  ['MCP-Protocol-Version', ['2026-07-28', '2025-11-25', '1999-01-01', 'x'.repeat(3_000)]],
  ['Mcp-Method', ['tools/list', 'TOOLS/CALL', '']],
  ['Mcp-Name', ['read_page', '=?base64?x?=', '\u00e9']],
  ['Mcp-Session-Id', ['x', 'e30', 'y'.repeat(4_000)]],
];

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
