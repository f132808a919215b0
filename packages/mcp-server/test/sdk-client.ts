import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { isOperationName, limits, operations } from '@pagetree/wiki/contract';
import { expect } from 'vitest';

/** The SDK's own client, connected to a server of ours over real stdio; it checks every output by the tool's schema. */
export class SdkClient {
  readonly client = new Client({ name: 'sdk-client', version: '1.2' });
  readonly transport: StdioClientTransport;

  constructor(command: string, args: string[], env: Record<string, string> = {}, cwd?: string) {
    this.transport = new StdioClientTransport({
      command,
      args,
      // Not the few that the SDK passes by default: npm may need its settings to reach a registry.
      env: { ...(process.env as Record<string, string>), ...env },
      stderr: 'inherit',
      ...(cwd !== undefined && { cwd }),
    });
  }

  /** Lists the tools too: from then on the client checks what they answer. */
  async connect(): Promise<this> {
    await this.client.connect(this.transport);
    await this.client.listTools();
    return this;
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
    return (await this.client.callTool({ name, arguments: args })) as CallToolResult;
  }

  /** Calls a tool that is to succeed and answers its structured content. */
  async ok(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const result = await this.call(name, args);
    expect(result.isError, textOf(result)).toBeUndefined();
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    expect(textOf(result).length).toBeLessThanOrEqual(limits.replyCharacters);
    if (isOperationName(name)) operations[name].output.parse(result.structuredContent);
    return result.structuredContent ?? {};
  }

  /** Calls a tool that is to fail and answers the error's text. */
  async error(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const result = await this.call(name, args);
    expect(result.isError, textOf(result)).toBe(true);
    expect(result).not.toHaveProperty('structuredContent');
    expect(textOf(result).length).toBeLessThan(11_000);
    return textOf(result);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

function textOf(result: CallToolResult): string {
  const [first] = result.content;
  return first?.type === 'text' ? first.text : '';
}
