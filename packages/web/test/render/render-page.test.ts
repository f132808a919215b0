import { readPageText } from '@pagetree/wiki/page-text';
import { describe, expect, test } from 'vitest';
import { renderPage } from '../../src/render/render-page.ts';
import { render } from './render.ts';

const html = async (markdown: string) => (await render(markdown)).html.trim();

describe('links', () => {
  test.each([
    ['[[Other]]', '<a href="/wiki/Other">Other</a>'],
    ['[[Other|the *text*]]', '<a href="/wiki/Other">the *text*</a>'],
    ['[[Other#A heading]]', '<a href="/wiki/Other#a-heading">Other > A heading</a>'],
    ['[[Other#^block]]', '<a href="/wiki/Other#^block">Other > ^block</a>'],
    ['[text *a*](<My page.md> "title")', '<a href="/wiki/My%20page.md" title="title">text <em>a</em></a>'],
    ['[text][ref]\n\n[ref]: other.md', '<a href="/wiki/other.md">text</a>'],
    ['[[Missing]]', '<a class="link-broken">Missing</a>'],
    ['[x](Missing)', '<a class="link-broken">x</a>'],
    ['[[#No such]]', '<a class="link-broken">No such</a>'],
    ['`[[Other]]` \\[[Other]]', '<code>[[Other]]</code> [[Other]]'],
    ['a [[Other]] $[[Other]]$', 'a <a href="/wiki/Other">Other</a> $<a href="/wiki/Other">Other</a>$'],
    ['<a href="Other.md#a-b" title="t">x *y*</a>', '<a href="/wiki/Other.md#a-b" title="t">x <em>y</em></a>'],
    ["<A class=x HREF='Other.md' onclick=alert(1)>x</A>", '<a href="/wiki/Other.md">x</a>'],
    ['<a href="Missing">x</a>', '<a class="link-broken">x</a>'],
    [
      'a <img src="a.png" alt="b" width="30" height=20> c',
      'a <img src="/wiki/a.png" loading="lazy" alt="b" width="30" height="20"> c',
    ],
    ['a <img src="Missing" alt="b">', 'a <span class="image-broken">Missing</span>'],
    ['a <video src="v.mp4" controls></video>', 'a <a href="/wiki/v.mp4">v.mp4</a>'],
    ['<b>[[Other]] [x](y.md)</b>', '<b><a href="/wiki/Other">Other</a> <a href="/wiki/y.md">x</a></b>'],
  ])('%s', async (markdown, expected) => {
    expect(await html(markdown)).toBe(`<p>${expected}</p>`);
  });

  test('in code that the last fence in HTML opens are none, for the wiki and the parser', async () => {
    const page = '<Tabs>\n```sh\na\n```\n</Tabs>\n\n<Tabs>\n```\na\n\n```\n\n[x](y.md)\n';
    expect((await render(page)).html).toContain('<pre><code>[x](y.md)\n</code></pre>');
    expect(readPageText(page).links).toEqual([]);
  });

  test('lead to headings of the same page by the ids that the headings have', async () => {
    const page =
      '# One\n\n## Part\n\n# Two\n\n## Part\n\n[[#Two#Part]] [b](#part) [c](#part-1) [[#^x]]\n\nBlock ^x\n';
    const { html, outline } = await render(page);
    expect(outline.map(({ depth, id }) => [depth, id])).toEqual([
      [1, 'one'],
      [2, 'part'],
      [1, 'two'],
      [2, 'part-1'],
    ]);
    for (const { id } of outline) expect(html).toContain(`id="${id}"`);
    expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      '#part-1',
      '#part',
      '#part-1',
      '#%5Ex',
    ]);
    expect(html).toContain('<p>Block<span id="^x"></span></p>');
  });

  test('with schemes other than web and mail lose their address', async () => {
    const page =
      '[a](javascript:alert(1)) [b](data:text/html,x) <vbscript:x> [c](//h.example/) [d](mailto:a@b.example)';
    expect(await html(page)).toBe(
      '<p><a>a</a> <a>b</a> <a>vbscript:x</a> ' +
        '<a href="https://h.example/" rel="nofollow noopener noreferrer" class="link-foreign">c</a> ' +
        '<a href="mailto:a@b.example" rel="nofollow noopener noreferrer" class="link-foreign">d</a></p>',
    );
  });

  test('lose their address if the caller gives one on another host', async () => {
    for (const href of ['//evil.example/', '/\\evil.example/', 'javascript:alert(1)', 'x.html']) {
      const { html } = await render('[[A]] ![[a.png]]', {
        links: ['[[A]]', '![[a.png]]'].map((written) => ({ written, href })),
      });
      expect(html).not.toMatch(/evil|javascript|x\.html/);
    }
  });
});

