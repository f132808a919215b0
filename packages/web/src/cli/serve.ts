import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Site } from '../site/site.ts';

export interface Serving {
  port: number;
  /** Ends running requests and frees the port. */
  close(): Promise<void>;
}

/** Serves on the loopback address of this machine; port 0 takes a free one. `siteAt` gets the port. */
export async function serveSite(port: number, siteAt: (port: number) => Site): Promise<Serving> {
  let site: Site | null = null;
  const listener = getRequestListener((request, { outgoing }) => {
    const sent = new Promise((resolve) => outgoing.once('close', resolve));
    return site?.fetch(request, sent) ?? new Response(null, { status: 503 });
  });
  const server = createServer(listener);
  server.timeout = STALLED_MS;
  const bound = await listen(server, port);
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
/** A connection on which nothing moves for this long is closed: its answer takes room in memory from others. */
const STALLED_MS = 120_000;

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
