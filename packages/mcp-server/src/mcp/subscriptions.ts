import { setImmediate } from 'node:timers/promises';
import { type Call, toWikiError, type Wiki, WikiError } from '@pagetree/wiki/contract';
import type { WikiResource } from './resource-uri.ts';
import { isPageAt, requireResource } from './resources.ts';

/**
 * Watches the resources to which a client subscribed, by polling the wiki. So it notices every change, be it
 * by this server, another one, another machine or native git.
 */
export class Subscriptions {
  readonly #wiki: Wiki;
  readonly #call: Call;
  readonly #updated: (uri: string) => void;
  /** The state of each at the last look. */
  readonly #seen = new Map<string, { resource: WikiResource; state: string }>();
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | null = null;

  constructor(wiki: Wiki, call: Call, everyMs: number, updated: (uri: string) => void) {
    this.#wiki = wiki;
    this.#call = call;
    this.#everyMs = everyMs;
    this.#updated = updated;
  }

  /**
   * Throws WikiError if the address is not one of ours, or for too many of them. A client may subscribe to a
   * missing page: it may be created.
   */
  async subscribe(uri: string): Promise<void> {
    const resource = requireResource(uri);
    if (this.#seen.size >= MAX_SUBSCRIPTIONS && !this.#seen.has(uri)) throw tooMany();
    this.#seen.set(uri, { resource, state: unknown });
    const state = await this.#stateOf(resource);
    if (this.#seen.has(uri)) this.#seen.set(uri, { resource, state });
    if (this.#timer === null) this.#lookLater();
  }

  unsubscribe(uri: string): void {
    this.#seen.delete(uri);
  }

  /** Does not keep the process alive, and stops if there are no subscriptions. */
  #lookLater(): void {
    this.#timer = setTimeout(async () => {
      await this.#look();
      if (this.#seen.size === 0) this.#timer = null;
      else this.#lookLater();
    }, this.#everyMs);
    this.#timer.unref();
  }

  /** Reports all changes since the last look. A resource that cannot be read now is read again later. */
  async #look(): Promise<void> {
    for (const [uri, { resource, state }] of this.#seen) {
      // Reads of a local disk never give other calls a turn by themselves.
      await setImmediate();
      const present = await this.#stateOf(resource);
      if (present === unknown || present === state || !this.#seen.has(uri)) continue;
      this.#seen.set(uri, { resource, state: present });
      if (state !== unknown) this.#updated(uri);
    }
  }

  async #stateOf(resource: WikiResource): Promise<string> {
    try {
      if (resource.kind !== 'page') {
        const query = { wiki: resource.wiki, sort: 'path', limit: 1 } as const;
        return (await this.#wiki.list_pages(query, this.#call)).commit ?? 'empty';
      }
      const { wiki, path, commit } = resource;
      const query = {
        wiki,
        path,
        at: commit ?? undefined,
        mode: 'metadata',
        start_line: 1,
        start_char: 0,
      } as const;
      const page = await this.#wiki.read_page(query, this.#call);
      return isPageAt(page.path, path) ? page.version : 'absent';
    } catch (error) {
      return toWikiError(error).code === 'not_found' ? 'absent' : unknown;
    }
  }
}

const unknown = '';

/** Each costs a read of its page every few seconds. */
const MAX_SUBSCRIPTIONS = 1_000;

function tooMany(): WikiError {
  return new WikiError('too_large', {
    happened: `There are ${MAX_SUBSCRIPTIONS} subscriptions, the most that one client may have.`,
    now: 'Nothing was added.',
    next: 'Unsubscribe from resources that need no watching.',
  });
}