describe('images', () => {
  test('an image has its text and its size, in any order of what is given', async () => {
    const images = async (markdown: string) => (await html(markdown)).match(/<img[^>]*>/g);
    const image = (rest: string) => [`<img src="/wiki/i.png" loading="lazy" ${rest}>`];
    expect(await images('![[i.png|alt|40x20]]')).toEqual(image('alt="alt" width="40" height="20"'));
    expect(await images('![[i.png|two words|40]]')).toEqual(image('alt="two words" width="40"'));
    expect(await images('![[i.png|alt]]')).toEqual(image('alt="alt"'));
    expect(await images('![[i.png|40]]')).toEqual(image('alt="i.png" width="40"'));
    expect(await images('![[i.png]]')).toEqual(image('alt="i.png"'));
    expect(await images('| a |\n| - |\n| ![[i.png\\|alt\\|40x20]] |')).toEqual(
      image('alt="alt" width="40" height="20"'),
    );
    expect(await images('![alt|40x20](i.png)')).toEqual(image('alt="alt" width="40" height="20"'));
    expect(await images('![2025](i.png)')).toEqual(image('alt="2025"'));
  });

  test('of the wiki are shown in the given size', async () => {
    expect(await html('![[a/b.png|300x200]] ![alt](c.png "t") ![x](notes.pdf)')).toBe(
      '<p><img src="/wiki/a/b.png" loading="lazy" alt="a/b.png" width="300" height="200"> ' +
        '<img src="/wiki/c.png" loading="lazy" alt="alt" title="t"> <a href="/wiki/notes.pdf">x</a></p>',
    );
  });

  test('of the wiki reserve their room, in their own proportions if one length is given', async () => {
    const size = { width: 600, height: 400 };
    const sized = async (markdown: string) => {
      const links = readPageText(markdown).links.map(({ written }) => ({ written, href: '/i', size }));
      const { html } = await render(markdown, { links });
      return [/ width="(.*?)"/, / height="(.*?)"/].map((length) => length.exec(html)?.[1]);
    };
    expect(await sized('![[i.png]]')).toEqual(['600', '400']);
    expect(await sized('![a](i.png)')).toEqual(['600', '400']);
    expect(await sized('![[i.png|300]]')).toEqual(['300', '200']);
    expect(await sized('![a|300x10](i.png)')).toEqual(['300', '10']);
    for (const [markdown, isForced] of [
      ['![[i.png|300x10]]', true],
      ['<img src="i.png" alt="a" width="300" height="10">', true],
      ['![[i.png|300x200]]', false],
      ['![[i.png|300]]', false],
      ['<img src="i.png" alt="a" class="forced">', false],
    ] as const) {
      const links = readPageText(markdown).links.map(({ written }) => ({ written, href: '/i', size }));
      expect((await render(markdown, { links })).html.includes('class="forced"'), markdown).toBe(isForced);
    }
    expect(await sized('<img src="i.png" alt="a">')).toEqual(['600', '400']);
    expect(await sized('<img src="i.png" alt="a" width="90">')).toEqual(['90', '60']);
    expect(await sized('<img src="i.png" alt="a" height="100">')).toEqual(['150', '100']);
    expect(await sized('<img src="i.png" alt="a" width="50%">')).toEqual(['50%', undefined]);
  });

  test('from elsewhere are links to themselves, and within a link they are text', async () => {
    const { html } = await render(
      '![a](https://h.example/a.png) [![b](https://h.example/b.png)](c.md) <img src="https://h.example/d.png" alt="d">',
    );
    expect(html).not.toMatch(/<img|src=/);
    expect(html).toContain('class="image-foreign">a</a>');
    expect(html).toContain('<a href="/wiki/c.md"><span>b</span></a>');
    expect(html).toContain('class="image-foreign">d</a>');
  });
});

describe('what the wiki adds to Markdown', () => {
  test.each([
    ['==a **b**== x == y', '<p><mark>a <strong>b</strong></mark> x == y</p>'],
    ['a %%hidden [[X]]%% b', '<p>a  b</p>'],
    ['%%\nhidden\n\nhidden\n%%\n\nshown', '<p>shown</p>'],
    ['---\ntitle: x\n---\ntext', '<p>text</p>'],
    ['costs $5 and $10', '<p>costs $5 and $10</p>'],
    [
      '> [!tip] My *title*\n> body',
      '<div class="callout callout-tip">\n<p class="callout-title">My <em>title</em></p>\n<p>body</p>\n</div>',
    ],
    [
      '> [!note]-\n> body',
      '<details class="callout callout-note">\n<summary class="callout-title">Note</summary>\n<p>body</p>\n</details>',
    ],
    ['> plain', '<blockquote>\n<p>plain</p>\n</blockquote>'],
    ['## Title {#own}', '<h2 id="title">Title<span id="own"></span></h2>'],
    [
      '- [x] done',
      '<ul class="contains-task-list">\n<li class="task-list-item"><input type="checkbox" checked disabled aria-label="Done"> done</li>\n</ul>',
    ],
  ])('%j', async (markdown, expected) => {
    expect(await html(markdown)).toBe(expected);
  });

  test('formulas become MathML without styles, and formulas that KaTeX refuses stay as written', async () => {
    const { html, uses } = await render(
      '$\\frac{a}{b}$ $$\nx^2\n$$ $\\href{javascript:alert(1)}{x}$ $\\nope{$',
    );
    expect(uses.math).toBe(true);
    expect(html).toContain('<mfrac><mi>a</mi><mi>b</mi></mfrac>');
    expect(html).toContain('display="block"');
    expect(html).toContain('\\nope{</span>');
    expect(html).not.toMatch(/style=|href=|annotation/);
  });

  test('code is highlighted by classes, and diagrams are marked', async () => {
    const { html, uses } = await render(
      '```js\nconst a = "<b>";\n```\n\n```mermaid\ngraph TD\n```\n\n```nope\nx\n```\n',
    );
    expect(html).toContain('<code class="language-js"><span class="hljs-keyword">const</span>');
    expect(html).toContain('<code class="language-mermaid diagram">graph TD');
    expect(html).toContain('<code class="language-nope">x');
    expect(uses).toEqual({ math: false, diagrams: true });
  });

  test('footnotes have ids that no heading has', async () => {
    const { html } = await render('a[^1]\n\n## note fn 1\n\n[^1]: text\n');
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(['note.fnref-1', 'note-fn-1', 'note.label', 'note.fn-1']);
  });
});

