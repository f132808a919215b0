import { effectOf } from './effect.ts';
import { contractOfThisSide, type Reply, type Request, reply } from './envelope.ts';
import { WikiError } from './errors.ts';
import { withoutDefaults } from './given.ts';
import { type OperationName, operations } from './operations.ts';
import { MAX_BYTES_IN_REQUEST } from './uploads/content-reference.ts';
import { base64Of, ContentUploads } from './uploads/upload-content.ts';
import { refusedByContract, unreadableOutput } from './versions/contract-difference.ts';
import { type Call, type Wiki, wikiOf } from './wiki.ts';

/** Sends one request to the wiki and returns its reply. Throws WikiError if that fails. */
export type Send = (request: Request, call: Pick<Call, 'signal'>) => Promise<unknown>;

/**
 * The counterpart of `dispatch`: a Wiki whose every call travels through `send`. Inputs are parsed already.
 */
export function connect(send: Send): Wiki {
  const ask = asker(send);
  const uploads = new ContentUploads();
  return wikiOf((name, input, call) => callThrough({ ask, uploads }, name, input, call));
}

type Ask = (request: Request, name: OperationName, call: Call, stated?: number) => Promise<Reply>;

/**
 * Sends only those facts about this side's contract that the other side has stated about its own: an older side refuses
 * a request with a field that it does not know. If the other side was rolled back, sends fewer and asks again.
 */
function asker(send: Send): Ask {
  let known = 0;
  const ask: Ask = async (request, name, call, stated = known) => {
    const sent = { ...request, ...STATEMENTS[stated] };
    const answer = reply.safeParse(await send(sent, { signal: call.signal }));
    if (!answer.success) throw notAReply(name, request.input);
    const { ok, contract, fingerprint } = answer.data;
    const level = contract === undefined ? 0 : fingerprint === undefined ? 1 : 2;
    known = level;
    return !ok && level < stated ? ask(request, name, call, level) : answer.data;
  };
  return ask;
}

const { contract, fingerprint } = contractOfThisSide;
/** To a side of version 1, of version 2, and of later ones. */
const STATEMENTS = [{}, { contract }, { contract, fingerprint }];

interface OtherSide {
  ask: Ask;
  uploads: ContentUploads;
}

async function callThrough(
  side: OtherSide,
  name: OperationName,
  input: unknown,
  call: Call,
): Promise<unknown> {
  const given = withoutDefaults(operations[name].input, input);
  const { caller, scope } = call;
  const request = { pagetree: 1, operation: name, input: given, caller, ...(scope && { scope }) } as const;
  const answer = await answerTo(request, name, call, side);
  if (answer.ok) {
    const output = operations[name].output.safeParse(answer.output);
    if (!output.success) throw unreadableOutput(name, given, answer);
    return withoutContent(output.data, call);
  }
  const { code, text, data } = answer.error;
  throw refusedByContract(name, answer) ?? new WikiError(code, text, data);
}

/** Bytes travel as Base64 in the request if they fit, and otherwise in parts before it. */
async function answerTo(
  request: Request,
  name: OperationName,
  call: Call,
  { ask, uploads }: OtherSide,
): Promise<Reply> {
  const { bytes, progress } = call;
  if (bytes === undefined) return ask(request, name, call);
  if (bytes.length > MAX_BYTES_IN_REQUEST) {
    const reply = await uploads.ask(
      { request, bytes, progress },
      { part: (part) => ask(part, 'upload_part', call), call: (named) => ask(named, name, call) },
    );
    if (reply !== null) return reply;
    // A side that takes no parts: the bytes may still fit where requests have another limit.
  }
  return ask({ ...request, input: { ...(request.input as object), content: base64Of(bytes) } }, name, call);
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
