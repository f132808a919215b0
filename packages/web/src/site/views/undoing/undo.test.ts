import { expect, test } from 'vitest';
import { openForm, post } from '../../../../test/posting.ts';
import { openWritable } from '../../../../test/writable-site.ts';

const TEXT = 'one\n\ntwo\n\nthree\n';

async function withBatch() {
  const opened = await openWritable();
  const { run, wiki } = opened;
  await run('write_page', { path: 'A', content: TEXT });
  const start = await run('write_page', { path: 'B', content: TEXT });
  const batch = await run('commit_changes', {
    message: 'A <batch>',
    changes: ['A', 'B', 'C'].map((path) => ({ op: 'append', path, content: 'robot' })),
  });
  const bob = { author: { name: 'Bob', email: 'bob@example.org' }, agent: null };
  const edit = (path: string, old_string: string, new_string: string) =>
    wiki.edit_page(
      { path, edits: [{ old_string, new_string, replace_all: false }], dry_run: false },
      { caller: bob },
    );
  const content = (path: string) => opened.content(path).catch(() => null);
  return { ...opened, content, start: start.commit ?? '', batch: batch.commit ?? '', edit };
}

test('a change is undone after a look, once, and what others changed stays', async () => {
  const { site, run, get, content, batch, edit } = await withBatch();
  await edit('A', 'one', 'Bob');
  for (const address of [`/_/main/commits/${batch}`, '/_/main/changes', '/main/A?view=history']) {
    expect((await get(address)).text).toContain(`href="/_/main/undo?commit=${batch}"`);
  }
  const address = `/_/main/undo?commit=${batch}`;
  const { text } = await get(address);
  expect(text).toContain('A &lt;batch&gt;');
  expect(text).toContain('What others changed here since stays.');
  expect(text).toMatch(/<del>(<b>)?robot/);
  const { text: before } = await get('/_/main/changes');
  const form = await openForm(site, address);
  form.fields.do = 'undo';
  const done = await post(site, form);
  expect([done.status, await content('A')]).toEqual([303, TEXT.replace('one', 'Bob')]);
  expect([await content('B'), await content('C')]).toEqual([TEXT, null]);
  expect((await post(site, form)).location).toBe(done.location);
  const { entries } = await run('get_history', {});
  expect(entries.slice(0, 2).map(({ message }) => message.split('\n')[0])).toEqual([
    'Revert "A <batch>"',
    'Edit A',
  ]);
  expect(before).not.toContain('Revert');
  expect((await get(address)).text).toContain('All of it is undone already.');
});

test('what stands in the way is shown with both sides, and stays unless a person says otherwise', async () => {
  const { site, get, content, batch, edit } = await withBatch();
  await edit('B', 'robot', 'Bob <b>');
  const address = `/_/main/undo?commit=${batch}`;
  const { text } = await get(address);
  expect(text).toContain('Others changed the same lines since.');
  expect(text).toMatch(/What others changed since<\/h3>[\s\S]*<ins>[\s\S]*Bob[\s\S]*&lt;b&gt;/);
  expect(text).toMatch(/name="leave" value="B" checked/);
  expect(text).toMatch(/name="leave" value="A">/);
  const form = await openForm(site, address);
  form.fields.do = 'undo';
  const refused = await post(site, form);
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('others changed &quot;B&quot; (by &quot;Bob &lt;bob@example.org&gt;&quot;');
  form.fields.leave = 'B';
  expect((await post(site, form)).status).toBe(303);
  expect([await content('A'), await content('B')]).toEqual([TEXT, `${TEXT}Bob <b>\n`]);
});

test('a page that changes between the look and the undo is shown again', async () => {
  const { site, content, batch, edit } = await withBatch();
  const form = await openForm(site, `/_/main/undo?commit=${batch}`);
  form.fields.do = 'undo';
  await edit('A', 'one', 'Bob');
  const refused = await post(site, form);
  expect([refused.status, await content('B')]).toEqual([409, `${TEXT}robot\n`]);
  expect(refused.text).toContain('What others changed here since stays.');
});

test('all that an agent did since a change or a day is undone at once', async () => {
  const { site, run, get, content, start } = await withBatch();
  await run('write_page', { path: 'D', content: 'more\n' });
  const chosen = await get('/_/main/undo?agent=claude&since=yesterday');
  expect(chosen.text).toContain('These 4 changes will be undone');
  const form = await openForm(site, `/_/main/undo?agent=claude&since=${start}`);
  form.fields.do = 'undo';
  expect((await post(site, form)).status).toBe(303);
  expect([await content('B'), await content('C'), await content('D')]).toEqual([TEXT, null, null]);
  const [newest] = (await run('get_history', {})).entries;
  expect(newest?.message).toMatch(/^Undo 2 commits through claude after commit [0-9a-f]{12}\n/);
});

test('a moment that nobody understands, and a person who is missing, are said in the form', async () => {
  const { get } = await withBatch();
  const strange = await get('/_/main/undo?agent=claude&since=%3Cb%3E');
  expect([strange.status, strange.text.includes('This moment is not understood.')]).toEqual([400, true]);
  expect((await get('/_/main/undo?since=yesterday')).status).toBe(400);
  expect((await get('/_/main/undo')).status).toBe(200);
});

test('nothing of it is there for those who only read', async () => {
  const { run, get } = await openWritable({ author: null });
  const { commit } = await run('write_page', { path: 'A', content: TEXT });
  for (const address of [`/_/main/commits/${commit}`, '/_/main/changes', '/main/A?view=history']) {
    expect((await get(address)).text).not.toContain('undo');
  }
  expect((await get(`/_/main/undo?commit=${commit}`)).status).toBe(403);
});

test('what lies outside of the folders that may be changed stays, and the form says so', async () => {
  const opened = await openWritable({ scope: { read: [''], write: ['Notes/'] } });
  const { site, run, get, content } = opened;
  const batch = await run('commit_changes', {
    message: 'Both',
    changes: ['Notes/A', 'B'].map((path) => ({ op: 'write', path, content: TEXT })),
  });
  const edits = await run('commit_changes', {
    message: 'Both again',
    changes: ['Notes/A', 'B'].map((path) => ({ op: 'append', path, content: 'robot' })),
  });
  const { text } = await get(`/_/main/undo?commit=${batch.commit}`);
  expect(text).toContain('Files that you cannot change from here were changed too.');
  expect(text).toContain('Others changed, moved or deleted the page since.');
  const form = await openForm(site, `/_/main/undo?commit=${edits.commit}`);
  form.fields.do = 'undo';
  expect((await post(site, form)).status).toBe(303);
  expect([await content('Notes/A'), await content('B')]).toEqual([TEXT, `${TEXT}robot\n`]);
  expect((await get(`/_/main/undo?commit=${batch.commit}`)).text).toContain('It may have come from a place');
});
