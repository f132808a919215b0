import { setTimeout } from 'node:timers/promises';

/** A page as one watcher saw it. */
export interface Seen {
  atMs: number;
  /** The number of the newest change of each writer, by the order of the writers. */
  counts: number[];
}

/**
 * Follows a page as the script in the browser does: reads it again, by its tag, after each event that concerns it; of
 * many events at once the last one counts. Now and then it loses its connection, and comes back with `Last-Event-ID`.
 */
export class Watcher {
  readonly events: { atMs: number; commit: string }[] = [];
  readonly seen: Seen[] = [];
  /** The times without a connection. */
  readonly away: { fromMs: number; untilMs: number }[] = [];
  readonly #origin: string;
  readonly #path: string;
  readonly #ending = new AbortController();
  #connection = new AbortController();
  #last: string | null = null;
  #tag: string | null = null;
  #isReading = false;
  #isStale = false;
  readonly #done: Promise<void>;

  constructor(origin: string, path: string) {
    this.#origin = origin;
    this.#path = path;
    this.#done = this.#run();
  }

  /** Breaks the connection. */
  leave(): void {
    this.#connection.abort();
  }

  async end(): Promise<void> {
    this.#ending.abort();
    this.leave();
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      this.#connection = new AbortController();
      await this.#follow(this.#connection.signal).catch(() => {});
      const fromMs = Date.now();
      await setTimeout(100 + Math.random() * 400);
      this.away.push({ fromMs, untilMs: Date.now() });
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const headers = this.#last === null ? {} : { 'last-event-id': this.#last };
    const { body } = await fetch(`${this.#origin}/_/main/live`, { headers, signal });
    if (body === null) return;
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) this.#take(message);
    }
  }

  #take(message: string): void {
    const commit = /^id: (.*)$/m.exec(message)?.[1];
    if (commit !== undefined) {
      this.#last = commit;
      this.events.push({ atMs: Date.now(), commit });
    }
    if (!message.startsWith(':')) void this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#isStale) {
      this.#isStale = false;
      await this.#read();
    }
    this.#isReading = false;
  }

  async #read(): Promise<void> {
    const headers = this.#tag === null ? {} : { 'if-none-match': this.#tag };
    const { signal } = this.#ending;
    // The server closes a connection that was idle, perhaps while this request is on its way.
    const answer = await fetch(this.#origin + this.#path, { headers, signal }).catch(() => null);
    const text = await answer?.text().catch(() => null);
    if (signal.aborted) return;
    if (answer === null || text == null || answer.status === 503) {
      // The script does the same.
      setTimeout(2_000).then(() => this.#catchUp());
      return;
    }
    if (answer.status !== 200) return;
    this.#tag = answer.headers.get('etag');
    const counts = [...text.matchAll(/<p>Writer \d+: change (\d+)\.<\/p>/g)].map(([, count]) =>
      Number(count),
    );
    this.seen.push({ atMs: Date.now(), counts });
  }
}
