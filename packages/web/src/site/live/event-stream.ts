import { HEARTBEAT } from './events.ts';
import type { WikiWatcher } from './wiki-watcher.ts';

/**
 * One answer that does not end. Nothing is kept for its client but its places among the events of the watchers: the next
 * event is taken when the client has read the one before.
 */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** The number of the next event of each watcher. */
  readonly #places = new Map<WikiWatcher, number>();
  /** Sent before them. */
  readonly #first: Uint8Array[] = [];
  readonly #left: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #isBegun = false;

  /** `left` is called once, when the stream ends or its client leaves. */
  constructor(left: () => void) {
    this.#left = left;
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      this.#controller = controller;
    };
    this.body = new ReadableStream<Uint8Array>(
      { start, pull: () => this.send(), cancel: () => this.#leave() },
      { highWaterMark: 1 },
    );
  }

  /** Sends the events of a watcher from the number `next` on. */
  follow(watcher: WikiWatcher, next: number): void {
    this.#places.set(watcher, next);
  }

  follows(watcher: WikiWatcher): boolean {
    return this.#places.has(watcher);
  }

  /** Sends nothing before this. */
  begin(...first: readonly Uint8Array[]): void {
    this.#isBegun = true;
    this.say(...first);
  }

  say(...messages: readonly Uint8Array[]): void {
    this.#first.push(...messages);
    this.send();
  }

  /** Sends what is new, as far as the client reads. */
  send(): void {
    while (this.#isBegun && this.#isRead()) {
      const bytes = this.#first.shift() ?? this.#next();
      if (bytes === null) return;
      this.#controller?.enqueue(bytes);
    }
  }

  beat(): void {
    if (this.#isBegun && this.#isRead()) this.#controller?.enqueue(HEARTBEAT);
  }

  end(): void {
    const controller = this.#controller;
    this.#leave();
    controller?.close();
  }

  #isRead(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  #next(): Uint8Array | null {
    for (const [watcher, number] of this.#places) {
      const found = watcher.event(number);
      if (found === null) continue;
      this.#places.set(watcher, found.next);
      return found.event.bytes;
    }
    return null;
  }

  #leave(): void {
    if (this.#controller === null) return;
    this.#controller = null;
    this.#left();
  }
}
