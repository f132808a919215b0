import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { standIn } from '../../test/lambda/aws-of-team.ts';
import { RecordsInTable } from '../lambda/records-in-table.ts';
import { EndedInRecords } from './ended-in-records.ts';

afterEach(() => vi.unstubAllEnvs());

function endedAt(url: string, now = Date.now): EndedInRecords {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'testing');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'testing');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', url);
  return new EndedInRecords(RecordsInTable.open('records', Date.now), now);
}

test('a session that ended elsewhere is believed for three seconds more, and one that ended here not at all', async () => {
  const { url, stop } = await standIn({});
  onTestFinished(stop);
  let ms = Date.now();
  const [here, elsewhere] = [endedAt(url), endedAt(url, () => ms)];
  expect(await elsewhere.has('one')).toBe(false);
  await here.add('one', ms + 3_600_000);
  expect(await here.has('one')).toBe(true);
  ms += 2_999;
  expect(await elsewhere.has('one')).toBe(false);
  ms += 2;
  expect(await elsewhere.has('one')).toBe(true);
  expect(await here.has('two')).toBe(false);
});

test('a session that ends while it is asked for has ended', async () => {
  const asked = Promise.withResolvers<null>();
  const ended = new EndedInRecords({ get: () => asked.promise, put: async () => {} }, Date.now);
  const has = ended.has('one');
  await ended.add('one', Date.now() + 60_000);
  asked.resolve(null);
  expect([await has, await ended.has('one')]).toEqual([true, true]);
});

test.each(['answers with a failure', 'does not answer'])(
  'nobody is let in while the table %s',
  async (how) => {
    const server = createServer((_, response) => {
      if (how === 'answers with a failure')
        response.writeHead(500, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const table = endedAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [asked, added] = await Promise.allSettled([
      table.has('one'),
      table.add('one', Date.now() + 60_000),
    ]);
    expect([asked.status, added.status]).toEqual(['rejected', 'rejected']);
  },
  30_000,
);
