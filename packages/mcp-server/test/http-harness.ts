import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/server';
import { openWiki } from '@pagetree/wiki';
import { serve } from '../src/mcp/server.ts';
import { toolNames } from '../src/mcp/tool-selection.ts';

export interface HttpHarness {
  url: string;
  close(): Promise<void>;
}

/**
 * The server over HTTP, on this machine only, for tests whose client speaks nothing else. For development:
 * Pagetree itself is served over standard input and output. `standIns` maps addresses that the client
 * requests to ours.
 */
export async function openHttpHarness(
  directory: string,
  standIns: Readonly<Record<string, string>>,
): Promise<HttpHarness> {
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: null, placement: 'local', host });
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    const session = known ?? (await openSession());
    const body = request.method === 'POST' ? JSON.parse(translated(await text(request))) : undefined;
    await session.handleRequest(request, response, body);
  }

  function translated(body: string): string {
    return Object.entries(standIns).reduce((said, [from, to]) => said.replaceAll(from, to), body);
  }

  async function openSession(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      enableDnsRebindingProtection: true,
      allowedHosts: [`127.0.0.1:${port}`, `localhost:${port}`],
    });
    const author = { name: 'Conformance', email: 'conformance@localhost' };
    const served = {
      wiki: opened.wiki,
      tools: toolNames,
      scope: null,
      saving: 'impossible' as const,
      version: '0',
      watchEveryMs: 1_000,
      room: async () => {},
    };
    // Its optional handlers are declared differently from the interface, but are the same.
    const log = () => {};
    serve({ ...served, author, log, now: Date.now, randomBytes }, transport as unknown as Transport);
    return transport;
  }

  return { url: `http://localhost:${port}/mcp`, close: () => close(server, opened.close) };
}

async function close(server: Server, closeWiki: () => Promise<void>): Promise<void> {
  server.closeAllConnections();
  server.close();
  await closeWiki();
}