describe('embedded pages', () => {
  const addressOf = (path: string) => `/wiki/${path}`;
  const pages: Record<string, string> = {
    A: '# A\n\n![[B]]\n\nend of A[^1] <b>\n\n[^1]: note',
    B: 'text of B <div id="x">\n\n![[A]]\n\n![[C]]',
    C: 'text of C\n\n![[D]]',
    D: 'text of D',
  };
  const links = Object.keys(pages).map((path) => ({ written: `![[${path}]]`, href: addressOf(path) }));
  const embed = async (written: string) => {
    const path = written.slice(3, -2);
    return pages[path] === undefined ? null : { path, href: addressOf(path), markdown: pages[path], links };
  };
  const renderA = (path = 'A') => renderPage(pages[path] ?? '', { path, links, embed });

  test('are shown to a depth, never within themselves, and have no ids of their own', async () => {
    const { html, outline } = await renderA();
    expect(html).toContain('<p class="embed-source"><a href="/wiki/B">B</a></p><p>text of B');
    expect(html).toContain('<div class="embed"><a href="/wiki/A">A</a></div>');
    expect(html).toContain('text of C');
    expect(html).not.toContain('text of D');
    expect(html).not.toContain('id="x"');
    expect(outline).toHaveLength(1);
  });

  test('have their footnotes, whose ids are not those of others', async () => {
    const noted: Record<string, string> = {
      P: 'text[^1]\n\n![[B]]\n\n![[D]]\n\n[^1]: note of P',
      B: 'text[^1]\n\n![[C]]\n\n[^1]: note of B',
      C: 'text[^1]\n\n[^1]: note of C',
      D: 'text[^1]\n\n[^1]: note of D',
    };
    const embedNoted = async (written: string) => {
      const path = written.slice(3, -2);
      return { path, href: addressOf(path), markdown: noted[path] ?? '', links };
    };
    const { html } = await renderPage(noted.P ?? '', { path: 'P', links, embed: embedNoted });
    expect(html.match(/note of ./g)).toEqual(['note of C', 'note of B', 'note of D', 'note of P']);
    const ids = Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
    expect(ids.length).toBeGreaterThan(8);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('within a line are links', async () => {
    const { html } = await renderPage('a ![[D]] b', { path: 'P', links, embed });
    expect(html.trim()).toBe('<p>a <a href="/wiki/D">D</a> b</p>');
  });

  test('become links if there are too many or they take too long', async () => {
    const page = (markdown: string) => async () => ({ path: 'Z', href: '/wiki/Z', markdown, links: [] });
    const base = { path: 'P', links };
    const many = await renderPage('![[D]]\n\n'.repeat(60), { ...base, embed: page('x') });
    expect(many.html.match(/embed-source/g)).toHaveLength(50);
    const heavy = await renderPage('![[D]]\n', { ...base, embed: page('>'.repeat(100_000)) });
    expect(heavy.html).toBe('<div class="embed"><a href="/wiki/D">D</a></div>');
  });
});

/** Tags in an attribute that is left open, which hast-util-raw 9.2 does not survive. */
const UNREADABLE = 'c<textarea t="<a f=">![]()<e>';

test('HTML that the parser cannot take is shown as it is written, alone', async () => {
  const { html } = await render(`# Title\n\n${UNREADABLE}\n`);
  expect(html).toContain('This page has HTML that cannot be shown');
  expect(html).toContain('# Title');
  const embed = async () => ({ path: 'Other', href: '/wiki/Other', markdown: UNREADABLE, links: [] });
  const around = await render('# Title\n\n![[Other]]\n\n**after**\n', { embed });
  expect(around.html).toContain('<strong>after</strong>');
});

test('a column of a table at the beginning hides nothing that follows', async () => {
  const { html } = await render('<col>\n\n# Title\n\n**after**\n');
  expect(html).toMatch(/<h1[^>]*>Title<\/h1>[\s\S]*<strong>after<\/strong>/);
});
