import {
  Client as Client2,
  StreamableHTTPClientTransport as Transport2,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { STRUCTURED, ToolClient } from '../sdk-client.ts';

const AGENT = { name: 'sdk-client', version: '1.2' };

/** Options of both transports: headers of each request, and another `fetch`. */
interface Sending {
  requestInit?: { headers: Record<string, string> };
  fetch?: typeof fetch;
}

/** The client of the SDK's version 1, by HTTP. */
export class HttpClient extends ToolClient {
  readonly client = new Client(AGENT);

  async connect(url: string, sending: Sending = {}): Promise<this> {
    // Its optional handlers are declared differently from the interface, but are the same.
    await this.client.connect(new StreamableHTTPClientTransport(new URL(url), sending) as Transport);
    await this.client.listTools();
    return this;
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
    const params = { name, arguments: args, _meta: STRUCTURED };
    return (await this.client.callTool(params, undefined, { timeout: 600_000 })) as CallToolResult;
  }
}

/** The client of the SDK's version 2, by HTTP. */
export class HttpClient2 extends ToolClient {
  readonly client: Client2;

  constructor(mode: VersionNegotiationMode, agent = AGENT) {
    super();
    this.client = new Client2(agent, { versionNegotiation: { mode } });
  }

  async connect(url: string, sending: Sending = {}): Promise<this> {
    await this.client.connect(new Transport2(new URL(url), sending));
    await this.client.listTools();
    return this;
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
    const params = { name, arguments: args, _meta: STRUCTURED };
    return (await this.client.callTool(params, { timeout: 600_000 })) as CallToolResult;
  }
}
