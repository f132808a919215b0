import { expect, test } from 'vitest';
import { openSite } from '../../../../test/open-site.ts';

test('each paragraph has its author, agent, date and reason beside it', async () => {
  const { run, get } = await openSite();
  const content = '# Tea\n\nFirst <b>words</b>.\n\nMore words.\n';
  const first = await run('write_page', { path: 'Tea', content, message: 'Begin' });
  const edits = [{ old_string: 'More', new_string: 'Many more' }];
  const message = 'Say more\n\nIt was <i>short</i>.';
  const { commit } = await run('edit_page', { path: 'Tea', edits, message });

  const { status, text } = await get('/main/Tea?view=blame');

  expect(status).toBe(200);
  expect(text).toMatch(
    /Begin[\s\S]*<pre># Tea<\/pre><pre>First &lt;b&gt;words&lt;\/b&gt;\.<\/pre>[\s\S]*Say more[\s\S]*It was &lt;i&gt;short&lt;\/i&gt;\.[\s\S]*<pre>Many more words\.<\/pre>/,
  );
  expect(text).toContain('through claude-code/2.1');
  expect(text).toContain(`href="/main/Tea?view=diff&amp;to=${commit}"`);
  const past = await get(`/main/Tea?view=blame&at=${first.commit}`);
  expect(past.text).toContain('<pre>More words.</pre>');
  expect(past.text).not.toContain('Say more');
  expect((await get('/main/Tea?view=blame&line=x')).status).toBe(400);
  expect((await get('/main/Never?view=blame')).status).toBe(404);
  expect((await get('/main/Tea')).text).toContain('href="/main/Tea?view=blame"');
});

test('a long page comes in parts', async () => {
  const { run, get } = await openSite();
  const content = Array.from({ length: 400 }, (_, at) => `Paragraph ${at}.\n\n`).join('');
  const { commit } = await run('write_page', { path: 'Long', content });
  const { text } = await get('/main/Long?view=blame');
  const [, next = ''] = /rel="next" href="([^"]+)"/.exec(text) ?? [];
  expect(next).toContain(`at=${commit}`);
  const rest = await get(next.replaceAll('&amp;', '&'));
  expect(text).not.toContain('Paragraph 399.');
  expect(rest.text).toContain('Paragraph 399.');
  expect(rest.text).not.toContain('Paragraph 0.');
});
