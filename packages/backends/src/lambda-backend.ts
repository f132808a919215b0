import {
  connect,
  effectOf,
  type OperationName,
  type Request,
  reply,
  type Send,
  START,
  type Wiki,
  WikiError,
} from '@pagetree/wiki/contract';
import type { Backend } from './backend.ts';
import type { AwsConfig } from './config.ts';
import { type FunctionClient, openFunctionClient } from './lambda-client.ts';
import { explainFailure, outcomeUnknown, readUnanswered } from './lambda-failures.ts';
import { withReaderFallback } from './reader-fallback.ts';
import { pauseBefore, type Retries, waitFor } from './retries.ts';
import { functionsOfStack } from './stack-outputs.ts';

/**
 * The maximum payload that Lambda takes and returns, in bytes.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const payloadLimit = 6_291_556;

/** Not a real AWS account: emulators such as `pnpm lab lambda` use it. */
const EMULATED_ACCOUNT = '000000000000';

/** Changes each attempt of a request before it is sent, as by adding a proof of who asks. */
export type Seal = (request: Request) => Promise<Request>;

export interface LambdaBackend extends Backend {
  /** The same wiki with each attempt of a request sealed. */
  sealedWith(seal: Seal): Wiki;
  /** Starts an environment of the function. Rejects if it cannot be called. */
  start(): Promise<void>;
}

/** The wikis of a configuration on AWS, with retry pauses that suit Lambda. */
export function openAwsBackend(aws: AwsConfig, wiki: string | null): LambdaBackend {
  const retries = { attempts: 6, firstPauseMs: 100, longestPauseMs: 3_000, random: Math.random };
  if ('function' in aws) {
    return openLambdaBackend({
      open: () => openFunction(aws.function),
      place: `the function ${aws.function}`,
      wiki,
      retries,
    });
  }
  return openLambdaBackend({
    open: () => openStack(aws.stack),
    place: `the stack ${aws.stack}`,
    wiki,
    retries,
  });
}

async function openStack(stack: string): Promise<FunctionClient> {
  const { writer, reader } = await functionsOfStack(stack);
  const client = await openFunction(writer);
  return reader === null ? client : withReaderFallback(client, () => openFunction(reader));
}

/** An ARN names its region, which takes precedence over the settings. */
function openFunction(functionName: string): Promise<FunctionClient> {
  const [, region = null, account] = /^arn:[\w-]+:lambda:([\w-]+):(\d*)/.exec(functionName) ?? [];
  return openFunctionClient({ functionName, region, emulated: account === EMULATED_ACCOUNT });
}

interface LambdaBackendOptions {
  /** Finds the function. Called again if it failed. */
  open: () => Promise<FunctionClient>;
  /** The function or stack as the person named it. */
  place: string;
  wiki: string | null;
  retries: Retries;
}

/**
 * The wiki behind a Lambda function. Nothing here needs AWS before the first call, so that the list of tools always
 * works; the connection is made in the meantime. A call that was throttled or whose reply was lost is sent again with
 * the same request id, which the wiki applies once.
 */
function openLambdaBackend({ open, place, wiki, retries }: LambdaBackendOptions): LambdaBackend {
  let opening: Promise<FunctionClient> | null = null;
  const client = (): Promise<FunctionClient> => {
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  const sender =
    (seal: Seal): Send =>
    async (request, { signal }) => {
      const sent = withDefaultWiki(request, wiki);
      const payload = async () => encode(await seal(sent));
      const answer = await sendUntilAnswered({ client, payload, request, place, retries, signal });
      return sent === request ? answer : explainDefaultWiki(answer, wiki);
    };
  // A failure here repeats at the first call, which reports it.
  client()
    .then((opened) => opened.warm())
    .catch(() => {});
  return {
    wiki: connect(sender(async (request) => request)),
    sealedWith: (seal) => connect(sender(seal)),
    async start() {
      await (await client()).invoke(new TextEncoder().encode(JSON.stringify(START)), undefined);
    },
    place,
    // Each look for changes is a call that costs money.
    isRemote: true,
    watchEveryMs: 30_000,
    close: async () => (await opening?.catch(() => null))?.close(),
  };
}

interface Sending {
  client: () => Promise<FunctionClient>;
  /** Made anew for each attempt. */
  payload: () => Promise<Uint8Array>;
  request: Request;
  place: string;
  retries: Retries;
  signal: AbortSignal | undefined;
}

async function sendUntilAnswered({
  client,
  payload,
  request,
  place,
  retries,
  signal,
}: Sending): Promise<unknown> {
  /**
   * Once an attempt may have reached the function, its effect is unknown unless a later attempt is answered.
   */
  let mayHaveRun = false;
  for (let attempt = 1; ; attempt += 1) {
    // Before anything is tried: what cannot be sent was not sent.
    const bytes = await payload();
    try {
      return await (await client()).invoke(bytes, signal);
    } catch (error) {
      const failure = explainFailure(error, place);
      mayHaveRun ||= failure.mayHaveRun;
      const failed = mayHaveRun ? unanswered(failure.error, request) : failure.error;
      if (attempt === retries.attempts || !failure.passes) throw failed;
      await waitFor(pauseBefore(attempt, retries), signal);
      // Another attempt would only report that it was given up, as if it had been sent.
      if (signal?.aborted) throw failed;
    }
  }
}

function unanswered(error: WikiError, request: Request): WikiError {
  return isWrite(request) ? outcomeUnknown(error, request) : readUnanswered(error);
}

function encode(request: Request): Uint8Array {
  const payload = new TextEncoder().encode(JSON.stringify(request));
  if (payload.byteLength <= payloadLimit) return payload;
  throw new WikiError(
    'too_large',
    {
      happened: `The call has ${payload.byteLength} bytes; AWS Lambda takes ${payloadLimit}.`,
      now: 'It was not sent, and nothing was changed.',
      next: 'Send less at once.',
    },
    { bytes: payload.byteLength, most: payloadLimit },
  );
}

/** Adds the default wiki to a request. A call for all wikis gets none. */
function withDefaultWiki(request: Request, wiki: string | null): Request {
  const { input } = request;
  if (wiki === null || typeof input !== 'object' || input === null || 'wiki' in input) return request;
  if ('all' in input && input.all === true) return request;
  return { ...request, input: { ...input, wiki } };
}

/**
 * Corrects the advice of an error. The function knows only its own default, and would advise to leave `wiki`
 * out, as the caller did.
 */
function explainDefaultWiki(answer: unknown, wiki: string | null): unknown {
  const parsed = reply.safeParse(answer);
  if (!parsed.success || parsed.data.ok) return answer;
  const { code, text, data } = parsed.data.error;
  const [first] = Array.isArray(data.wikis) ? data.wikis : [];
  if (code !== 'not_found' || first === undefined) return answer;
  const atTerminal = `Name another one, as --wiki ${first}.`;
  const next = `Pass wiki: ${JSON.stringify(first)}. Where none is named, ${JSON.stringify(wiki)} is meant: ask the person who runs this server to name another (--wiki or PAGETREE_WIKI).`;
  return { ...parsed.data, error: { code, text: { ...text, next, atTerminal }, data } };
}

function isWrite({ operation, input }: Request): boolean {
  return effectOf(operation as OperationName, input) === 'write';
}
