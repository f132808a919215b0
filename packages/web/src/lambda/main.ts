import { RenderedPages } from '../site/views/rendered-pages.ts';

const rendered = new RenderedPages();
// At once: its thread starts while this one loads the rest. What fails is reported by the request that needs it.
const warmed = rendered.warm().catch(() => {});
// So does an environment of the wiki's function.
const { startConfiguredWiki } = await import('./start-wiki.ts');
const wiki = startConfiguredWiki(Date.now);
const { openHandler } = await import('./open-handler.ts');

/** @public Lambda calls it. */
export const handler = await openHandler({ rendered, warmed, wiki });
