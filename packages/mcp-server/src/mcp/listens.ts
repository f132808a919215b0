import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { toWikiError } from '@pagetree/wiki/contract';
import type { Shared } from './server.ts';

/**
 * Watches the resources that open `subscriptions/listen` requests name. The SDK (2.4.0) answers such a request, and says
 * to nobody which resources that are.
 */
export class Listens {
  readonly #shared: Pick<Shared, 'subscriptions' | 'turns'>;
  /** The number of open requests that watch a resource. */
  readonly #watchers = new Map<string, number>();

  constructor(shared: Pick<Shared, 'subscriptions' | 'turns'>) {
    this.#shared = shared;
  }

  /**
   * Resolves once all resources are watched, until `ended` aborts: the acknowledgement of a request promises every later
   * change. Returns the sentence that refuses the request, or null.
   */
  async watch(uris: readonly string[], ended: AbortSignal): Promise<string | null> {
    const { subscriptions, turns } = this.#shared;
    if (ended.aborted) return 'The request has ended.';
    for (const uri of uris) this.#watchers.set(uri, (this.#watchers.get(uri) ?? 0) + 1);
    ended.addEventListener('abort', () => this.#unwatch(uris), { once: true });
    try {
      await turns.run(ended, async () => {
        for (const uri of uris) await subscriptions.subscribe(uri);
      });
      return null;
    } catch (error) {
      return toWikiError(error).message;
    }
  }

  #unwatch(uris: readonly string[]): void {
    for (const uri of uris) {
      const others = (this.#watchers.get(uri) ?? 1) - 1;
      if (others > 0) this.#watchers.set(uri, others);
      else {
        this.#watchers.delete(uri);
        this.#shared.subscriptions.unsubscribe(uri);
      }
    }
  }
}

/** The resources that a request names, each once. Its params have been checked. */
export function urisOf({ params }: JSONRPCRequest): readonly string[] {
  const notifications = params?.notifications as { resourceSubscriptions?: readonly string[] } | undefined;
  return [...new Set(notifications?.resourceSubscriptions)];
}
