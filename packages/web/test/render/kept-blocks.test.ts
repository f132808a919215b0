import fc from 'fast-check';
import { expect, test } from 'vitest';
import { render } from './render.ts';

/** As one tree: with HTML on the page no block is kept. */
async function renderedWhole(markdown: string) {
  const { html, ...rest } = await render(`${markdown}\n\n<!-- -->\n`);
  return { html: normal(html), ...rest };
}

/** Without what the parser of HTML adds to it. */
function normal(html: string): string {
  return html.replaceAll('=""', '').replace(/\n+/g, '\n').trim();
}

const BLOCKS = [
  '# Title\n',
  '## Part\n',
  '## Part\n\nText of [[A]] and [[Missing]] and [b](B.md "title").\n',
  'A note[^n] and ==marked== and `code [[A]]`.\n\n[^n]: The note.\n',
  '[label] and [other][label]\n',
  '[label]: C.md\n',
  '> [!note] Callout\n> with [[#Part]] and [here](#part)\n',
  '- [ ] to do\n- [x] done [[A|b]]\n',
  'A block with an id. ^one\n\n[[#^one]]\n',
  'A block before its id.\n\n^two\n',
  '| a | b |\n| --- | --- |\n| [[A]] | ![](https://example.org/i.png) |\n',
  '```ts\nconst a = 1;\n```\n',
  '    [[A]] in code\n',
  '$x^2$ and %%hidden%%\n',
  '![[A]]\n\n![[image.png|30]]\n',
  `${'A long paragraph that is cut from the next one. '.repeat(14)}\n`,
];
const page = fc
  .array(fc.constantFrom(...BLOCKS), { minLength: 1, maxLength: 10 })
  .map((blocks) => blocks.join('\n'));

test('a page whose blocks were kept has the HTML of one tree', async () => {
  await fc.assert(
    fc.asyncProperty(page, page, fc.constantFrom(...BLOCKS), async (before, after, between) => {
      const texts = [before + after, `${before}\n${between}\n${after}`, `${between}\n${before}`];
      for (const text of texts) await render(text);
      for (const text of texts) {
        const { html, ...rest } = await render(text);
        expect({ html: normal(html), ...rest }).toEqual(await renderedWhole(text));
      }
    }),
    { numRuns: 15, seed: 23 },
  );
});

test('a kept block follows its links and its id', async () => {
  const text = '## Part\n\nSee [[A]] and [[#Part]].\n';
  const led = async (href: string | null) =>
    (await render(text, { links: [{ written: '[[A]]', href }] })).html;
  expect(await led('/wiki/A')).toContain('href="/wiki/A"');
  expect(await led('/wiki/folder/A')).toContain('href="/wiki/folder/A"');
  expect(await led(null)).toContain('link-broken');
  const twice = await render(`## Part\n\nOne.\n\n${text}`);
  expect(twice.outline.map(({ id }) => id)).toEqual(['part', 'part-1']);
  expect(twice.html).toContain('<h2 id="part-1">');
});

test('a kept block follows the size of its image', async () => {
  const sized = async (width: number) => {
    const links = [{ written: '![[i.png]]', href: '/i.png', size: { width, height: 10 } }];
    return (await render('See ![[i.png]].\n', { links })).html;
  };
  expect(await sized(20)).toContain('width="20"');
  expect(await sized(30)).toContain('width="30"');
});

test('HTML that is left open continues in the blocks after it', async () => {
  const text = 'Before.\n\nInside.\n';
  await render(text);
  const { html } = await render(text.replace('Inside', '<details>\n\nInside'));
  expect(html).toMatch(/^<p>Before\.<\/p>\s*<details>\s*<p>Inside\.<\/p>\s*<\/details>$/);
});
