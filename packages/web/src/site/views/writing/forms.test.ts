import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, gitBytes } from '../../../../../wiki/test/native-git.ts';
import { fieldsIn, openForm, post } from '../../../../test/posting.ts';
import { openWritable } from '../../../../test/writable-site.ts';

async function open(options: Parameters<typeof openWritable>[0] = {}) {
  const opened = await openWritable(options);
  const { site, directory } = opened;
  return {
    ...opened,
    /** Opens the form at an address and sends it, with these fields filled in. */
    async send(address: string, fields: Record<string, string> = {}) {
      const form = await openForm(site, address);
      const filled = { ...form, fields: { ...form.fields, ...fields } };
      return { form: filled, ...(await post(site, filled)) };
    },
    log: (...args: string[]) => git(join(directory, 'main.git'), ['log', ...args]),
  };
}

describe('a page is deleted', () => {
  test('by its form, which shows the pages that link to it, once, and is restored from its history', async () => {
    const { site, run, get, send, content, log } = await open();
    await run('write_page', { path: 'Page', content: '\uFEFFwords\r\n' });
    await run('write_page', { path: 'Linking', content: 'See [[Page]].\n' });
    expect((await get('/main/Page')).text).toContain('href="/main/Page?view=delete"');
    const shown = await get('/main/Page?view=delete');
    expect(shown.text).toMatch(/Linked from[\s\S]*href="\/main\/Linking"[\s\S]*See \[\[Page\]\]/);
    const { form, location } = await send('/main/Page?view=delete', { message: 'Nobody needs it' });
    expect(location).toBe('/main/Page?view=history');
    expect(log('-1', '--format=%an: %s')).toBe('Grace: Nobody needs it');
    expect((await post(site, form)).location).toBe('/main/Page?view=history');
    expect(log('--format=%H', '--', 'Page.md').split('\n')).toHaveLength(2);

    const history = await get('/main/Page?view=history');
    const restore = /href="(\/main\/Page\?view=restore&amp;at=[0-9a-f]{40})">Restore it/.exec(
      history.text,
    )?.[1];
    const address = restore?.replace('&amp;', '&') ?? '';
    expect((await get(address)).text).toContain('It was deleted since.');
    expect((await send(address)).location).toBe('/main/Page');
    expect(await content('Page')).toBe('words\r\n');
    expect(log('-1', '--format=%an: %s')).toMatch(/^Grace: Restore Page as of [0-9a-f]{10}$/);
  });

  test('never after it changed: the form says so', async () => {
    const { site, run, content } = await open();
    await run('write_page', { path: 'Page', content: 'old\n' });
    const form = await openForm(site, '/main/Page?view=delete');
    await run('append_to_page', { path: 'Page', content: 'new' });
    const { status, text } = await post(site, form);
    expect(status).toBe(409);
    expect(text).toMatch(/role="alert">The page &quot;Page&quot; has changed/);
    expect(await content('Page')).toBe('old\nnew\n');
  });
});

describe('an old version is restored', () => {
  test('to the byte', async () => {
    const { run, send, get, bytes } = await open();
    const { commit } = await run('write_page', { path: 'Page', content: '\uFEFFold\r\n' });
    await run('edit_page', { path: 'Page', edits: [{ old_string: 'old', new_string: 'new' }] });
    expect((await get(`/main/Page?at=${commit}`)).text).toContain(`/main/Page?view=restore&amp;at=${commit}`);
    expect((await send(`/main/Page?view=restore&at=${commit}`, { message: 'Back' })).location).toBe(
      '/main/Page',
    );
    expect(bytes('Page').toString()).toBe('\uFEFFold\r\n');
  });

  test('of a page that moved since, at the place where it is now', async () => {
    const { run, send, bytes, get } = await open();
    const { commit } = await run('write_page', { path: 'Page', content: '\uFEFFold\r\n' });
    await run('move_page', { path: 'Page', new_path: 'Moved' });
    await run('edit_page', { path: 'Moved', edits: [{ old_string: 'old', new_string: 'new' }] });
    expect((await get('/main/Moved?view=history')).text).toContain(
      `/main/Moved?view=restore&amp;at=${commit}`,
    );
    expect((await send(`/main/Moved?view=restore&at=${commit}`)).location).toBe('/main/Moved');
    expect(bytes('Moved').toString()).toBe('\uFEFFold\r\n');
    expect((await get('/main/Page')).status).toBe(404);
  });

  test('not if the page changed after the form was opened', async () => {
    const { site, run, content } = await open();
    const { commit } = await run('write_page', { path: 'Page', content: 'old\n' });
    await run('write_page', { path: 'Page', content: 'new\n', version: await versionOf(run, 'Page') });
    const form = await openForm(site, `/main/Page?view=restore&at=${commit}`);
    await run('append_to_page', { path: 'Page', content: 'newer' });
    expect((await post(site, form)).status).toBe(409);
    expect(await content('Page')).toBe('new\nnewer\n');
  });
});

