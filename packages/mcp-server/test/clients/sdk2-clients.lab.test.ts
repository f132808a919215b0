import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { Sdk2Client } from '../sdk2-client.ts';
import { declareStory } from '../story.ts';

const env = { PAGETREE_AUTHOR: 'Ada Lovelace <ada@example.org>' };

describe.each(['legacy', { pin: '2026-07-28' }] as const)('version 2 of the SDK, %j', (mode) => {
  declareStory(async () => {
    const [bundle, parent] = await Promise.all([builtServer(), temporaryDirectory()]);
    const directory = join(parent, 'wikis');
    return { client: await new Sdk2Client(mode, [bundle, '--dir', directory], env).connect(), directory };
  });
});

test('a client that asks which versions there are takes the newest, and hears of changes', async () => {
  const [bundle, parent] = await Promise.all([builtServer(), temporaryDirectory()]);
  const wiki = await new Sdk2Client('auto', [bundle, '--dir', join(parent, 'wikis')]).connect();
  onTestFinished(() => wiki.close());
  expect(wiki.client.getProtocolEra()).toBe('modern');
  const uri = 'wiki://main/page/Watched';
  const updated = new Promise<string>((resolve) => {
    wiki.client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      resolve(params.uri),
    );
  });
  const subscription = await wiki.client.listen({ resourceSubscriptions: [uri] });
  await wiki.ok('write_page', { path: 'Watched', content: 'one\n' });
  expect(await updated).toBe(uri);
  await subscription.close();
  await expect(wiki.client.readResource({ uri: 'wiki://main/page/Nowhere' })).rejects.toMatchObject({
    code: -32_602,
    data: { uri: 'wiki://main/page/Nowhere' },
  });
});
