import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy for HTTPS on this machine that counts the bytes which come back through it. */
export interface CountingProxy {
  address: string;
  received(): number;
  close(): Promise<void>;
}

export async function countingProxy(): Promise<CountingProxy> {
  let received = 0;
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on('connect', (request, client: Socket) => {
    const [host, port] = (request.url ?? '').split(':');
    const registry = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      registry.pipe(client).pipe(registry);
    });
    registry.on('data', (bytes) => {
      received += bytes.length;
    });
    for (const [socket, other] of [
      [client, registry],
      [registry, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
