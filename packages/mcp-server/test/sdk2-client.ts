import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { STRUCTURED, ToolClient } from './sdk-client.ts';

/**
 * The client of the SDK's version 2, connected to our server over real stdio. It checks every answer against the
 * schemas of its era.
 */
export class Sdk2Client extends ToolClient {
  readonly client: Client;
  readonly #transport: StdioClientTransport;

  constructor(mode: VersionNegotiationMode, args: string[], env: Record<string, string> = {}) {
    super();
    this.client = new Client({ name: 'sdk-client', version: '1.2' }, { versionNegotiation: { mode } });
    this.#transport = new StdioClientTransport({
      command: process.execPath,
      args,
      env: { ...(process.env as Record<string, string>), ...env },
      stderr: 'inherit',
    });
  }

  /** Also lists the tools, as clients do. */
  async connect(): Promise<this> {
    await this.client.connect(this.#transport);
    await this.client.listTools();
    return this;
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
    return (await this.client.callTool({ name, arguments: args, _meta: STRUCTURED })) as CallToolResult;
  }
}
