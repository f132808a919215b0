import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { PUBLIC, type Reaching } from '../src/reaching.ts';

/** A server of this machine, and how often it was reached. */
export async function openListener() {
  const reached = { times: 0 };
  const server = createServer((socket) => {
    reached.times += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, reached };
}

/** Names lead to these addresses. */
export function namesLeadTo(...addresses: string[]): Reaching {
  const lookup = ((_name: string, _options: object, done: (error: null, found: object[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as Reaching['lookup'];
  return { ...PUBLIC, lookup };
}
