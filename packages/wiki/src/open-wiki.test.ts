import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { git, temporaryDirectory } from '../test/native-git.ts';
import type { Call } from './contract/wiki.ts';
import { openWiki } from './open-wiki.ts';

const call: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: 'test/1' } };

async function open(directory: string, wiki: string | null = null) {
  const host = { backend: 'local', versions: { pagetree: '0' }, problems: [] };
  const opened = await openWiki({ directory, wiki, placement: 'local', host });
  onTestFinished(() => opened.close());
  return opened;
}

test('a new wiki is read and written through its operations, and native git agrees', async () => {
  const directory = temporaryDirectory();
  const { wiki, name } = await open(directory);
  expect(name).toBe('main');
  expect(
    (await wiki.read_page({ path: 'Home', mode: 'content', start_line: 1, start_char: 0 }, call)).content,
  ).toContain('# Home');
  const { links_to, broken } = await wiki.get_links({ path: 'Home' }, call);
  expect({ links_to, broken }).toEqual({ links_to: ['How this wiki works'], broken: [] });

  const written = await wiki.write_page(
    { path: 'Notes/One', content: 'Hello.\n', allow_shrink: false },
    call,
  );

  const gitDirectory = join(directory, 'main.git');
  expect(git(gitDirectory, ['show', 'main:Notes/One.md'])).toBe('Hello.');
  expect(
    git(gitDirectory, ['log', '-1', '--format=%H %an <%ae> %(trailers:key=Agent,valueonly)']).trim(),
  ).toBe(`${written.commit} Ada <ada@example.org> test/1`);
  git(gitDirectory, ['fsck', '--strict']);
});

test('the pages of a new wiki link only to existing pages', async () => {
  const { wiki } = await open(temporaryDirectory());
  const { pages } = await wiki.list_pages({ prefix: '', sort: 'path', limit: 50 }, call);
  for (const { path } of pages) expect((await wiki.get_links({ path }, call)).broken, path).toEqual([]);
});

test('each call may name another wiki of the directory; its status names them all', async () => {
  const directory = temporaryDirectory();
  for (const name of ['one', 'two']) git(directory, ['init', '--quiet', '--bare', `${name}.git`]);
  const { wiki } = await open(directory, 'one');
  await wiki.write_page({ wiki: 'two', path: 'Page', content: 'x', allow_shrink: false }, call);
  expect(await wiki.wiki_status({}, call)).toMatchObject({ wiki: 'one', wikis: ['one', 'two'], pages: 0 });
  expect(await wiki.wiki_status({ wiki: 'two' }, call)).toMatchObject({ wiki: 'two', pages: 1 });
  await expect(wiki.wiki_status({ wiki: 'three' }, call)).rejects.toMatchObject({ code: 'not_found' });
});

test('tidying all wikis continues past a damaged one, and names it', async () => {
  const directory = temporaryDirectory();
  for (const name of ['one', 'two']) git(directory, ['init', '--quiet', '--bare', `${name}.git`]);
  git(directory, ['init', '--quiet', '--bare', '--object-format=sha256', 'wrong.git']);
  const { wiki } = await open(directory, 'one');
  for (const path of ['A', 'B']) await wiki.write_page({ path, content: 'x', allow_shrink: false }, call);

  const alone = await wiki.maintain_wiki({ wiki: 'wrong', mode: 'tidy', all: false }, call).catch((e) => e);
  const failure = await wiki.maintain_wiki({ mode: 'tidy', all: true }, call).catch((e) => e);

  expect(failure).toMatchObject({ name: 'WikiError', code: alone.code, data: alone.data });
  expect(failure.text).toEqual({ ...alone.text, happened: `In the wiki "wrong": ${alone.text.happened}` });
  const again = await wiki.maintain_wiki({ wiki: 'one', mode: 'tidy', all: false }, call);
  expect(again).toMatchObject({ packs_before: 1 });
});

test('a wiki is made ready with its search index only if that is asked for', async () => {
  const listTags = async (index: boolean) => {
    const directory = temporaryDirectory();
    const first = await open(directory);
    // The pages of the first commit are in another pack than the newest one.
    await first.wiki.write_page({ path: 'Folder/Tea', content: 'x', allow_shrink: false }, call);
    await first.close();
    const { wiki, warm } = await open(directory);
    await warm({ index });
    // Without the index the pages have to be read first.
    renameSync(join(directory, 'main.git', 'objects'), join(directory, 'objects'));
    return wiki.list_tags({}, call).then(
      () => 'answered',
      () => 'failed',
    );
  };
  expect([await listTags(true), await listTags(false)]).toEqual(['answered', 'failed']);
});
