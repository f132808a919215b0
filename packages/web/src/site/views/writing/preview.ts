import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { Html } from '../../layout.ts';
import type { ViewTools } from '../../view-tools.ts';
import { embedder, pageLink } from '../embeds.ts';
import { properties } from '../properties.ts';

/** The text of a form as a page would show it. */
export async function previewOf(
  tools: ViewTools,
  wiki: string,
  path: string,
  content: string,
): Promise<Html> {
  const found = await tools.ask('preview_page', { wiki, path, content });
  const { html: body, outline } = await tools.rendered.of({
    wiki,
    path: found.path,
    version: createHash('sha1').update(content).digest('hex'),
    commit: found.commit ?? '',
    markdown: content,
    links: found.links.map((link) => pageLink(tools, wiki, link)),
    embed: embedder(tools, wiki, found),
    keptBy: tools.keptBy,
  });
  return html`${found.notes.map((note) => html`<p class="notice">${note}</p>`)}
<article class="previewed">
${outline[0]?.depth === 1 ? '' : html`<h1>${found.title}</h1>`}
${raw(body)}
</article>
${properties(tools, wiki, found)}`;
}
