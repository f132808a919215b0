import { idFor } from '@pagetree/wiki/anchor-ids';
import { readPageText } from '@pagetree/wiki/page-text';
import type { RenderContext, RenderedPage } from '../../src/render/page-part.ts';
import { renderPage } from '../../src/render/render-page.ts';

/** Renders a page whose links lead to `/wiki/` and their target, those to `Missing` excepted. */
export function render(markdown: string, context: Partial<RenderContext> = {}): Promise<RenderedPage> {
  const links = readPageText(markdown).links.map(({ written, target, anchor }) => ({
    written,
    href: target === 'Missing' ? null : addressOf(target) + (anchor === null ? '' : `#${idFor(anchor)}`),
  }));
  return renderPage(markdown, {
    path: 'Page',
    links,
    embed: async () => null,
    ...context,
  });
}

function addressOf(path: string): string {
  return `/wiki/${encodeURI(path)}`;
}
