import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { limits, newRequestId } from '@pagetree/wiki/contract';
import { describe, expect, test } from 'vitest';
import { git } from '../../../../../wiki/test/native-git.ts';
import { fieldsIn, openForm, post } from '../../../../test/posting.ts';
import { openWritable } from '../../../../test/writable-site.ts';

describe('a page', () => {
  test.each([
    ['line ends of two bytes', 'a\r\nb\r\n'],
    ['line ends of both kinds', 'a\r\nb\nc\rd\r\n'],
    ['no line feed at its end', 'a\nb'],
    ['line feeds at both ends', '\n\na\n\n\n'],
    ['a byte order mark', '\uFEFFa\r\nb\r\n'],
    ['a mark within it, characters of HTML and a NUL', 'a\uFEFF &amp; &lt; <b>"\' \0 </textarea>\n'],
    ['nothing', ''],
  ])('with %s keeps every byte when it is saved as it is', async (_, text) => {
    const { site, run, formAt, bytes } = await openWritable();
    const { commit } = await run('write_page', { path: 'Page', content: text });
    const form = await formAt('Page');
    const saved = await post(site, { ...form, fields: { ...form.fields, do: 'save' } });
    expect([saved.status, saved.location]).toEqual([303, '/main/Page']);
    expect(bytes('Page').toString()).toBe(text);
    expect((await run('get_history', { path: 'Page' })).entries[0]?.commit).toBe(commit);
  });

  test('is changed where the person changed it, with its own line ends, as that person', async () => {
    const { site, run, formAt, bytes, directory } = await openWritable();
    await run('write_page', { path: 'Page', content: '\uFEFF---\r\ntags: [x]\r\n---\r\nold\r\n' });
    const form = await formAt('Page');
    const content = form.fields.content?.replace('old', 'new\nnewer') ?? '';
    await post(site, {
      ...form,
      fields: { ...form.fields, content, message: 'Say it\u00a0new ', do: 'save' },
    });
    expect(bytes('Page').toString()).toBe('\uFEFF---\r\ntags: [x]\r\n---\r\nnew\r\nnewer\r\n');
    const log = git(join(directory, 'main.git'), ['log', '-1', '--format=%an <%ae>%n%B', 'HEAD']);
    expect(log).toMatch(/^Grace <grace@example\.org>\nSay it\u00a0new\n/);
    expect(log).not.toContain('Agent:');
  });

  test('may lose its end, which looks like a mistake of an agent', async () => {
    const { site, run, formAt, content } = await openWritable();
    await run('write_page', { path: 'Page', content: 'one\ntwo\n' });
    const form = await formAt('Page');
    await post(site, { ...form, fields: { ...form.fields, content: 'one\n', do: 'save' } });
    expect(await content('Page')).toBe('one\n');
  });

  test('that is no UTF-8 text is not edited, but explained', async () => {
    const { site, get, directory } = await openWritable();
    const raw = join(directory, 'raw.git');
    mkdirSync(raw);
    git(raw, ['init', '--quiet', '--bare', '--initial-branch=main']);
    const commit =
      'commit refs/heads/main\ncommitter A <a@b.c> 0 +0000\ndata 1\nx\nM 100644 inline Page.md\ndata 3\n';
    git(
      raw,
      ['fast-import', '--quiet'],
      Buffer.concat([Buffer.from(commit), Buffer.from('a\xffb\n', 'latin1')]),
    );
    const { status, text } = await get('/raw/Page?view=edit');
    expect(status).toBe(400);
    expect(text).toContain('is not UTF-8 text');
    expect(fieldsIn(text)).toEqual({});
    expect((await openForm(site, '/raw/Page?view=edit')).cookie).toBe('');
  });

  test('that would be too large is refused, and its text is still there', async () => {
    const { site, formAt } = await openWritable();
    const form = await formAt('Page');
    const content = `${'x'.repeat(limits.pageBytes)}\n`;
    const { status, text } = await post(site, { ...form, fields: { ...form.fields, content, do: 'save' } });
    expect(status).toBe(413);
    expect(text).toContain(`the most is ${limits.pageBytes}`);
    expect(fieldsIn(text).content).toBe(content);
  });

  test('can be saved from a form that stood open for days', async () => {
    const { site, run, formAt, content } = await openWritable();
    await run('write_page', { path: 'Page', content: 'old\n' });
    const form = await formAt('Page');
    const stale = newRequestId(Date.now() - 2 * 86_400_000, new Uint8Array(10));
    const fields = { ...form.fields, content: 'new\n', request_id: stale, do: 'save' };
    const first = await post(site, { ...form, fields });
    expect(first.text).toContain('nothing is saved twice');
    const again = await post(site, { ...form, fields: { ...fieldsIn(first.text), do: 'save' } });
    expect(again.status).toBe(303);
    expect(await content('Page')).toBe('new\n');
  });
});

