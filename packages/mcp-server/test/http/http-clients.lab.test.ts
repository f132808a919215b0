import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import type { ServedWeb } from '../../../web/test/served-web.ts';
import { temporaryDirectory } from '../built-server.ts';
import type { ToolClient } from '../sdk-client.ts';
import { declareStory } from '../story.ts';
import { HttpClient, HttpClient2 } from './http-clients.ts';
import { serveWiki } from './served-wiki.ts';

const CLIENTS: readonly (readonly [string, (url: string) => Promise<ToolClient>])[] = [
  ['version 1 of the SDK', (url) => new HttpClient().connect(url)],
  ['version 2 of the SDK, legacy', (url) => new HttpClient2('legacy').connect(url)],
  ['version 2 of the SDK, 2026-07-28', (url) => new HttpClient2({ pin: '2026-07-28' }).connect(url)],
];

describe.each(CLIENTS)('%s by HTTP', (_, connect) => {
  let web: ServedWeb | null = null;
  afterAll(() => web?.stop('SIGKILL'));

  declareStory(async () => {
    const directory = join(await temporaryDirectory(), 'wikis');
    const served = await serveWiki(directory);
    web = served.web;
    return { client: await connect(served.url), directory };
  });
});