async function versionOf(run: Awaited<ReturnType<typeof open>>['run'], path: string): Promise<string> {
  return (await run('view_page', { path })).page?.version ?? '';
}

describe('a page is moved', () => {
  test('after a look at the links and files that change with it, which changes nothing', async () => {
    const { site, run, send, content, log, get, wikiHead } = await withLinks();
    const before = wikiHead();
    const looked = await send('/main/Page?view=move', { new_path: 'Archive/Old page', do: 'look' });
    expect(looked.status).toBe(200);
    expect(looked.text).toContain('<p><bdi>Page</bdi> becomes <bdi>Archive/Old page</bdi>.</p>');
    expect(looked.text).toMatch(/links to it are rewritten<\/h3>\s*<ul><li><a href="\/main\/Linking">/);
    expect(looked.text).toContain('Page.png</a> becomes Archive/Page.png');
    expect(wikiHead()).toBe(before);
    const unseen = await send('/main/Page?view=move', { new_path: 'Archive/Old page', do: 'move' });
    expect([unseen.status, unseen.text.includes('What changes')]).toEqual([200, true]);
    expect(wikiHead()).toBe(before);
    const fields = {
      ...fieldsIn(looked.text),
      new_path: 'Archive/Old page',
      message: 'Put it away',
      do: 'move',
    };
    const moved = await post(site, { ...looked.form, fields });
    expect(moved.location).toBe('/main/Archive/Old%20page');
    expect(await content('Linking')).toContain('[[Old page]]');
    expect(log('-1', '--format=%an: %s')).toBe('Grace: Put it away');
    expect((await get('/main/Page')).text).toContain('href="/main/Archive/Old%20page"');
    expect((await run('get_history', { path: 'Archive/Old page' })).entries).toHaveLength(2);
  });

  test('not onto another page, to a name that cannot be, or after it changed', async () => {
    const { site, run, send, content } = await withLinks();
    for (const [new_path, status, says] of [
      ['Linking', 409, 'exists already'],
      ['a/../b', 400, 'cannot be a page path'],
      ['', 400, 'too long, or empty'],
    ] as const) {
      const refused = await send('/main/Page?view=move', { new_path, seen: new_path, do: 'move' });
      expect([refused.status, refused.text.includes(says)], new_path).toEqual([status, true]);
    }
    const form = await openForm(site, '/main/Page?view=move');
    await run('append_to_page', { path: 'Page', content: 'new' });
    expect(
      (await post(site, { ...form, fields: { ...form.fields, new_path: 'X', seen: 'X', do: 'move' } }))
        .status,
    ).toBe(409);
    expect(await content('Page')).toContain('new');
  });

  async function withLinks() {
    const opened = await open();
    await opened.run('put_attachment', { path: 'Page.png', content: Buffer.from('x').toString('base64') });
    await opened.run('write_page', { path: 'Page', content: '![[Page.png]]\n' });
    await opened.run('write_page', { path: 'Linking', content: 'See [[Page]].\n' });
    return { ...opened, wikiHead: () => opened.log('-1', '--format=%H') };
  }
});

