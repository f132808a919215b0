import type { Environment } from './environment.ts';
import type { Outcome } from './invocation.ts';

/** What can go wrong between a caller and the function. */
export type Fault =
  /** The concurrency limit is reached, whatever it is: nothing runs. */
  | { readonly kind: 'throttle'; readonly retryAfterSeconds?: number }
  /** AWS itself answers, and nothing runs: no permission, an expired token, a file system that cannot be mounted. */
  | {
      readonly kind: 'respond';
      readonly status: number;
      readonly errorType: string;
      readonly message: string;
    }
  /** The function runs to its end, and the connection is cut in place of its reply. */
  | { readonly kind: 'lose-reply' }
  | { readonly kind: 'delay-reply'; readonly milliseconds: number }
  /** The environment is killed so long after it got the event; nothing where it has answered by then. */
  | { readonly kind: 'kill'; readonly afterMs: number; readonly why?: 'timeout' | 'memory' }
  /** The environment stands still so long after it got the event, until it is released; its timeout waits, too. */
  | { readonly kind: 'freeze'; readonly afterMs: number }
  /** The function runs to its end, and this is answered in place of what it said. */
  | { readonly kind: 'function-error'; readonly outcome: Outcome };

/** A fault that waits for its invocation, or has met it. */
export class Provoked {
  readonly fault: Fault;
  /** Resolves when it has struck. */
  readonly struck: Promise<void>;
  readonly #strike: () => void;
  #frozen: Environment | null = null;

  constructor(fault: Fault) {
    this.fault = fault;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.struck = promise;
    this.#strike = resolve;
  }

  /** Lets go on what a `freeze` holds. */
  release(): void {
    this.#frozen?.release();
    this.#frozen = null;
  }

  /** To be called when the fault has happened, by whoever makes it happen. */
  hasStruck(): void {
    this.#strike();
  }

  /** Makes happen what happens to an environment while it works; the returned function ends the danger. */
  threaten(environment: Environment): () => void {
    const { fault } = this;
    if (fault.kind !== 'kill' && fault.kind !== 'freeze') return () => {};
    const timer = setTimeout(() => {
      if (fault.kind === 'kill') environment.kill(fault.why);
      else this.#freeze(environment);
      this.hasStruck();
    }, fault.afterMs);
    return () => clearTimeout(timer);
  }

  #freeze(environment: Environment): void {
    this.#frozen = environment;
    environment.hold();
  }
}
