import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { PUBLIC, type Reaching } from '@pagetree/outbound/reaching';
import { expect, onTestFinished, test } from 'vitest';
import { fetchDocument } from './metadata-documents.ts';

/** A server of this machine, and how often it was reached. */
async function openListener() {
  const reached = { times: 0 };
  const server = createServer((socket) => {
    reached.times += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, reached };
}

/** Names lead to these addresses. */
function namesLeadTo(...addresses: string[]): Reaching {
  const lookup = ((_name: string, _options: object, done: (error: null, found: object[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as Reaching['lookup'];
  return { ...PUBLIC, lookup };
}

test.each([
  'https://127.0.0.1:PORT/client.json',
  'https://2130706433:PORT/client.json',
  'https://0x7f.1:PORT/client.json',
  'https://127.1:PORT/client.json',
  'https://[::1]:PORT/client.json',
  'https://[::ffff:127.0.0.1]:PORT/client.json',
  'https://[::ffff:7f00:1]:PORT/client.json',
  'https://0.0.0.0:PORT/client.json',
  'https://localhost:PORT/client.json',
  'https://10.0.0.1/client.json',
  'https://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]/latest/meta-data/',
])('%s is never connected to', async (address) => {
  const { port, reached } = await openListener();
  const asked = fetchDocument(address.replace('PORT', `${port}`), undefined);
  await expect(asked).rejects.toThrow('no address of the public Internet');
  expect(reached.times).toBe(0);
});

test.each([
  [['127.0.0.1']],
  [['10.0.0.1']],
  [['1.1.1.1', '127.0.0.1']],
  [['::1']],
  [['::ffff:127.0.0.1']],
  [[]],
])('a name that leads to %j is never connected to', async (addresses) => {
  const { port, reached } = await openListener();
  const asked = fetchDocument(
    `https://client.example:${port}/client.json`,
    undefined,
    namesLeadTo(...addresses),
  );
  await expect(asked).rejects.toThrow('no address of the public Internet');
  expect(reached.times).toBe(0);
});

test.each(['http://client.example/client.json', 'ftp://client.example/', 'file:///etc/passwd', 'data:,{}'])(
  '%s is not https',
  async (address) => {
    await expect(fetchDocument(address, undefined)).rejects.toThrow('it is not https');
  },
);
