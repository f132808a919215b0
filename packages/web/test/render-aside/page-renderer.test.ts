import { expect, test } from 'vitest';
import type { RenderContext } from '../../src/render/page-part.ts';
import { renderPage } from '../../src/render/render-page.ts';
import { PageRenderer } from '../../src/render-aside/page-renderer.ts';

/** Takes half a second: the grammar of Java looks at each rest of a long word. */
const slowCode = (mark: number) => `\`\`\`java\n${mark}\n${`${'a'.repeat(1_990)}\n`.repeat(24)}\`\`\`\n`;
const links = [{ written: '![[B]]', href: '/wiki/B' }];
const plain: RenderContext = { path: 'A', links: [], embed: async () => null };

test('pages come out as they do in this thread, with what they embed', async () => {
  const embed = async () => ({ path: 'B', href: '/wiki/B', markdown: '**text** of B', links: [] });
  const page = '# A\n\n![[B]]\n\n![[B]]\n\n$x^2$\n';
  const context = { path: 'A', links, embed };
  const rendered = await new PageRenderer().render(page, context);
  expect(rendered).toEqual(await renderPage(page, context));
  expect(rendered.html.match(/<strong>text<\/strong>/g)).toHaveLength(2);
});

test('many pages at once all come out, each its own', async () => {
  const renderer = new PageRenderer();
  const pages = Array.from({ length: 50 }, (_, at) => renderer.render(`number ${at}`, plain));
  const htmls = (await Promise.all(pages)).map(({ html }) => html.trim());
  expect(htmls).toEqual(htmls.map((_, at) => `<p>number ${at}</p>`));
});

test('a page that takes too long is shown as it is written, and holds up no other', async () => {
  const renderer = new PageRenderer({ limitMs: 2_000 });
  const ended: string[] = [];
  let embeds = 0;
  const embed = async () => {
    embeds += 1;
    return { path: 'B', href: '/wiki/B', markdown: slowCode(embeds), links: [] };
  };
  // Together the embeds take longer than the limit on any machine.
  const page = '![[B]]\n\n'.repeat(50);
  const slow = renderer.render(page, { path: 'A', links, embed }).then(({ html }) => {
    ended.push('slow');
    return html;
  });
  const { html } = await renderer.render('*other*', plain);
  ended.push('other');
  expect(html).toContain('<em>other</em>');
  expect(await slow).toContain('takes too long to be shown with its formatting');
  expect(ended).toEqual(['other', 'slow']);
  expect((await renderer.render('*next*', plain)).html).toContain('<em>next</em>');
});

test('a page that takes more memory than a thread has is shown as it is written, beside another one', async () => {
  // The page takes some 10 MB more than the limit. V8 gives a thread 16 MB above its limit to end in, and ends the whole
  // process if that is not enough: https://github.com/nodejs/node/issues/47224
  const renderer = new PageRenderer({ limitMs: 60_000, workerMb: 24 });
  const large = '*a*\n\n'.repeat(2_000);
  const pages = [large, '*a*\n', large, large].map((page) => renderer.render(page, plain));
  const htmls = (await Promise.all(pages)).map(({ html, isGivenUp }) => [html.includes('<em>'), isGivenUp]);
  expect(htmls).toEqual([
    [false, true],
    [true, undefined],
    [false, true],
    [false, true],
  ]);
});

test('a failure of an embed is that of its page alone', async () => {
  const renderer = new PageRenderer();
  const embed = async () => {
    throw new Error('The wiki is away.');
  };
  await expect(renderer.render('![[B]]\n', { path: 'A', links, embed })).rejects.toThrow('The wiki is away.');
  expect((await renderer.render('*next*', plain)).html).toContain('<em>next</em>');
});
