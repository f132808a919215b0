import { absenceIn, type Output } from '@pagetree/wiki/contract';
import { anyChangeEvent, changeEvent, type LiveEvent } from './events.ts';

/** Waits. Rejects if `signal` aborts. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<unknown>;

export interface WatcherParts {
  wiki: string;
  /** What changed since a commit. Without one, the newest commit. */
  look(known?: string): Promise<Output<'list_changed'>>;
  pause: Pause;
  /** The wait after a look that succeeded. */
  everyMs(): number;
  /** Called after new events. */
  changed(): void;
}

/**
 * The one watcher of a wiki: it looks for a newer commit now and then, for all who follow the wiki, and keeps the newest
 * events. A follower holds nothing but the number of the event that it gets next.
 */
export class WikiWatcher {
  /** Settles after the first look: from then on, no change is missed. */
  readonly begun: Promise<void>;
  readonly #parts: WatcherParts;
  readonly #ending = new AbortController();
  readonly #kept: LiveEvent[] = [];
  /** The number of the next event. */
  #count = 0;
  #head: string | undefined;

  constructor(parts: WatcherParts) {
    this.#parts = parts;
    this.begun = this.#begin();
  }

  get count(): number {
    return this.#count;
  }

  /** The event of a number; if it is no longer kept, one that stands for all up to the newest, with its number. */
  event(number: number): { event: LiveEvent; next: number } | null {
    const oldest = this.#count - this.#kept.length;
    const newest = this.#kept.at(-1);
    if (number >= this.#count || newest === undefined) return null;
    if (number < oldest) return { event: anyChangeEvent(newest.commit), next: this.#count };
    return { event: this.#kept[number - oldest] ?? newest, next: number + 1 };
  }

  /** The place to go on from for a follower whose last event was that of `commit`, and the event of what it missed. */
  async resume(commit: string): Promise<{ next: number; missed: LiveEvent | null }> {
    const next = this.#count;
    const at = this.#kept.findLastIndex((each) => each.commit === commit);
    if (at !== -1) return { next: next - this.#kept.length + at + 1, missed: null };
    try {
      return { next, missed: changeEvent(this.#parts.wiki, await this.#parts.look(commit)) };
    } catch {
      // The commit may be one of another wiki.
      return { next, missed: this.#head === undefined ? null : anyChangeEvent(this.#head) };
    }
  }

  end(): void {
    this.#ending.abort();
  }

  async #begin(): Promise<void> {
    this.#head = (await this.#parts.look()).commit ?? undefined;
    void this.#run();
  }

  async #run(): Promise<void> {
    const { pause, everyMs } = this.#parts;
    const { signal } = this.#ending;
    for (let failures = 0; !signal.aborted; ) {
      const wait = Math.min(everyMs() * 2 ** failures, MAX_WAIT_MS);
      await pause(wait, signal).catch(() => {});
      if (signal.aborted) return;
      // A wiki that cannot be reached is looked at again later, from the same commit on.
      failures = await this.#look().then(
        () => 0,
        () => failures + 1,
      );
    }
  }

  async #look(): Promise<void> {
    const known = this.#head;
    const found = await this.#parts.look(known).catch((error: unknown) => {
      if (absenceIn(error) === 'missing' && known !== undefined) return null;
      throw error;
    });
    // The known commit is gone: the wiki was put back, or is another one.
    const { commit } = found ?? (await this.#parts.look());
    if (commit === null || commit === known) return;
    this.#head = commit;
    const isKnown = found !== null && known !== undefined;
    const event = isKnown ? changeEvent(this.#parts.wiki, found) : anyChangeEvent(commit);
    if (event === null) return;
    this.#kept.push(event);
    this.#count += 1;
    if (this.#kept.length > MAX_KEPT) this.#kept.shift();
    this.#parts.changed();
  }
}

/** A follower that is further behind reads its page again once, which costs it less. */
const MAX_KEPT = 64;

/** Between looks at a wiki that cannot be reached. */
const MAX_WAIT_MS = 10_000;
