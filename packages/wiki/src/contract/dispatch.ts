import { errorReply, type Reply, request } from './envelope.ts';
import { toWikiError, WikiError } from './errors.ts';
import { type OperationName, operations } from './operations.ts';
import { parseInput, parseOperationName } from './parse-input.ts';
import type { Call, Wiki } from './wiki.ts';

/** What a host may add to a call, and what it is told of one. */
export interface DispatchOptions {
  signal?: AbortSignal | undefined;
  /** Called with what a failed call threw, its cause included, which the reply does not show. */
  onError?: ((error: WikiError) => void) | undefined;
}

/** Answers one request that came from outside, whatever it is; never throws. */
export async function dispatch(wiki: Wiki, event: unknown, options: DispatchOptions = {}): Promise<Reply> {
  try {
    const parsed = request.safeParse(event);
    if (!parsed.success) throw notARequest();
    const { operation, input, caller, scope } = parsed.data;
    return {
      ok: true,
      output: await callOperation(wiki, operation, input, { caller, scope, signal: options.signal }),
    };
  } catch (error) {
    const wikiError = toWikiError(error);
    options.onError?.(wikiError);
    return errorReply(wikiError);
  }
}

/** Parses name and input, calls the operation, and holds its output to the contract. */
export async function callOperation(wiki: Wiki, name: string, input: unknown, call: Call): Promise<unknown> {
  const operation = parseOperationName(name);
  const method = wiki[operation] as (input: unknown, call: Call) => Promise<unknown>;
  return parseOutput(operation, await method(parseInput(operation, input), call));
}

/** An output that does not fit the contract is a defect of ours: it throws what zod throws, which becomes `internal`. */
function parseOutput(operation: OperationName, output: unknown): unknown {
  return operations[operation].output.parse(output);
}

function notARequest(): WikiError {
  return new WikiError('invalid_input', {
    happened: 'The event is not a request to a wiki.',
    now: 'Nothing was read or changed.',
    next: 'Send {"pagetree": 1, "operation", "input", "caller"}, as the Pagetree server does.',
  });
}
