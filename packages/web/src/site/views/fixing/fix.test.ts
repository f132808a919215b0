import { expect, test } from 'vitest';
import { openForm, post } from '../../../../test/posting.ts';
import { openWritable } from '../../../../test/writable-site.ts';

async function withProblems() {
  const opened = await openWritable();
  const { run, site } = opened;
  for (const path of ['A/Twin', 'B/Twin', 'Oven & b']) await run('write_page', { path, content: 'x\n' });
  await run('write_page', { path: 'Plan', content: '# Plan\n\n[[Oven & c|it]] and [[Twin]]\n' });
  const formOf = async (address: string, fields: Record<string, string>) => {
    const form = await openForm(site, address);
    form.fields = { ...form.fields, ...fields };
    return form;
  };
  return { ...opened, formOf };
}

const BROKEN = '/_/main/fix?path=Plan&kind=broken_link&line=3&target=Oven+%26+c';
const AMBIGUOUS = '/_/main/fix?path=Plan&kind=ambiguous_link&line=3&target=Twin';

test('a broken link leads to a likely page after a look at the change', async () => {
  const { site, get, content, formOf } = await withProblems();
  expect((await get('/_/main/problems')).text).toContain(`href="${BROKEN.replaceAll('&', '&amp;')}"`);
  const { text } = await get(BROKEN);
  expect(text).toContain('name="to" value="Oven &amp; b" checked');
  expect(text).toContain('href="/main/Oven%20%26%20c?view=edit"');
  expect(text).not.toContain('Fix it</button>');
  const form = await formOf(BROKEN, { to: 'Oven & b', do: 'look' });
  const seen = await post(site, form);
  expect([seen.status, await content('Plan')]).toEqual([200, '# Plan\n\n[[Oven & c|it]] and [[Twin]]\n']);
  expect(seen.text).toMatch(/<ins>[\s\S]*Oven/);
  const done = await post(site, { ...form, fields: { ...form.fields, do: 'fix', seen: 'Oven & b' } });
  expect([done.status, done.location]).toEqual([303, '/main/Plan']);
  expect(await content('Plan')).toBe('# Plan\n\n[[Oven & b|it]] and [[Twin]]\n');
  expect((await get(BROKEN)).text).toContain('does not have this problem any more');
});

test('a broken link becomes plain text, and the same form sent again changes nothing again', async () => {
  const { site, run, content, formOf } = await withProblems();
  const form = await formOf(BROKEN, { to: '/', seen: '/', do: 'fix' });
  for (let time = 0; time < 2; time += 1) expect((await post(site, form)).status).toBe(303);
  expect(await content('Plan')).toBe('# Plan\n\nit and [[Twin]]\n');
  const { entries } = await run('get_history', { path: 'Plan' });
  expect(entries.map(({ message }) => message)).toEqual(['Fix a link of Plan', 'Create Plan']);
});

test('an ambiguous link is written so that it means the chosen page alone', async () => {
  const { site, get, run, content, formOf } = await withProblems();
  const { text } = await get(AMBIGUOUS);
  expect(text).toMatch(/value="A\/Twin" checked> <bdi>A\/Twin<\/bdi>, as now/);
  expect(text).toContain('name="to" value="B/Twin">');
  const form = await formOf(AMBIGUOUS, { to: 'B/Twin', seen: 'B/Twin', do: 'fix' });
  expect((await post(site, form)).status).toBe(303);
  expect(await content('Plan')).toContain('[[B/Twin]]');
  expect((await run('check_wiki', { kinds: ['ambiguous_link'] })).findings).toEqual([]);
});

test('nothing is fixed that was not shown: another choice is shown first', async () => {
  const { site, content, formOf } = await withProblems();
  const before = await content('Plan');
  const form = await formOf(AMBIGUOUS, { to: 'B/Twin', seen: 'A/Twin', do: 'fix' });
  const looked = await post(site, form);
  expect([looked.status, await content('Plan')]).toEqual([200, before]);
  expect(looked.text).toContain('<h2 id="ui.plan">What changes</h2>');
});

test('the form finds its link however many others of the kind come before it', async () => {
  const { run, get } = await withProblems();
  const others = Array.from({ length: 250 }, (_, at) => `[[None ${at}]]\n`).join('');
  await run('write_page', { path: 'Many', content: `${others}[[Oven & c]]\n` });
  const { text } = await get('/_/main/fix?path=Many&kind=broken_link&line=251&target=Oven+%26+c');
  expect(text).toContain('name="to" value="Oven &amp; b" checked');
});

test('a page that changed meanwhile is a conflict, and the form is for the page as it is now', async () => {
  const { site, run, content, formOf } = await withProblems();
  const form = await formOf(BROKEN, { to: 'Oven & b', seen: 'Oven & b', do: 'fix' });
  await run('append_to_page', { path: 'Plan', content: 'more' });
  const before = await content('Plan');
  const refused = await post(site, form);
  expect([refused.status, await content('Plan')]).toEqual([409, before]);
  expect(refused.text).toContain('role="alert"');
  expect(refused.text).not.toContain('Fix it</button>');
  const { version } = await run('read_page', { path: 'Plan' });
  expect(refused.text).toContain(`name="version" value="${version}"`);
});

test('a page that is missing, and an address without a link, are said', async () => {
  const { site, get, formOf } = await withProblems();
  const form = await formOf(BROKEN, { to: '/', other: 'No such page', do: 'look' });
  const refused = await post(site, form);
  expect([refused.status, refused.text.includes('role="alert"')]).toEqual([404, true]);
  expect(refused.text).toContain('name="other" value="No such page"');
  for (const address of ['/_/main/fix', `${BROKEN}&line=0`.replace('line=3&', ''), '/_/main/fix?path=Plan'])
    expect((await get(address)).status).toBe(404);
});

test('nothing of it is there for those who only read', async () => {
  const { run, get } = await openWritable({ author: null });
  await run('write_page', { path: 'Plan', content: '# Plan\n\n[[Oven & c|it]]\n' });
  expect((await get('/_/main/problems')).text).not.toContain('/fix?');
  expect((await get(BROKEN)).status).toBe(403);
});
