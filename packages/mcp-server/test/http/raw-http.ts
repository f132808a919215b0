import { faultOfMessage } from '../valid-message.ts';

/** An answer to a message that was sent by HTTP: each message of it is valid by the schema of its era. */
export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** The messages that came, the last of which answers a request. */
  messages: Record<string, unknown>[];
}

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw-http', version: '0.3' },
};

/** Sends requests that no client of the SDK would. */
export class RawHttp {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #fetch: typeof fetch;
  #id = 0;

  constructor(url: string, headers: Record<string, string> = {}, send = fetch) {
    this.#url = url;
    this.#headers = headers;
    this.#fetch = send;
  }

  /** A request of the era before 2026-07-28. */
  legacy(method: string, params: object = {}, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    return this.#ask({ method, params, era: 'legacy' }, headers);
  }

  /** A request that describes itself. */
  modern(method: string, params: Record<string, unknown> = {}): Promise<HttpAnswer> {
    const described = { ...params, _meta: { ...ENVELOPE, ...(params._meta as object) } };
    const name = params.name ?? params.uri;
    return this.#ask(
      { method, params: described, era: 'modern' },
      {
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': method,
        ...(name !== undefined && { 'Mcp-Name': String(name) }),
      },
    );
  }

  /** Sends any body with any headers. */
  post(
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<Response> {
    return this.#fetch(this.#url, {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...this.#headers,
        ...headers,
      },
      ...(signal && { signal }),
    });
  }

  async #ask(
    { method, params, era }: { method: string; params: object; era: 'legacy' | 'modern' },
    headers: Record<string, string>,
  ): Promise<HttpAnswer> {
    this.#id += 1;
    const response = await this.post(
      JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params }),
      headers,
    );
    const messages = messagesIn(await response.text());
    for (const message of messages) {
      const fault = faultOfMessage(message, { method, era });
      if (fault !== null) throw new Error(`${fault} in ${JSON.stringify(message).slice(0, 1_000)}`);
    }
    return { status: response.status, headers: response.headers, messages };
  }
}

/** The messages of a body, be it JSON or a stream of events. */
export function messagesIn(body: string): Record<string, unknown>[] {
  if (body === '') return [];
  if (body.startsWith('{')) return [JSON.parse(body)];
  return [...body.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
}
