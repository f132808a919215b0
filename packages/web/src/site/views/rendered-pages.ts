import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PageLink, RenderContext, RenderedPage } from '../../render/page-part.ts';
import { PageRenderer } from '../../render-aside/page-renderer.ts';

export interface PageToRender {
  wiki: string;
  path: string;
  version: string;
  /** The commits on which embedded content depends. */
  commit: string;
  markdown: string;
  links: readonly PageLink[];
  embed: RenderContext['embed'];
  /** A text that is equal for equal rights: an embed shows only what these let see. */
  keptBy: string;
}

/**
 * The HTML of pages, by the version of the page and the targets of its links: a change of another page causes
 * a new rendering only if this page embeds something.
 */
export class RenderedPages {
  readonly #renderer: PageRenderer;
  readonly #kept: LRUCache<string, RenderedPage>;

  /** `now` is in milliseconds, from any beginning. */
  constructor({ renderer = new PageRenderer(), now = () => performance.now(), maxBytes = 64_000_000 } = {}) {
    this.#renderer = renderer;
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ html, outline }) => 2 * html.length + 100 * outline.length + 200,
      perf: { now },
      ttlResolution: 0,
    });
  }

  /**
   * For an export, which shows each page once, and nobody waits for one of them. The same wiki gives the same pages on a
   * machine with much other work too.
   */
  static once(): RenderedPages {
    return new RenderedPages({
      renderer: new PageRenderer({ limitMs: EXPORT_LIMIT_MS }),
      maxBytes: EXPORT_BYTES,
    });
  }

  /** By the same key: many who ask for a page at once wait for one rendering of it. */
  readonly #running = new Map<string, Promise<RenderedPage>>();

  /** Starts a thread and has it compile what a page needs. */
  async warm(): Promise<void> {
    await this.#renderer.render(EXAMPLE, { path: '', links: [], embed: async () => null });
  }

  async of({
    wiki,
    path,
    version,
    commit,
    markdown,
    links,
    embed,
    keptBy,
  }: PageToRender): Promise<RenderedPage> {
    const embeds = links.some(({ written }) => written.startsWith('!'));
    const key = createHash('sha256')
      .update(JSON.stringify([keptBy, wiki, path, version, links, embeds ? commit : '']))
      .digest('base64url');
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const running = this.#running.get(key) ?? this.#renderer.render(markdown, { path, links, embed });
    this.#running.set(key, running);
    try {
      const rendered = await running;
      this.#kept.set(key, rendered, rendered.isGivenUp === true ? { ttl: GIVEN_UP_MS } : {});
      return rendered;
    } finally {
      this.#running.delete(key);
    }
  }
}

/** After this a page that was given up is tried again. */
const GIVEN_UP_MS = 60_000;

const EXPORT_LIMIT_MS = 60_000;
/** Pages that are embedded in several others come again soon. */
const EXPORT_BYTES = 4_000_000;

/** Has one of each of the frequent forms. */
const EXAMPLE =
  '# A\n\nText with `code`, **weight** and a [link](B).\n\n- one\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```ts\nlet a = 1;\n```\n';
