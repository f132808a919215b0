import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { git } from '../git.ts';
import { SdkClient } from '../sdk-client.ts';

let bundle: string;
let directory: string;
let wiki: SdkClient;

beforeAll(async () => {
  const [built, parent] = await Promise.all([builtServer(), temporaryDirectory()]);
  bundle = built;
  directory = join(parent, 'wikis');
  wiki = await start();
  // The first call makes the wiki, which native git clones.
  await wiki.ok('wiki_status');
});

afterAll(() => wiki.close());

function start(): Promise<SdkClient> {
  return new SdkClient(process.execPath, [bundle, '--dir', directory]).connect();
}

async function cloneToWrite(): Promise<string> {
  const clone = join(await temporaryDirectory(), 'clone');
  await git(directory, 'clone', '--quiet', 'main.git', clone);
  return clone;
}

const commitAs = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet'];

async function pushAll(clone: string, message: string): Promise<void> {
  await git(clone, 'add', '.');
  await git(clone, ...commitAs, '-m', message);
  await git(clone, 'push', '--quiet');
}

async function textAt(uri: string): Promise<string> {
  const { contents } = await wiki.client.readResource({ uri });
  const [first] = contents;
  return first !== undefined && 'text' in first ? first.text : '';
}

test('every page is listed, part by part, after the index and the recent changes', async () => {
  const clone = await cloneToWrite();
  await mkdir(join(clone, 'Many'));
  for (let page = 0; page < 230; page += 1)
    await writeFile(join(clone, 'Many', `Page ${page}.md`), '# A title\n');
  await pushAll(clone, 'Many pages');
  const first = await wiki.client.listResources();
  const second = await wiki.client.listResources({ cursor: first.nextCursor });
  const uris = [...first.resources, ...second.resources].map(({ uri }) => uri);
  expect(second.nextCursor).toBeUndefined();
  expect(uris.slice(0, 2)).toEqual(['wiki://main/index', 'wiki://main/recent']);
  expect(uris).toContain('wiki://main/page/Home');
  expect(uris).toContain('wiki://main/page/Many/Page%20229');
  expect(new Set(uris).size).toBe(uris.length);
});

test('a page is read whole, however long, as it is now and as it stood at a commit', async () => {
  const long = `${'A line of a long page, with ünïcödé.\n'.repeat(3_000)}${'x'.repeat(90_000)}\nEnd.`;
  const { commit } = await wiki.ok('write_page', { path: 'Long/Ünïcödé', content: long });
  await wiki.ok('append_to_page', { path: 'Long/Ünïcödé', content: 'More.' });
  expect(await textAt(`wiki://main/at/${commit}/page/Long/${encodeURIComponent('Ünïcödé')}`)).toBe(long);
  expect(await textAt(`wiki://main/page/Long/${encodeURIComponent('Ünïcödé')}`)).toBe(`${long}\nMore.\n`);
});

test('the index names every page, and recent changes who made them', async () => {
  expect(await textAt('wiki://main/index')).toContain('- [[Many/Page 0]] A title');
  expect(await textAt('wiki://main/recent')).toMatch(/with sdk-client\/1\.2: .*\[\[Long\/Ünïcödé\]\]/);
});

test('a missing resource gets MCP’s own code, and an invalid address gets the code for a wrong parameter', async () => {
  const read = (uri: string) => wiki.client.readResource({ uri });
  await expect(read('wiki://main/page/Nowhere')).rejects.toMatchObject({ code: -32_002 });
  // As a link this would lead to a page of that name in a folder, but no page has this address.
  await expect(read('wiki://main/page/Page%200')).rejects.toMatchObject({ code: -32_002 });
  await expect(read('file:///etc/passwd')).rejects.toMatchObject({ code: -32_602 });
  await expect(wiki.client.subscribeResource({ uri: 'http://x' })).rejects.toMatchObject({ code: -32_602 });
});

test('paths, wikis and commits are completed', async () => {
  const { resourceTemplates } = await wiki.client.listResourceTemplates();
  const uri = resourceTemplates[1]?.uriTemplate ?? '';
  const complete = async (name: string, value: string, given: Record<string, string> = {}) =>
    (
      await wiki.client.complete({
        ref: { type: 'ref/resource', uri },
        argument: { name, value },
        context: { arguments: given },
      })
    ).completion;
  expect(await complete('path', 'Hom')).toMatchObject({ values: ['Home'], hasMore: false });
  const many = await complete('path', 'Many/');
  expect(many).toMatchObject({ total: 230, hasMore: true });
  expect(many.values).toHaveLength(100);
  expect((await complete('wiki', 'm')).values).toEqual(['main']);
  const commit = await git(join(directory, 'main.git'), 'log', '-1', '--format=%H', 'main', '--', 'Long');
  expect((await complete('commit', commit.slice(0, 4), { path: 'Long/Ünïcödé' })).values).toContain(commit);
});

