import { beforeAll, expect, test } from 'vitest';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { RawServer } from '../raw-server.ts';
import { SdkClient } from '../sdk-client.ts';

let bundle: string;
let wikis: string;

beforeAll(async () => {
  [bundle, wikis] = await Promise.all([builtServer(), temporaryDirectory()]);
  const whole = await new SdkClient(process.execPath, [bundle, '--dir', wikis]).connect();
  for (const path of ['notes/A', 'notes/inbox/B', 'secret/Zebra']) {
    await whole.ok('write_page', { path, content: `# ${path}\n[[secret/Zebra]]\n` });
  }
  await whole.close();
});

test('tools, resources, completion and instructions show only the scope', async () => {
  const env = { PAGETREE_SCOPE: 'notes/' };
  const server = [bundle, '--dir', wikis, '--write-scope', 'notes/inbox/'];
  const wiki = await new SdkClient(process.execPath, server, env).connect();
  const { client } = wiki;
  expect(client.getInstructions()).toContain(
    'only what lies in "notes/" is there, and only what lies in "notes/inbox/" may be changed',
  );
  expect(await wiki.ok('wiki_status')).toMatchObject({
    pages: 2,
    clone: null,
    scope: { read: ['notes/'], write: ['notes/inbox/'] },
  });
  expect(await wiki.error('read_page', { path: 'secret/Zebra' })).toMatch(/^not_found: /);
  expect(await wiki.error('append_to_page', { path: 'notes/A', content: 'x' })).toMatch(
    /^forbidden: "notes\/A" is outside of what may be changed from here, which is "notes\/inbox\/"/,
  );
  await wiki.ok('append_to_page', { path: 'notes/inbox/B', content: 'x' });

  const { resources } = await client.listResources();
  expect(resources.map(({ name }) => name)).toEqual(['index', 'recent', 'notes/A', 'notes/inbox/B']);
  const texts = await Promise.all(
    ['index', 'recent'].map((name) => client.readResource({ uri: `wiki://main/${name}` })),
  );
  expect(JSON.stringify(texts)).not.toContain('Zebra');
  await expect(client.readResource({ uri: 'wiki://main/page/secret/Zebra' })).rejects.toThrow('no page');
  const completed = await client.complete({
    ref: { type: 'ref/resource', uri: 'wiki://{wiki}/page/{+path}' },
    argument: { name: 'path', value: '' },
  });
  expect(completed.completion.values).toEqual(['notes/A', 'notes/inbox/B']);
  expect(await wiki.ok('write_page', { path: 'notes/inbox/New', content: 'x' })).toMatchObject({
    links_elsewhere: expect.stringContaining('Pages outside of "notes/" were not looked at.'),
  });
  await wiki.close();
});

test.each([
  [['--scope', 'notes'], 'Did you mean "notes/"?'],
  [
    ['--scope', 'notes/', '--write-scope', 'secret/'],
    'may be changed (--write-scope, PAGETREE_WRITE_SCOPE) but not read',
  ],
])('%j stops the start with a plain sentence', async (options, sentence) => {
  const server = new RawServer(process.execPath, [bundle, '--dir', wikis, ...options]);
  expect((await server.ended).code).toBe(2);
  expect(server.stderr).toContain(sentence);
  expect(server.stderr.trimEnd().split('\n')).toHaveLength(1);
});
