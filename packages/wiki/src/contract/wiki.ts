import { type Input, type OperationName, type Output, operationNames } from './operations.ts';
import type { Scope } from './scope.ts';

/**
 * A wiki, or a directory of wikis, one of which each call names. Has a method for each operation. Every
 * method throws WikiError and nothing else.
 */
export type Wiki = {
  [Name in OperationName]: (input: Input<Name>, call: Call) => Promise<Output<Name>>;
};

/** A Wiki made of one function, which every method calls with the name of its operation. */
export function wikiOf(answer: (name: OperationName, input: unknown, call: Call) => Promise<unknown>): Wiki {
  const methods = operationNames.map((name) => [
    name,
    (input: unknown, call: Call) => answer(name, input, call),
  ]);
  return Object.fromEntries(methods) as Wiki;
}

/**
 * The same wiki, with each call made by `around`, which gets the operation, the function that runs it, and
 * its input.
 */
export function aroundEach(
  wiki: () => Promise<Wiki>,
  around: (operation: OperationName, run: () => Promise<unknown>, input: unknown) => Promise<unknown>,
): Wiki {
  return wikiOf((name, input, call) => {
    const run = async () => methodOf(await wiki(), name)(input, call);
    return around(name, run, input);
  });
}

/** The method of an operation whose name is known only at run time. */
export function methodOf(wiki: Wiki, name: OperationName) {
  return wiki[name] as (input: unknown, call: Call) => Promise<unknown>;
}

/** The context of a call besides its input. */
export interface Call {
  caller: Caller;
  /** The person for whom the call is made, if the host knows: unlike `caller`, nobody else can claim to be them. */
  person?: string | undefined;
  /** The parts of the wiki to which the call is limited; by default the whole. */
  scope?: Scope | undefined;
  /** Cancels the call: nothing is begun after it that has not been committed. */
  signal?: AbortSignal | undefined;
  /** Called during long work with `done` of `total` (0 if unknown). */
  progress?: ((done: number, total: number, message: string) => void) | undefined;
  /** A file's bytes in place of the input's `content`: a wiki in the same process needs no Base64. */
  bytes?: Uint8Array | undefined;
  /** Receives a file's bytes in place of the output's `content`, which is then null. */
  takeBytes?: ((bytes: Uint8Array) => void) | undefined;
  /**
   * Called before a file's bytes are read: if it answers no, they are neither read nor given. The caller may also use it
   * to make room for them. A wiki in another process does not ask, and gives them.
   */
  wantsBytes?: ((file: { version: string; size: number }) => Promise<boolean>) | undefined;
}

/** The caller: it becomes the commit's author and its `Agent:` trailer. */
export interface Caller {
  author: Author;
  /** The client's name and version, such as `claude-code/2.1`; null if a person writes directly. */
  agent: string | null;
}

export interface Author {
  name: string;
  email: string;
}
