import { expect, test } from 'vitest';
import { openSite } from '../../../test/open-site.ts';

test('links of the frontmatter lead where get_links says, at any depth, and addresses to the web', async () => {
  const { run, get } = await openSite();
  await run('write_page', { path: 'House/Kitchen', content: '# Kitchen\n\n## Oven\n' });
  await run('write_page', {
    path: 'Plan',
    content: `---
related: "[[Kitchen]]"
part: "[[House/Kitchen#Oven|the oven]]"
several: ["[[Kitchen]]", plain, 7, https://example.org/b]
deep: {rooms: [{room: "[[Kitchen]]", size: 12}], gone: "[[Nowhere]]"}
source: https://example.org/a?b=1&c=2
mail: mailto:ada@example.org
script: javascript:alert(1)
sentence: see https://example.org/ there
---
# Plan
`,
  });
  expect((await run('get_links', { path: 'Plan' })).links_to).toEqual(['House/Kitchen']);
  const { text } = await get('/main/Plan');
  const cell = (name: string) =>
    new RegExp(`<th scope="row">${name}</th><td>(.*?)</td>`)
      .exec(text)?.[1]
      ?.replaceAll(/ rel="[^"]*"|<\/?bdi>/g, '');
  const kitchen = '<a href="/main/House/Kitchen">Kitchen</a>';
  expect(cell('related')).toBe(kitchen);
  expect(cell('part')).toBe('<a href="/main/House/Kitchen#oven">the oven</a>');
  expect(cell('several')).toBe(
    `${kitchen}, plain, 7, <a class="link-foreign" href="https://example.org/b">https://example.org/b</a>`,
  );
  expect(cell('deep')).toBe(
    `<code>{&quot;rooms&quot;: [{&quot;room&quot;: ${kitchen}, &quot;size&quot;: 12}], &quot;gone&quot;: <a class="link-broken">Nowhere</a>}</code>`,
  );
  expect(cell('source')).toContain('href="https://example.org/a?b=1&amp;c=2"');
  expect(cell('mail')).toContain('href="mailto:ada@example.org"');
  expect(cell('script')).toBe('javascript:alert(1)');
  expect(cell('sentence')).toBe('see https://example.org/ there');
});