test('a subscriber is notified of a change by this server, by another one and by native git', async () => {
  const uri = 'wiki://main/page/Watched';
  const reported: string[] = [];
  let wake: () => void = () => {};
  wiki.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    reported.push(params.uri);
    wake();
  });
  const noticeOf = async (change: () => Promise<unknown>): Promise<void> => {
    reported.length = 0;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    await change();
    await woken;
  };

  await wiki.client.subscribeResource({ uri });
  await noticeOf(() => wiki.ok('write_page', { path: 'Watched', content: 'one\n' }));
  expect(reported).toEqual([uri]);

  const other = await start();
  await noticeOf(() => other.ok('append_to_page', { path: 'Watched', content: 'two' }));
  await other.close();

  const clone = await cloneToWrite();
  await git(clone, 'rm', '--quiet', 'Watched.md');
  await git(clone, ...commitAs, '-m', 'Remove');
  await noticeOf(() => git(clone, 'push', '--quiet'));
  expect(reported).toEqual([uri]);

  await wiki.client.unsubscribeResource({ uri });
  reported.length = 0;
  await wiki.client.subscribeResource({ uri: 'wiki://main/index' });
  await noticeOf(() => wiki.ok('write_page', { path: 'Watched', content: 'again\n' }));
  expect(reported).toEqual(['wiki://main/index']);
});

test('every prompt is listed with its arguments, which are completed and asked for', async () => {
  const { prompts } = await wiki.client.listPrompts();
  const names = prompts.map(({ name }) => name);
  expect(names).toEqual(['orient', 'ingest_source', 'garden', 'review_changes', 'resolve_conflict']);
  for (const prompt of prompts) {
    const given = Object.fromEntries((prompt.arguments ?? []).map(({ name }) => [name, `<${name}>`]));
    const { messages } = await wiki.client.getPrompt({ name: prompt.name, arguments: given });
    const [message] = messages;
    for (const value of Object.values(given))
      expect(message?.content).toMatchObject({ text: expect.stringContaining(value) });
  }
  await expect(wiki.client.getPrompt({ name: 'ingest_source' })).rejects.toMatchObject({ code: -32_602 });
  await expect(wiki.client.getPrompt({ name: 'nonsense' })).rejects.toMatchObject({ code: -32_602 });
  const { completion } = await wiki.client.complete({
    ref: { type: 'ref/prompt', name: 'resolve_conflict' },
    argument: { name: 'path', value: 'Hom' },
  });
  expect(completion.values).toEqual(['Home']);
});

test('no title, name, author or message adds a line to the index or to the recent changes', async () => {
  const clone = await cloneToWrite();
  const before = [await textAt('wiki://main/index'), await textAt('wiki://main/recent')];
  const break_ = '\n- [[Trap]] Read this first\u2028- [[Trap2]] and this\r- x';
  await mkdir(join(clone, 'lines'));
  await writeFile(join(clone, 'lines', 'A.md'), `---\ntitle: ${JSON.stringify(`A${break_}`)}\n---\ntext\n`);
  await writeFile(join(clone, 'lines', `B${break_}.md`), 'text\n');
  await git(clone, 'add', '.');
  const author = `--author=A\u2028- [[Trap]] B\r- y <a@example.org>`;
  await git(clone, ...commitAs, author, '-m', 'Subject\r- [[Trap]]\u2028- z');
  await git(clone, 'push', '--quiet');
  const lines = (text = '') => text.split(/[\n\r\u2028\u2029\u0085\v\f]/).length;
  expect(lines(await textAt('wiki://main/index'))).toBe(lines(before[0]) + 2);
  const [recent = ''] = (await textAt('wiki://main/recent'))
    .split('\n')
    .filter((line) => line.includes('Trap'));
  expect(lines(recent)).toBe(1);
  expect(recent).toMatch(/^- \d{4}-.*Subject/);
});

test('a client may have a thousand subscriptions, and more once it has given up one', async () => {
  const other = await start();
  const uri = (page: number) => `wiki://main/page/Watched%20${page}`;
  const pages = Array.from({ length: 1_000 }, (_, page) => page);
  await Promise.all(pages.map((page) => other.client.subscribeResource({ uri: uri(page) })));
  const oneMore = () => other.client.subscribeResource({ uri: uri(1_000) });
  await expect(oneMore()).rejects.toMatchObject({ code: -32_602, message: expect.stringContaining('1000') });
  await other.client.subscribeResource({ uri: uri(5) });
  await other.client.unsubscribeResource({ uri: uri(0) });
  await oneMore();
  await other.close();
});
