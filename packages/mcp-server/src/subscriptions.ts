import { type Call, toWikiError, type Wiki } from '@pagetree/wiki/contract';
import type { WikiResource } from './resource-uri.ts';
import { requireResource } from './resources.ts';

/**
 * Watches what a client subscribed to, by asking the wiki: so a change is seen whoever made it, this server, another
 * one, another machine or native git.
 */
export class Subscriptions {
  readonly #wiki: Wiki;
  readonly #call: Call;
  readonly #updated: (uri: string) => void;
  /** What each was when it was last looked at. */
  readonly #seen = new Map<string, { resource: WikiResource; state: string }>();
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | null = null;

  constructor(wiki: Wiki, call: Call, everyMs: number, updated: (uri: string) => void) {
    this.#wiki = wiki;
    this.#call = call;
    this.#everyMs = everyMs;
    this.#updated = updated;
  }

  /** Throws WikiError for what is no address of ours. A page that is not there may be subscribed to: it may come. */
  async subscribe(uri: string): Promise<void> {
    const resource = requireResource(uri);
    this.#seen.set(uri, { resource, state: await this.#stateOf(resource) });
    if (this.#timer === null) this.#lookLater();
  }

  unsubscribe(uri: string): void {
    this.#seen.delete(uri);
  }

  /** Keeps no process alive, and stops when nothing is subscribed to. */
  #lookLater(): void {
    this.#timer = setTimeout(async () => {
      await this.#look();
      if (this.#seen.size === 0) this.#timer = null;
      else this.#lookLater();
    }, this.#everyMs);
    this.#timer.unref();
  }

  /** Tells of everything that changed since it was looked at last; what cannot be asked now is asked again. */
  async #look(): Promise<void> {
    for (const [uri, { resource, state }] of this.#seen) {
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
      return (await this.#wiki.read_page(query, this.#call)).version;
    } catch (error) {
      return toWikiError(error).code === 'not_found' ? 'absent' : unknown;
    }
  }
}

const unknown = '';
