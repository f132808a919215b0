import { otherSideOlder, unreadableOutput, whatIsUnknown } from './contract-difference.ts';
import { effectOf } from './effect.ts';
import { CONTRACT_VERSION, type Reply, type Request, reply } from './envelope.ts';
import { WikiError } from './errors.ts';
import { withoutDefaults } from './given.ts';
import { type OperationName, operations } from './operations.ts';
import { type Call, type Wiki, wikiOf } from './wiki.ts';

/** Sends one request to the wiki and returns its reply. Throws WikiError if that fails. */
export type Send = (request: Request, call: Pick<Call, 'signal'>) => Promise<unknown>;

/**
 * The counterpart of `dispatch`: a Wiki whose every call travels through `send`. Inputs are parsed already.
 */
export function connect(send: Send): Wiki {
  const ask = asker(send);
  return wikiOf((name, input, call) => callThrough(ask, name, input, call));
}

type Ask = (request: Request, name: OperationName, call: Call) => Promise<Reply>;

/**
 * Sends this side's contract version once the other side has sent its own, and stops if the other side was
 * rolled back.
 */
function asker(send: Send): Ask {
  let isSaid = false;
  const ask: Ask = async (request, name, call) => {
    const said = isSaid;
    const sent = said ? { ...request, contract: CONTRACT_VERSION } : request;
    const answer = reply.safeParse(await send(sent, { signal: call.signal }));
    if (!answer.success) throw notAReply(name, request.input);
    isSaid = answer.data.contract !== undefined;
    // A side of version 1 refuses a request with an unknown field before doing anything.
    return said && !isSaid ? ask(request, name, call) : answer.data;
  };
  return ask;
}

async function callThrough(ask: Ask, name: OperationName, input: unknown, call: Call): Promise<unknown> {
  const given = withoutDefaults(operations[name].input, withContent(input, call));
  const { caller, scope } = call;
  const request = { pagetree: 1, operation: name, input: given, caller, ...(scope && { scope }) } as const;
  const answer = await ask(request, name, call);
  if (answer.ok) {
    const output = operations[name].output.safeParse(answer.output);
    if (!output.success) throw unreadableOutput(name, given, answer.contract);
    return withoutContent(output.data, call);
  }
  const { code, text, data } = answer.error;
  const unknown = whatIsUnknown(name, answer);
  throw unknown === null ? new WikiError(code, text, data) : otherSideOlder(unknown, answer.contract);
}

/** Bytes travel as Base64. */
function withContent(input: unknown, { bytes }: Call): unknown {
  if (bytes === undefined || typeof input !== 'object') return input;
  const { buffer, byteOffset, byteLength } = bytes;
  return { ...input, content: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
}

function withoutContent(output: object, { takeBytes }: Call): object {
  if (takeBytes === undefined || !('content' in output) || typeof output.content !== 'string') return output;
  takeBytes(Buffer.from(output.content, 'base64'));
  return { ...output, content: null };
}

/** After this, the caller cannot know whether a write was committed. */
function notAReply(name: OperationName, input: unknown): WikiError {
  const isWrite = effectOf(name, input) === 'write';
  return new WikiError(isWrite ? 'write_state_unknown' : 'backend_unavailable', {
    happened: 'What answered is not a Pagetree wiki of this version.',
    now: isWrite ? 'The write may or may not have been committed.' : 'Nothing was read or changed.',
    next: 'Check that the server and the backend are of the same version; read the page before you write again.',
  });
}
