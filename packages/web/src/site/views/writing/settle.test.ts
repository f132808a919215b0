import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Pusher } from '../../../../../wiki/test/pusher.ts';
import { openForm, post } from '../../../../test/posting.ts';
import { openWritable } from '../../../../test/writable-site.ts';

const lines = (first: string, last: string) => `${first}\n${'same\n'.repeat(5)}${last}\n`;

/** A site of a wiki that merged a commit with another version of three pages. */
async function inConflict() {
  const opened = await openWritable();
  const { run, directory, site } = opened;
  const pages = { Both: lines('one', 'two'), Kept: 'x\n', Gone: 'x\n' };
  const versions = new Map<string, string>();
  for (const [path, content] of Object.entries(pages)) {
    versions.set(path, (await run('write_page', { path, content })).version ?? '');
  }
  const other = Pusher.cloneOf(join(directory, 'main.git'));
  const from = other.head;
  other.commit({ 'Both.md': lines('theirs <b>', 'their end'), 'Gone.md': 'theirs\n' });
  other.feed(
    `commit refs/heads/main\ncommitter A <a@b> 1700000200 +0000\ndata 1\nm\nfrom ${other.head}\nD Kept.md\n`,
  );
  await run('write_page', { path: 'Both', content: lines('ours', 'two'), version: versions.get('Both') });
  await run('write_page', { path: 'Kept', content: 'ours\n', version: versions.get('Kept') });
  await run('delete_page', { path: 'Gone', version: versions.get('Gone') ?? '' });
  const content = other.pack(from, other.head).toString('base64');
  await run('merge_commits', { commit: other.head, source: 'branch main of example.org/x', content });
  return {
    ...opened,
    theirs: other.head,
    formOf: (path: string) => openForm(site, `/main/${path}?view=conflict`),
    open: async () => (await run('check_wiki', { kinds: ['conflict'] })).findings.map(({ path }) => path),
  };
}

test('the list of problems and the page lead to the form, which shows both versions and their merge', async () => {
  const { get, formOf, theirs } = await inConflict();
  const { text: problems } = await get('/_/main/problems?kind=conflict');
  for (const path of ['Both', 'Gone', 'Kept'])
    expect(problems).toContain(`href="/main/${path}?view=conflict"`);
  const { text: page } = await get('/main/Both');
  expect(page).toMatch(
    /class="notice">A sync brought another version[^<]*<a href="\/main\/Both\?view=conflict"/,
  );
  const { status, text } = await get('/main/Both?view=conflict');
  expect(status).toBe(200);
  expect(text).toContain(`href="/main/Both?at=${theirs}"`);
  expect(text).toMatch(/<del>[\s\S]*ours[\s\S]*<ins>[\s\S]*theirs &lt;b&gt;/);
  expect(text).toContain('&lt;&lt;&lt;&lt;&lt;&lt;&lt; yours\nours\n=======\ntheirs &lt;b&gt;\n');
  expect((await formOf('Both')).fields.theirs).toBe(theirs);
});

test('a person keeps the version here, takes the other one, or deletes the page', async () => {
  const { site, formOf, open, content, get } = await inConflict();
  const send = async (path: string, action: string) => {
    const form = await formOf(path);
    return post(site, { ...form, fields: { ...form.fields, do: action } });
  };
  expect((await send('Both', 'keep')).location).toBe('/main/Both');
  expect(await content('Both')).toBe(lines('ours', 'two'));
  expect(await open()).toEqual(['Gone', 'Kept']);
  expect((await get('/main/Both')).text).not.toContain('A sync brought');
  const { text } = await get('/main/Both?view=conflict');
  expect(text).toContain('This page has no conflict any more');
  expect(text).not.toContain('<textarea');
  expect((await send('Gone', 'take')).location).toBe('/main/Gone');
  expect(await content('Gone')).toBe('theirs\n');
  expect((await send('Kept', 'delete')).location).toBe('/main/Kept?view=history');
  expect(await open()).toEqual([]);
});

test('a person takes the other version of a page, unless it changed since the form was opened', async () => {
  const { site, formOf, open, content, run } = await inConflict();
  const form = await formOf('Both');
  const fields = { ...form.fields, do: 'take' };
  await run('edit_page', { path: 'Both', edits: [{ old_string: 'two', new_string: 'later' }] });
  const late = await post(site, { ...form, fields });
  expect(late.status).toBe(409);
  expect(await content('Both')).toBe(lines('ours', 'later'));
  expect(await open()).toEqual(['Gone', 'Kept']);
  const other = await inConflict();
  const fresh = await other.formOf('Both');
  await post(other.site, { ...fresh, fields: { ...fresh.fields, do: 'take' } });
  expect(await other.content('Both')).toBe(lines('theirs <b>', 'their end'));
});

test('a person edits the merge, which is not saved with the marks in it', async () => {
  const { site, get, formOf, open, content } = await inConflict();
  const { cookie } = await formOf('Both');
  const { text } = await get('/main/Both?view=conflict', { cookie });
  const [editing = ''] = /<form[^>]*enctype[\s\S]*?<\/form>/.exec(text) ?? [];
  const fields: Record<string, string> = { do: 'save' };
  for (const [, name = '', value = ''] of editing.matchAll(
    /<input type="hidden" name="(\w+)" value="([^"]*)">/g,
  ))
    fields[name] = value;
  expect(fields.marked).toBe('true');
  const form = { host: '127.0.0.1:7327', address: '/main/Both?view=edit', cookie };
  const merged = lines('<<<<<<< yours\nours\n=======\ntheirs <b>\n>>>>>>> theirs', 'their end');
  expect((await post(site, { ...form, fields: { ...fields, content: merged } })).status).toBe(409);
  const both = lines('ours and theirs', 'their end');
  expect((await post(site, { ...form, fields: { ...fields, content: both } })).location).toBe('/main/Both');
  expect(await content('Both')).toBe(both);
  expect(await open()).toEqual(['Gone', 'Kept']);
});
