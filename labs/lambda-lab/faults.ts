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
  | { readonly kind: 'delay-reply'; readonly milliseconds: number }
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
  readonly #strike: () => void;
  #frozen: Environment | null = null;

  constructor(fault: Fault) {
    this.fault = fault;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.struck = promise;
    this.#strike = resolve;
  }

  /** Continues whatever a `freeze` stopped. */
  release(): void {
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
