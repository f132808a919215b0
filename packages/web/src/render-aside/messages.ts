import type { EmbeddedPage, PageLink, RenderedPage } from '../render/page-part.ts';

/** A page to render, as it is sent to a worker. */
export interface RenderJob {
  markdown: string;
  path: string;
  links: readonly PageLink[];
}

/** A worker renders one page at a time, so no message needs an id. */
export type ToWorker = { kind: 'render'; job: RenderJob } | { kind: 'embedded'; found: EmbeddedPage | null };

export type FromWorker =
  | { kind: 'begun' }
  | { kind: 'embed'; written: string; from: string }
  | { kind: 'rendered'; page: RenderedPage }
  | { kind: 'failed'; error: unknown };
