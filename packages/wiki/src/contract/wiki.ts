import type { Input, OperationName, Output } from './operations.ts';
import type { Scope } from './scope.ts';

/**
 * A wiki, or a directory of wikis of which each call names one: a method for each operation. Every method
 * throws WikiError and nothing else.
 */
export type Wiki = {
  [Name in OperationName]: (input: Input<Name>, call: Call) => Promise<Output<Name>>;
};

/** What comes with a call beside its input. */
export interface Call {
  caller: Caller;
  /** The parts of the wiki that the call is limited to; without it the whole. */
  scope?: Scope | undefined;
  /** Ends the call: what has not been committed by then is not begun. */
  signal?: AbortSignal | undefined;
  /** Told of long work, `done` of `total` (0 where it is not known). */
  progress?: ((done: number, total: number, message: string) => void) | undefined;
}

/** Who asks: it becomes the commit's author and its `Agent:` trailer. */
export interface Caller {
  author: Author;
  /** The client's name and version, such as `claude-code/2.1`; null where a person writes directly. */
  agent: string | null;
}

export interface Author {
  name: string;
  email: string;
}