describe('a new page', () => {
  test('whose name another page had before says where that one is now', async () => {
    const { run, get } = await openWritable();
    await run('write_page', { path: 'Old', content: 'x\n' });
    await run('move_page', { path: 'Old', new_path: 'New' });
    const { text } = await get('/main/Old?view=edit');
    expect(text).toContain('The page that was here was moved to <a href="/main/New">New</a>.');
    expect(text).toContain('<a href="/main/New?view=edit">Edit it there</a>');
    expect(text).toContain('<form class="write"');
    expect((await get('/main/Never?view=edit')).text).not.toContain('was moved');
  });

  test('is made from a link that leads nowhere, from its address, and from a folder', async () => {
    const { site, run, get, content } = await openWritable();
    await run('write_page', { path: 'Guides/One', content: '[[Two]] [[Three.png]] ![[Four.png]]\n' });
    const { text } = await get('/main/Guides/One');
    expect(text).toContain('<a href="/main/Guides/Two?view=edit" class="link-broken">Two</a>');
    expect(text).not.toMatch(/href="[^"]*(?:Three|Four)/);
    expect((await get('/main/Guides/Two')).text).toContain('href="/main/Guides/Two?view=edit"');
    expect((await get('/main/Guides/')).text).toContain('name="path" value="Guides/"');
    expect((await get('/_/main/new?path=Guides/Two')).headers.get('location')).toBe(
      '/main/Guides/Two?view=edit',
    );
    expect((await get('/_/main/new?path=Guides/')).text).toContain('Give the page a name.');
    for (const path of ['../other/Page', 'a/../../other/Page', './Page', '..', 'a/..']) {
      const { status, text } = await get(`/_/main/new?path=${encodeURIComponent(path)}`);
      expect([status, text], path).toEqual([200, expect.stringContaining('begins at the root of the wiki')]);
    }
    const form = await openForm(site, '/main/Guides/Two?view=edit');
    const fields = { ...form.fields, content: '# Two\n', do: 'save' };
    expect((await post(site, { ...form, fields })).location).toBe('/main/Guides/Two');
    expect(await content('Guides/Two')).toBe('# Two\n');
    expect((await get('/main/Guides/One')).text).toContain('<a href="/main/Guides/Two">Two</a>');
  });

  test('of a name that cannot be is refused, and its text is still there', async () => {
    const { site, formAt } = await openWritable();
    const form = await formAt('aux');
    const { status, text } = await post(site, {
      ...form,
      fields: { ...form.fields, content: 'mine\n', do: 'save' },
    });
    expect(status).toBe(400);
    expect(text).toMatch(/role="alert">&quot;aux&quot; cannot be a page path/);
    expect(fieldsIn(text).content).toBe('mine\n');
  });
});

test('a preview shows the text as the page would, with its links, and writes nothing', async () => {
  const { site, run, formAt, content } = await openWritable();
  await run('write_page', { path: 'Page', content: 'old\n' });
  await run('write_page', { path: 'Other', content: '# Other\n\nEmbedded words.\n' });
  const form = await formAt('Page');
  const mine =
    '---\nowner: Grace\n---\n# Mine\n\n[[Other]] [[Nowhere]] <script>alert(1)</script>\n\n![[Other]]\n';
  const { status, text } = await post(site, {
    ...form,
    fields: { ...form.fields, content: mine, do: 'preview' },
  });
  expect(status).toBe(200);
  const preview = /<section aria-labelledby="ui.previewed">[\s\S]*?<\/section>/.exec(text)?.[0] ?? '';
  expect(preview).toContain('href="/main/Other">Other</a>');
  expect(preview).toContain('class="link-broken">Nowhere</a>');
  expect(preview).toContain('Embedded words.');
  expect(text).toContain('<th scope="row">owner</th><td><bdi>Grace</bdi></td>');
  expect(text).not.toContain('<script>');
  expect(await content('Page')).toBe('old\n');
  const fields = fieldsIn(text);
  expect(fields).toMatchObject({ content: mine, version: form.fields.version });
  expect((await post(site, { ...form, fields: { ...fields, do: 'save' } })).status).toBe(303);
  expect(await content('Page')).toBe(mine);
});

test('within a write scope there are forms for its pages alone, and the wiki refuses the others', async () => {
  const { site, run, get, content } = await openWritable({ scope: { read: [''], write: ['Open/'] } });
  await run('write_page', { path: 'Open/Page', content: '[[Missing]] [[/Elsewhere]]\n' });
  await run('write_page', { path: 'Closed', content: 'as it is\n' });
  const { text } = await get('/main/Open/Page');
  expect(text).toContain('href="/main/Open/Page?view=edit">Edit</a>');
  expect(text).toContain('href="/main/Open/Missing?view=edit"');
  expect(text).not.toContain('href="/main/Elsewhere?view=edit"');
  expect((await get('/main/Open/')).text).toContain('/_/main/new');
  for (const address of ['/main/Closed', '/main/', '/main/None']) {
    expect((await get(address)).text, address).not.toMatch(/view=edit|_\/main\/new/);
  }
  for (const address of ['/main/Closed?view=edit', '/main/None?view=edit', '/_/main/new?path=None']) {
    expect((await get(address)).status, address).toBe(403);
  }
  const form = await openForm(site, '/main/Open/Page?view=edit');
  const closed = await run('view_page', { path: 'Closed' });
  const fields = {
    ...form.fields,
    version: closed.page?.version ?? '',
    at: closed.commit,
    content: 'mine\n',
    do: 'save',
  };
  const refused = await post(site, { ...form, address: '/main/Closed?view=edit', fields });
  expect(refused.status).toBe(403);
  expect(fieldsIn(refused.text).content).toBe('mine\n');
  expect(await content('Closed')).toBe('as it is\n');
});
