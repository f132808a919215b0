import { expect, test } from 'vitest';
import { openSite } from '../../../test/open-site.ts';

test('an image from elsewhere loads only after a click, and the policy allows that image alone', async () => {
  const { run, get } = await openSite();
  const cat = 'https://h.example/a;b/cat.png?x=1&y="';
  await run('write_page', {
    path: 'Images',
    content: `![cat](<${cat}>) ![](http://h.example/dog.png) ![all](https://h.example/dir/) <img src="https://u:p@h.example/x.png">\n`,
  });
  const images = (policy: string | null) => policy?.match(/img-src ([^;]*)/)?.[1];
  const before = await get('/main/Images');
  expect(before.text).not.toMatch(/<img/);
  expect(images(before.headers.get('content-security-policy'))).toBe("'self' data:");
  const links = [...before.text.matchAll(/<a class="image-foreign" href="([^"]*)">([^<]*)</g)];
  expect(links.map(([, , text]) => text)).toEqual([
    'Show the image “cat” from h.example',
    'Show the image “dog.png” from h.example',
  ]);

  const tag = before.headers.get('etag') ?? '';
  const [query = '', fragment] = links[0]?.[1]?.replaceAll('&amp;', '&').split('#') ?? [];
  const shown = await get(`/main/Images${query}`, { 'if-none-match': tag });
  expect(shown.status).toBe(200);
  expect(shown.text.match(/<img[^>]*>/g)).toEqual([
    `<img class="image-loaded" id="${fragment}" src="https://h.example/a;b/cat.png?x=1&amp;y=%22" alt="cat">`,
  ]);
  const policy = shown.headers.get('content-security-policy');
  expect(images(policy)).toBe("'self' data: https://h.example/a%3Bb/cat.png");
  expect(policy?.match(/h\.example/g)).toHaveLength(1);
  const second = /<a class="image-foreign" href="([^"]*)"/.exec(shown.text)?.[1]?.replaceAll('&amp;', '&');
  const [both = '', place] = second?.split('#') ?? [];
  const { text } = await get(`/main/Images${both}`);
  expect(text.match(/<img/g)).toHaveLength(2);
  expect(text).toContain(`<img class="image-loaded" id="${place}" src="http://h.example/dog.png"`);

  const odd = "https://h.example/a'b*c,d;e.png";
  await run('write_page', { path: 'Odd', content: `![](<${odd}>)\n` });
  const { headers: policies } = await get(`/main/Odd?image=${encodeURIComponent(odd)}`);
  expect(images(policies.get('content-security-policy'))).toBe(
    "'self' data: https://h.example/a%27b%2Ac%2Cd%3Be.png",
  );

  for (const other of ['https://h.example/other.png', 'https://h.example/dir/', "x'; script-src *", '*']) {
    const { text, headers } = await get(`/main/Images?image=${encodeURIComponent(other)}`);
    expect(text, other).not.toMatch(/<img/);
    expect(images(headers.get('content-security-policy')), other).toBe("'self' data:");
  }
});
