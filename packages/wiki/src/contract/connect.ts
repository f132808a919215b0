import { type Request, reply } from './envelope.ts';
import { WikiError } from './errors.ts';
import { type OperationName, operationNames, operations } from './operations.ts';
import type { Call, Wiki } from './wiki.ts';

/** Carries one request to where the wiki is and brings back its reply; throws WikiError where it cannot. */
export type Send = (request: Request, call: Pick<Call, 'signal'>) => Promise<unknown>;

/** The mirror of `dispatch`: a Wiki whose every call travels through `send`. */
export function connect(send: Send): Wiki {
  const methods = operationNames.map((name) => [
    name,
    (input: unknown, call: Call) => callThrough(send, name, input, call),
  ]);
  return Object.fromEntries(methods) as Wiki;
}

async function callThrough(send: Send, name: OperationName, input: unknown, call: Call): Promise<unknown> {
  const { caller, scope, signal } = call;
  const request = { pagetree: 1, operation: name, input, caller, ...(scope && { scope }) } as const;
  const answer = reply.safeParse(await send(request, { signal }));
  if (!answer.success) throw notAReply(name);
  if (answer.data.ok) {
    const output = operations[name].output.safeParse(answer.data.output);
    if (!output.success) throw notAReply(name);
    return output.data;
  }
  const { code, text, data } = answer.data.error;
  throw new WikiError(code, text, data);
}

/** Of a write nobody knows then whether it was committed. */
function notAReply(name: OperationName): WikiError {
  const isWrite = operations[name].effect === 'write';
  return new WikiError(isWrite ? 'write_state_unknown' : 'backend_unavailable', {
    happened: 'What answered is not a Pagetree wiki of this version.',
    now: isWrite ? 'The write may or may not have been committed.' : 'Nothing was read.',
    next: 'Check that the server and the backend are of the same version; read the page before you write again.',
  });
}