describe('a file is stored', () => {
  const ADDRESS = '/_/main/upload?folder=Guides/';

  async function upload(
    opened: Awaited<ReturnType<typeof open>>,
    file: File,
    fields: Record<string, string> = {},
  ) {
    const form = await openForm(opened.site, ADDRESS);
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...form.fields, folder: 'Guides/', ...fields }))
      body.set(name, value);
    body.set('file', file);
    const send = () => post(opened.site, { ...form, address: '/_/main/upload' }, { body });
    return { send, ...(await send()) };
  }

  test('with every byte, under its own name, once', async () => {
    const opened = await open();
    const bytes = Uint8Array.from({ length: 3_000 }, (_, at) => (at * 7) % 256);
    const { send, status, location } = await upload(opened, new File([bytes], 'Плаn 1.png'), {
      message: 'Show it',
    });
    expect(status).toBe(303);
    const done = await opened.get(location ?? '');
    expect(done.text).toContain('write <code>![[Плаn 1.png]]</code>');
    const stored = gitBytes(join(opened.directory, 'main.git'), ['show', 'HEAD:Guides/Плаn 1.png']);
    expect(Buffer.compare(stored, bytes)).toBe(0);
    expect(opened.log('-1', '--format=%an: %s')).toBe('Grace: Show it');
    const head = opened.log('-1', '--format=%H');
    expect((await send()).location).toBe(location);
    expect(opened.log('-1', '--format=%H')).toBe(head);
  });

  test('in place of another one only if the person wants that, and once', async () => {
    const opened = await open();
    await upload(opened, new File(['old'], 'a.txt'));
    const kept = await upload(opened, new File(['new'], 'a.txt'));
    expect([kept.status, kept.text.includes('exists already')]).toEqual([409, true]);
    const replaced = await upload(opened, new File(['new'], 'a.txt'), { replace: 'true' });
    expect(replaced.status).toBe(303);
    const head = opened.log('-1', '--format=%H');
    expect((await replaced.send()).status).toBe(303);
    expect(opened.log('-1', '--format=%H')).toBe(head);
    expect((await opened.get('/_/main/files/Guides/a.txt')).text).toBe('new');
  });

  test('but not without a file, outside of the folders, or in the place of a page', async () => {
    const opened = await open();
    const head = opened.log('-1', '--format=%H');
    expect((await upload(opened, new File([], ''))).text).toContain('Choose a file.');
    for (const [name, folder] of [
      ['a.png', '../../etc'],
      ['../a.png', ''],
      ['config', '.git/'],
      ['Home.md', ''],
    ] as const) {
      const { status } = await upload(opened, new File(['x'], name), { folder, replace: 'true' });
      expect(status, `${folder} ${name}`).toBe(400);
    }
    expect(opened.log('-1', '--format=%H')).toBe(head);
  });

  test('of 50 MB, and not one that is larger', async () => {
    const opened = await open();
    const most = new Uint8Array(50_000_000);
    expect((await upload(opened, new File([most], 'most.bin'))).status).toBe(303);
    expect((await upload(opened, new File([most, 'x'], 'more.bin'))).status).toBe(413);
    expect((await upload(opened, new File([most, most], 'much.bin'))).status).toBe(413);
    expect((await opened.run('list_attachments', {})).attachments.map(({ path }) => path)).toEqual([
      'Guides/most.bin',
    ]);
  });
});

test('within a write scope there are no such forms elsewhere, and the wiki refuses what is posted', async () => {
  const { site, run, get, send, log } = await open({ scope: { read: [''], write: ['Open/'] } });
  const { commit } = await run('write_page', { path: 'Closed', content: 'as it was\n' });
  await run('append_to_page', { path: 'Closed', content: 'more' });
  await run('write_page', { path: 'Open/Page', content: 'x\n' });
  const head = log('-1', '--format=%H');
  const forms = [
    '/main/Closed?view=move',
    '/main/Closed?view=delete',
    `/main/Closed?view=restore&at=${commit}`,
  ];
  for (const address of [...forms, '/_/main/upload', '/_/main/upload?folder=Other/']) {
    expect((await get(address)).status, address).toBe(403);
  }
  for (const address of [
    '/main/Closed',
    '/main/Closed?view=history',
    `/main/Closed?at=${commit}`,
    '/main/',
  ]) {
    expect((await get(address)).text, address).not.toMatch(/view=(?:edit|move|delete|restore)|\/upload/);
  }
  const form = await openForm(site, '/main/Open/Page?view=move');
  const version = await versionOf(run, 'Closed');
  const fields = { ...form.fields, version, new_path: 'Open/Closed', seen: 'Open/Closed', do: 'move' };
  for (const address of forms)
    expect((await post(site, { ...form, address, fields })).status, address).toBe(403);
  expect((await send('/main/Open/Page?view=move', { new_path: 'Page', do: 'look' })).status).toBe(403);
  const file = new FormData();
  for (const [name, value] of Object.entries(form.fields)) file.set(name, value);
  file.set('file', new File(['x'], 'x.png'));
  expect((await post(site, { ...form, address: '/_/main/upload' }, { body: file })).status).toBe(403);
  expect(log('-1', '--format=%H')).toBe(head);
});
