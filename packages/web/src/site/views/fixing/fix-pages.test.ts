import { expect, test } from 'vitest';
import { fieldsIn, openForm, post } from '../../../../test/posting.ts';
import { openWritable } from '../../../../test/writable-site.ts';

const WORDS = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ');
const ORPHAN = '/_/main/fix?path=Oven&kind=orphan';
const COPY = '/_/main/fix?path=Copy&kind=near_copy&copy=in%2FOne';

async function withProblems(options: Parameters<typeof openWritable>[0] = {}) {
  const opened = await openWritable(options);
  const { run } = opened;
  const pages = {
    Oven: '# Gas & steam\n\nhot\n',
    Plan: 'A line.\n\nBuy an oven & a "pan".\n',
    List: '[[Plan]] [[List]] [[in/One]] [[Copy|it]]\n',
    'in/One': `${WORDS}\n`,
    Copy: `${WORDS} more\n`,
  };
  for (const [path, content] of Object.entries(pages)) await run('write_page', { path, content });
  return opened;
}

function chosenIn(html: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)" checked`).exec(html)?.[1] ?? '';
  return value.replaceAll('&amp;', '&');
}

test('an orphan page is linked from a line that mentions it, after a look at the change', async () => {
  const { site, get, run, content } = await withProblems();
  expect((await get('/_/main/problems?kind=orphan')).text).toContain(
    `href="${ORPHAN.replaceAll('&', '&amp;')}"`,
  );
  const { text } = await get(ORPHAN);
  expect(text).toContain(
    '<bdi>Plan</bdi>, line 3: <bdi>Buy an <mark>oven</mark> &amp; a &quot;pan&quot;.</bdi>',
  );
  expect(text).toContain('href="/main/Oven?view=delete"');
  expect(text).not.toContain('Fix it</button>');
  const form = await openForm(site, ORPHAN);
  const before = await content('Plan');
  form.fields = { ...form.fields, mention: chosenIn(text, 'mention'), do: 'fix' };
  const seen = await post(site, form);
  expect([seen.status, await content('Plan')]).toEqual([200, before]);
  expect(seen.text).toMatch(/<ins>Buy an <b>\[\[Oven\|<\/b>oven<b>\]\]<\/b>/);
  const again = { ...form, fields: { ...form.fields, ...fieldsIn(seen.text) } };
  for (let time = 0; time < 2; time += 1) {
    const done = await post(site, again);
    expect([done.status, done.location]).toEqual([303, '/main/Plan']);
  }
  expect(await content('Plan')).toBe('A line.\n\nBuy an [[Oven|oven]] & a "pan".\n');
  const { entries } = await run('get_history', { path: 'Plan' });
  expect(entries.map(({ message }) => message)).toEqual(['Add a link of Plan', 'Create Plan']);
  expect((await get(ORPHAN)).text).toContain('does not have this problem any more');
});

test('a page that changed meanwhile is a conflict, and an orphan that nothing mentions can be deleted', async () => {
  const { site, get, run, content } = await withProblems();
  const form = await openForm(site, ORPHAN);
  const mention = chosenIn((await get(ORPHAN)).text, 'mention');
  form.fields = { ...form.fields, mention, seen: mention, do: 'fix' };
  const { version } = await run('write_page', {
    path: 'Plan',
    content: 'Nothing.\n',
    version: (await run('read_page', { path: 'Plan' })).version,
  });
  const refused = await post(site, form);
  expect([refused.status, await content('Plan')]).toEqual([409, 'Nothing.\n']);
  expect(refused.text).toContain('role="alert"');
  expect(refused.text).toContain('No line that can be changed mentions it');
  expect(refused.text).toContain('href="/main/Oven?view=delete"');
  expect(version).not.toBeNull();
  const broken = await post(site, { ...form, fields: { ...form.fields, mention: 'x', seen: 'x' } });
  expect(broken.status).toBe(400);
});

test('one of two near-copies is kept, and links to the other one lead to it', async () => {
  const { site, get, run, content } = await withProblems();
  const { text: problems } = await get('/_/main/problems?kind=near_copy');
  expect(problems).toContain(`<a href="${COPY.replaceAll('&', '&amp;')}">Compare with in/One</a>`);
  const { text } = await get(COPY);
  expect(text).toContain('name="kept" value="in/One" checked');
  expect(text).toContain('<li><a href="/main/List">List</a></li>');
  expect(text).toMatch(/<del>[\s\S]*more/);
  expect(text).toContain('Delete <bdi>Copy</bdi></button>');
  const form = await openForm(site, COPY);
  form.fields = { ...form.fields, kept: 'Copy', do: 'fix' };
  const other = await post(site, form);
  expect([other.status, await content('Copy'), await content('in/One')]).toEqual([
    200,
    `${WORDS} more\n`,
    `${WORDS}\n`,
  ]);
  expect(other.text).toContain('Delete <bdi>in/One</bdi></button>');
  form.fields = { ...form.fields, kept: 'in/One' };
  for (let time = 0; time < 2; time += 1) {
    const done = await post(site, form);
    expect([done.status, done.location]).toEqual([303, '/main/in/One']);
  }
  expect(await content('List')).toBe('[[Plan]] [[List]] [[in/One]] [[One|it]]\n');
  const { findings } = await run('check_wiki', { kinds: ['near_copy', 'broken_link'] });
  expect(findings).toEqual([]);
  const { entries } = await run('get_history', {});
  expect(entries.slice(0, 2).map(({ message }) => message)).toEqual(['Delete Copy', 'Create Copy']);
  expect((await get(COPY)).text).toContain('does not have this problem any more');
});

test('neither near-copy goes if one of them changed since it was shown', async () => {
  const { site, run, content } = await withProblems();
  const form = await openForm(site, COPY);
  form.fields = { ...form.fields, kept: 'in/One', do: 'fix' };
  await run('append_to_page', { path: 'in/One', content: 'another end' });
  const refused = await post(site, form);
  expect([refused.status, await content('Copy')]).toEqual([409, `${WORDS} more\n`]);
  expect(refused.text).not.toContain('Delete <bdi>');
  const { version } = await run('read_page', { path: 'in/One' });
  expect(refused.text).toContain(`name="copy_version" value="${version}"`);
});

test('nothing outside of what may be changed is offered', async () => {
  const { get } = await withProblems({ scope: { read: [''], write: ['in/'] } });
  expect((await get('/_/main/problems?kind=orphan')).text).not.toContain('/fix?');
  expect((await get(ORPHAN)).status).toBe(403);
  const { text } = await get(COPY);
  expect(text).not.toContain('value="in/One"');
  expect(text).toContain('name="kept" value="Copy" checked');
});
