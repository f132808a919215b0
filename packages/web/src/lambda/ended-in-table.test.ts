import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { standIn } from '../../test/lambda/aws-of-team.ts';
import { EndedInTable } from './ended-in-table.ts';

afterEach(() => vi.unstubAllEnvs());

function tableAt(url: string, now = Date.now): EndedInTable {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'testing');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'testing');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', url);
  return new EndedInTable('sessions', now);
}

test('a session that ended elsewhere is believed for five seconds more, and one that ended here not at all', async () => {
  const { url, stop } = await standIn({});
  onTestFinished(stop);
  let ms = 1_000_000;
  const [here, elsewhere] = [tableAt(url), tableAt(url, () => ms)];
  expect(await elsewhere.has('one')).toBe(false);
  await here.add('one', ms);
  expect(await here.has('one')).toBe(true);
  ms += 4_999;
  expect(await elsewhere.has('one')).toBe(false);
  ms += 2;
  expect(await elsewhere.has('one')).toBe(true);
  expect(await here.has('two')).toBe(false);
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
    const table = tableAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [asked, added] = await Promise.allSettled([table.has('one'), table.add('one', Date.now())]);
    expect([asked.status, added.status]).toEqual(['rejected', 'rejected']);
  },
  30_000,
);
