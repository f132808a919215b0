import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { isOperationName, limits, operations } from '@pagetree/wiki/contract';
import { expect } from 'vitest';
import { missingFrom } from './tools/needed-values.ts';

/** The `_meta` of a request whose answer also comes as `structuredContent`. */
export const STRUCTURED = { 'pagetree/structured': true };

const DAY_MS = 24 * 60 * 60_000;

/** A client that calls tools, of any version of the SDK. */
export abstract class ToolClient {
  abstract readonly client: {
    listTools(): Promise<{ tools: { name: string }[] }>;
    close(): Promise<void>;
  };

  abstract call(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;

  /** Calls a tool that must succeed and returns its structured content. */
  async ok(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const result = await this.call(name, args);
    expect(result.isError, textOf(result)).toBeUndefined();
    expect(textOf(result).length).toBeLessThanOrEqual(limits.replyCharacters);
    if (isOperationName(name)) {
      expect(missingFrom(textOf(result), name, result.structuredContent), textOf(result)).toEqual([]);
      operations[name].output.parse(result.structuredContent);
    }
    return result.structuredContent ?? {};
  }

  /** Calls a tool that must fail and returns the error's text. */
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

/** The client of the SDK's version 1, connected to our server over real stdio. It asks for both forms of every answer. */
export class SdkClient extends ToolClient {
  readonly client: Client;
  readonly transport: StdioClientTransport;

  constructor(
    command: string,
    args: string[],
    env: Record<string, string> = {},
    cwd?: string,
    agent = { name: 'sdk-client', version: '1.2' },
  ) {
    super();
    this.client = new Client(agent);
    this.transport = new StdioClientTransport({
      command,
      args,
      // Not only the few variables that the SDK passes by default: npm may need its settings to reach a
      // registry.
      env: { ...(process.env as Record<string, string>), ...env },
      stderr: 'inherit',
      ...(cwd !== undefined && { cwd }),
    });
  }

  /** Also lists the tools, as clients do. */
  async connect(): Promise<this> {
    await this.client.connect(this.transport);
    await this.client.listTools();
    return this;
  }

  /** Without the SDK's limit of 60 s: how long a call may take is the business of the test. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
    const request = { name, arguments: args, _meta: STRUCTURED };
    return (await this.client.callTool(request, undefined, { timeout: DAY_MS })) as CallToolResult;
  }
}

function textOf(result: CallToolResult): string {
  const [first] = result.content;
  return first?.type === 'text' ? first.text : '';
}
