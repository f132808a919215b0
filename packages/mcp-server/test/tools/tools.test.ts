import { join } from 'node:path';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { SdkClient } from '../sdk-client.ts';
import { declareStory } from '../story.ts';

declareStory(async () => {
  const [bundle, parent] = await Promise.all([builtServer(), temporaryDirectory()]);
  const directory = join(parent, 'wikis');
  const env = { PAGETREE_AUTHOR: 'Ada Lovelace <ada@example.org>' };
  const client = new SdkClient(process.execPath, [bundle, '--dir', directory], env);
  return { client: await client.connect(), directory };
});
