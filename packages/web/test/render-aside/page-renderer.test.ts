import { expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
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

test.each(sampled([10, 20, 30], [10]))(
  'a thread of %d MB fails for its page alone, which is shown as it is written',
  async (workerMb) => {
    const renderer = new PageRenderer({ limitMs: 60_000, workerMb });
    const large = '*a*\n\n'.repeat(3_500);
    const htmls = await Promise.all(
      [large, large, large].map(async (page) => (await renderer.render(page, plain)).html),
    );
    const shown = htmls.map((html) => (html.includes('<em>') ? 'formatted' : 'plain'));
    if (workerMb === 10) expect(shown).toEqual(['plain', 'plain', 'plain']);
    for (const html of htmls) expect(html).toMatch(/<em>a<\/em>|plain-text">\*a\*/);
  },
);

test('a failure of an embed is that of its page alone', async () => {
  const renderer = new PageRenderer();
  const embed = async () => {
    throw new Error('The wiki is away.');
  };
  await expect(renderer.render('![[B]]\n', { path: 'A', links, embed })).rejects.toThrow('The wiki is away.');
  expect((await renderer.render('*next*', plain)).html).toContain('<em>next</em>');
});
