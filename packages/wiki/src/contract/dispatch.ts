import { contractOfThisSide, errorReply, type Reply, request } from './envelope.ts';
import { toWikiError, WikiError } from './errors.ts';
import { type OperationName, operations } from './operations.ts';
import { parseInput, parseOperationName } from './parse-input.ts';
import { takeContent } from './uploads/take-content.ts';
import { withSideToUpdate } from './versions/contract-difference.ts';
import { type Call, methodOf, type Wiki } from './wiki.ts';

/** Settings and callbacks of a host for a call. */
export interface DispatchOptions {
  signal?: AbortSignal | undefined;
  /** Called with the error of a failed call, including its cause, which the reply does not show. */
  onError?: ((error: WikiError) => void) | undefined;
}

/** Answers one request from outside, whatever it is. Never throws. */
export async function dispatch(wiki: Wiki, event: unknown, options: DispatchOptions = {}): Promise<Reply> {
  try {
    const parsed = request.safeParse(event);
    if (!parsed.success) throw notARequest();
    const { operation, input, caller, scope, content } = parsed.data;
    const call: Call = { caller, scope, signal: options.signal };
    if (content !== undefined) call.bytes = await takeContent(wiki, input, content, call);
    return { ok: true, ...contractOfThisSide, output: await callOperation(wiki, operation, input, call) };
  } catch (error) {
    const wikiError = withSideToUpdate(toWikiError(error), event);
    options.onError?.(wikiError);
    return errorReply(wikiError);
  }
}

/** Parses name and input, calls the operation, and checks its output against the contract. */
export async function callOperation(wiki: Wiki, name: string, input: unknown, call: Call): Promise<unknown> {
  const operation = parseOperationName(name);
  return parseOutput(operation, await methodOf(wiki, operation)(parseInput(operation, input), call));
}

/** An output that does not fit the contract is our defect: throws zod's error, which becomes `internal`. */
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
