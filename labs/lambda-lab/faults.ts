import type { Environment } from './environment.ts';
import type { Outcome } from './invocation.ts';

/** The faults that can occur between a caller and the function. */
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
  /** The function runs to its end, and the connection is cut instead of replying. */
  | { readonly kind: 'lose-reply' }
  /** The function runs to its end, and its answer is held back until the fault is released. */
  | { readonly kind: 'hold-reply' }
  /** The environment is killed this long after it got the event, unless it has answered by then. */
  | { readonly kind: 'kill'; readonly afterMs: number; readonly why?: 'timeout' | 'memory' }
  /** The environment stops this long after it got the event, until it is released. Its timeout stops, too. */
  | { readonly kind: 'freeze'; readonly afterMs: number }
  /** The function runs to its end, and the caller gets this answer instead. */
  | { readonly kind: 'function-error'; readonly outcome: Outcome };

/** A fault that waits for its invocation, or has met it. */
export class Provoked {
  readonly fault: Fault;
  /** Resolves when it has occurred. */
  readonly struck: Promise<void>;
  /** Resolves when `release` was called. */
  readonly released: Promise<void>;
  readonly #strike: () => void;
  readonly #letGo: () => void;
  #frozen: Environment | null = null;

  constructor(fault: Fault) {
    this.fault = fault;
    const [struck, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    this.struck = struck.promise;
    this.released = released.promise;
    this.#strike = struck.resolve;
    this.#letGo = released.resolve;
  }

  /** Continues whatever a `freeze` stopped, and sends the answer that a `hold-reply` holds. */
  release(): void {
    this.#letGo();
    this.#frozen?.release();
    this.#frozen = null;
  }

  /** Called by the code that causes the fault, once it has occurred. */
  hasStruck(): void {
    this.#strike();
  }

  /** Causes a fault of an environment at work; the returned function cancels it. */
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
