import { RenderedPages } from '../site/views/rendered-pages.ts';

const rendered = new RenderedPages();
// At once: its thread starts while this one loads the rest. What fails is reported by the request that needs it.
const warmed = rendered.warm().catch(() => {});
const { openHandler } = await import('./open-handler.ts');

/** @public Lambda calls it. */
export const handler = await openHandler(rendered, warmed);
