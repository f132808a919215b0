import { setImmediate } from 'node:timers/promises';
import { absenceIn, type Call, toWikiError, type Wiki, WikiError } from '@pagetree/wiki/contract';
import type { WikiResource } from './resource-uri.ts';
import { isPageAt, pathsOfPage, requireResource } from './resources.ts';

interface Subscription {
  readonly resource: WikiResource;
  /** The state at the last look. */
  state: string;
  /** True if a look has read the state. From then on, `list_changed` names the page if it changes. */
  isWatched: boolean;
}

/**
 * Watches the resources to which a client subscribed, by asking each wiki now and then what changed. So it notices every
 * change, be it by this server, another one, another machine or native git.
 */
export class Subscriptions {
  readonly #wiki: Wiki;
  readonly #watched: Wiki;
  readonly #call: Call;
  readonly #updated: (uri: string) => void;
  readonly #byUri = new Map<string, Subscription>();
  /** The head of each watched wiki at the last look. */
  #heads = new Map<string, string>();
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | null = null;

  /** `watched` is the same wiki, for all looks but the first one at each resource. */
  constructor(wiki: Wiki, watched: Wiki, call: Call, everyMs: number, updated: (uri: string) => void) {
    this.#wiki = wiki;
    this.#watched = watched;
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
    if (this.#byUri.size >= MAX_SUBSCRIPTIONS && !this.#byUri.has(uri)) throw tooMany();
    const subscription = { resource, state: UNKNOWN, isWatched: false };
    this.#byUri.set(uri, subscription);
    const state =
      resource.kind === 'page'
        ? await this.#stateOf(this.#wiki, resource)
        : (await this.#changesSince(this.#wiki, UNKNOWN, resource.wiki)).head;
    // A look that came first has read a newer state.
    if (!subscription.isWatched) subscription.state = state;
    if (this.#timer === null) this.#lookLater();
  }

  unsubscribe(uri: string): void {
    this.#byUri.delete(uri);
  }

  /** Does not keep the process alive, and stops if there are no subscriptions. */
  #lookLater(): void {
    this.#timer = setTimeout(async () => {
      await this.#look();
      if (this.#byUri.size === 0) this.#timer = null;
      else this.#lookLater();
    }, this.#everyMs);
    this.#timer.unref();
  }

  /** Reports all changes since the last look. A wiki or a page that cannot be read now is read again later. */
  async #look(): Promise<void> {
    const heads = new Map<string, string>();
    for (const [wiki, subscribed] of Map.groupBy(this.#byUri, ([, { resource }]) => resource.wiki)) {
      const known = this.#heads.get(wiki) ?? UNKNOWN;
      const { head, pages } = await this.#changesSince(this.#watched, known, wiki);
      heads.set(wiki, head === UNKNOWN ? known : head);
      if (head === UNKNOWN) continue;
      for (const [uri, subscription] of subscribed) {
        if (subscription.isWatched && (head === known || !mayDiffer(subscription, pages))) continue;
        await this.#lookAt(uri, subscription, head);
      }
    }
    // Heads of wikis without subscriptions are forgotten: a client may name any number of them.
    this.#heads = heads;
  }

  async #lookAt(uri: string, subscription: Subscription, head: string): Promise<void> {
    // Reads of a local disk never give other calls a turn by themselves.
    await setImmediate();
    const { resource } = subscription;
    const present = resource.kind === 'page' ? await this.#stateOf(this.#watched, resource) : head;
    subscription.isWatched = present !== UNKNOWN;
    const before = subscription.state;
    if (present === UNKNOWN || present === before || this.#byUri.get(uri) !== subscription) return;
    subscription.state = present;
    if (before !== UNKNOWN) this.#updated(uri);
  }

  /** The head of a wiki, and the pages that changed since it was `known`; null if these may be any. */
  async #changesSince(
    asked: Wiki,
    known: string,
    wiki: string,
  ): Promise<{ head: string; pages: ReadonlySet<string> | null }> {
    const since = NO_COMMITS.has(known) ? undefined : known;
    try {
      const { commit, pages, complete } = await asked.list_changed({ wiki, known: since }, this.#call);
      return { head: commit ?? EMPTY, pages: since !== undefined && complete ? new Set(pages) : null };
    } catch (error) {
      // The known commit is gone: the wiki was put back, or is another one.
      if (since !== undefined && absenceIn(error) === 'missing')
        return this.#changesSince(asked, UNKNOWN, wiki);
      return { head: toWikiError(error).code === 'not_found' ? ABSENT : UNKNOWN, pages: null };
    }
  }

  async #stateOf(asked: Wiki, { wiki, path, commit }: WikiResource & { kind: 'page' }): Promise<string> {
    const at = commit ?? undefined;
    const query = { wiki, path, at, mode: 'metadata', start_line: 1, start_char: 0 } as const;
    try {
      const page = await asked.read_page(query, this.#call);
      return isPageAt(page.path, path) ? page.version : ABSENT;
    } catch (error) {
      return toWikiError(error).code === 'not_found' ? ABSENT : UNKNOWN;
    }
  }
}

/** True if a new commit may have changed the resource. A page as of a commit changes only by coming to be there. */
function mayDiffer({ resource, state }: Subscription, pages: ReadonlySet<string> | null): boolean {
  if (pages === null || resource.kind !== 'page') return true;
  if (resource.commit !== null) return state === ABSENT;
  return pathsOfPage(resource.path).some((path) => pages.has(path));
}

const UNKNOWN = '';
const ABSENT = 'absent';
const EMPTY = 'empty';
const NO_COMMITS: ReadonlySet<string> = new Set([UNKNOWN, ABSENT, EMPTY]);

/** A look reads each page whose state is not sure, and all if very many changed. */
const MAX_SUBSCRIPTIONS = 1_000;

function tooMany(): WikiError {
  return new WikiError('too_large', {
    happened: `There are ${MAX_SUBSCRIPTIONS} subscriptions, the most that one client may have.`,
    now: 'Nothing was added.',
    next: 'Unsubscribe from resources that need no watching.',
  });
}
