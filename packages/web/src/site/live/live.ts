import type { Context } from 'hono';
import { endOf } from '../surroundings.ts';
import type { ViewTools } from '../view-tools.ts';
import { EventStream } from './event-stream.ts';
import { BEGUN, NEW_WIKI } from './events.ts';
import { type Pause, WikiWatcher } from './wiki-watcher.ts';

/** The streams of events, and one watcher for each wiki that some of them follow. */
export class Live {
  readonly #ask: ViewTools['ask'];
  readonly #pause: Pause;
  readonly #watchers = new Map<string, WikiWatcher>();
  readonly #streams = new Set<EventStream>();
  readonly #ofAllWikis = new WeakSet<EventStream>();
  #beating: AbortController | null = null;
  #isEnded = false;

  constructor({ ask }: Pick<ViewTools, 'ask'>, pause: Pause) {
    this.#ask = ask;
    this.#pause = pause;
  }

  /** Answers with the changes of one wiki. `Last-Event-ID` is the commit of the last event that the client got. */
  followWiki(context: Context, wiki: string): Promise<Response> {
    const [last] = /^[0-9a-f]{40}$/.exec(context.req.header('last-event-id') ?? '') ?? [];
    return this.#answer(context, async (stream) => {
      const watcher = this.#follow(stream, wiki);
      await watcher.begun;
      if (last === undefined) return stream.begin(BEGUN);
      const { next, missed } = await watcher.resume(last);
      stream.follow(watcher, next);
      stream.begin(...(missed === null ? [] : [missed.bytes]), BEGUN);
    });
  }

  /**
   * Answers with the changes of all wikis. The client reads everything again once the stream begins: an event's commit
   * does not say what it has of other wikis.
   */
  followAll(context: Context): Promise<Response> {
    return this.#answer(context, async (stream) => {
      this.#ofAllWikis.add(stream);
      await this.#followEach(stream);
      stream.begin(BEGUN);
    });
  }

  /** True if nobody follows anything. */
  get isIdle(): boolean {
    return this.#streams.size === 0;
  }

  /** Ends every stream, and refuses new ones. */
  end(): void {
    this.#isEnded = true;
    for (const stream of this.#streams) stream.end();
  }

  async #answer(context: Context, begin: (stream: EventStream) => Promise<void>): Promise<Response> {
    // Hono answers HEAD as it does GET, and nobody would read the stream.
    if (context.req.method === 'HEAD') return context.body(null, 200, HEADERS);
    if (this.#isEnded || this.#streams.size >= MAX_STREAMS) return refusal(context);
    const stream = new EventStream(() => this.#left(stream));
    this.#streams.add(stream);
    void this.#beat();
    try {
      await begin(stream);
    } catch (error) {
      stream.end();
      throw error;
    }
    const signal = endOf(context);
    if (signal.aborted) stream.end();
    else signal.addEventListener('abort', () => stream.end(), { once: true });
    return context.body(stream.body, 200, HEADERS);
  }

  /** The watcher of a wiki, which lives as long as a stream follows it. */
  #follow(stream: EventStream, wiki: string): WikiWatcher {
    const watcher = this.#watchers.get(wiki) ?? this.#newWatcher(wiki);
    stream.follow(watcher, watcher.count);
    return watcher;
  }

  #newWatcher(wiki: string): WikiWatcher {
    const watcher = new WikiWatcher({
      wiki,
      look: (known) => this.#ask('list_changed', { wiki, known }),
      pause: this.#pause,
      everyMs: () => Math.max(LOOK_EVERY_MS, this.#watchers.size * LEAST_APART_MS),
      changed: () => {
        for (const stream of this.#streams) stream.send();
      },
    });
    this.#watchers.set(wiki, watcher);
    return watcher;
  }

  /** Follows also wikis that were made since. Returns true if there are any. */
  async #followEach(stream: EventStream): Promise<boolean> {
    const { wikis } = await this.#ask('list_wikis', {});
    const added = wikis.slice(0, MAX_WIKIS).filter((wiki) => {
      const watcher = this.#watchers.get(wiki);
      return watcher === undefined || !stream.follows(watcher);
    });
    // A wiki that cannot be opened does not hold back the others.
    await Promise.allSettled(added.map((wiki) => this.#follow(stream, wiki).begun));
    return added.length > 0;
  }

  #left(stream: EventStream): void {
    this.#streams.delete(stream);
    for (const [wiki, watcher] of this.#watchers) {
      if ([...this.#streams].some((each) => each.follows(watcher))) continue;
      watcher.end();
      this.#watchers.delete(wiki);
    }
    if (this.#streams.size > 0) return;
    this.#beating?.abort();
    this.#beating = null;
  }

  /** Runs while there are streams. */
  async #beat(): Promise<void> {
    if (this.#beating !== null) return;
    this.#beating = new AbortController();
    const { signal } = this.#beating;
    for (;;) {
      await this.#pause(BEAT_EVERY_MS, signal).catch(() => {});
      if (signal.aborted) return;
      for (const stream of this.#streams) {
        stream.beat();
        if (!this.#ofAllWikis.has(stream)) continue;
        const isNew = await this.#followEach(stream).catch(() => false);
        if (isNew) stream.say(NEW_WIKI);
      }
    }
  }
}

/** The first ones by name. All are looked at in turn, so that more of them make each slower. */
export const MAX_WIKIS = 20;

/** A look costs a read of the head. A change is then on the page within half a second. */
const LOOK_EVERY_MS = 250;
/** Between looks at different wikis: on AWS each is a call of the function. */
const LEAST_APART_MS = 40;
/** The server closes a connection on which nothing moves for 120 s. */
const BEAT_EVERY_MS = 15_000;
const MAX_STREAMS = 500;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Once the stream ends, so does its connection: it would hold up the end of the server.
  Connection: 'close',
};

function refusal(context: Context): Response {
  const text = 'Too many pages are followed at once, or the server ends. Load this page again in a while.\n';
  return context.text(text, 503, { 'Retry-After': '30' });
}
