import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Site } from '../site/site.ts';

export interface Serving {
  port: number;
  /** Ends running requests and frees the port. */
  close(): Promise<void>;
}

/**
 * Serves on an address of this machine; port 0 takes a free one. `siteAt` gets the port. A connection on which
 * nothing moves for `stalledMs` while an answer is sent is closed, as its answer takes room in memory from others.
 */
export async function serveSite(
  { port, host = '127.0.0.1' }: { port: number; host?: string | undefined },
  siteAt: (port: number) => Site,
  stalledMs = STALLED_MS,
): Promise<Serving> {
  let site: Site | null = null;
  const listener = getRequestListener(async (request, { outgoing }) => {
    const sent = new Promise((resolve) => outgoing.once('close', resolve));
    const { socket } = outgoing;
    // The work on an answer may take longer: the first search reads all of a wiki, for minutes at 100,000 pages. How long
    // a request may take to arrive is limited by Node itself.
    socket?.setTimeout(0);
    try {
      return await (site?.fetch(request, sent) ?? new Response(null, { status: 503 }));
    } finally {
      socket?.setTimeout(stalledMs);
    }
  });
  const server = createServer(listener);
  server.timeout = stalledMs;
  const bound = await listen(server, port, host);
  site = siteAt(bound);
  return {
    port: bound,
    close: () =>
      new Promise((resolve) => {
        void site?.end();
        server.close(() => resolve());
        // A browser keeps its connections open.
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
      }),
  };
}

const DRAIN_MS = 2_000;
const STALLED_MS = 120_000;

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
