import { connect, createServer, type Socket } from 'node:net';

/** A port that leads to a server, and counts what goes through in both directions. */
export interface Counted {
  port: number;
  /** The server's own host and port. */
  host: string;
  bytes(): number;
  stop(): Promise<void>;
}

export async function countBytes(origin: string): Promise<Counted> {
  const target = Number(new URL(origin).port);
  const open = new Set<Socket>();
  let bytes = 0;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.on('data', (data) => {
        bytes += data.length;
      });
      from.on('error', () => to.destroy());
      from.on('close', () => open.delete(from));
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The counter has no port.');
  return {
    port: address.port,
    host: new URL(origin).host,
    bytes: () => bytes,
    stop: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
