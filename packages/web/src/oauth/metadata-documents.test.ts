import { expect, test } from 'vitest';
import { namesLeadTo, openListener } from '../../../outbound/test/nearby-server.ts';
import { fetchDocument } from './metadata-documents.ts';

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
