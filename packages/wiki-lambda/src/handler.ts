import {
  dispatch,
  type ErrorCode,
  operations,
  type Reply,
  type Wiki,
  type WikiError,
} from '@pagetree/wiki/contract';
import { startDeadline, withinDeadline } from './deadline.ts';
import { type CallRecord, describeEvent, isFault, logLine } from './operation-log.ts';
import type { Clock, Tell, Tracer } from './tracing.ts';

/** What of Lambda's context is used. */
export interface InvocationContext {
  awsRequestId: string;
  getRemainingTimeInMillis(): number;
}

export interface HandlerParts {
  wiki: Wiki;
  /** As `name:version`. */
  functionName: string;
  tracer: Tracer;
  /** The trace of the invocation that is under way. */
  traceHeader(): string | undefined;
  /** Takes one line. */
  log(line: string): void;
  /** When each part of the start had ended, in milliseconds since the process started; told by the first call. */
  init: Record<string, number>;
  clock: Clock;
}

export type Handler = (event: unknown, context: InvocationContext) => Promise<Reply>;

/**
 * Answers one invocation: what came is dispatched to the wiki, within the time that is left, and told by one line of
 * the log and one document of the trace. After the answer the environment freezes, so nothing is left for then.
 */
export function createHandler(parts: HandlerParts): Handler {
  const { wiki, functionName, tracer, traceHeader, log, clock } = parts;
  let init: HandlerParts['init'] | null = parts.init;

  return async (event, context) => {
    const started = clock.monotonic();
    const record = describeEvent(event);
    const deadline = startDeadline(context.getRemainingTimeInMillis());
    let error: WikiError | null = null;
    const onError = (thrown: WikiError) => {
      error = thrown;
    };
    const answer = () =>
      dispatch(withinDeadline(wiki, deadline), event, { signal: deadline.signal, onError });
    const reply = await tracer.operation(
      traceHeader(),
      record.operation ?? 'unknown operation',
      answer,
      tell,
    );
    deadline.clear();
    const durationMs = clock.monotonic() - started;
    const invocation = { id: context.awsRequestId, durationMs, timestamp: clock.now() };
    const [outcome, commit] = [outcomeOf(reply), commitOf(record, reply)];
    log(logLine({ record, functionName, invocation, outcome, commit, error, init }));
    init = null;
    return reply;
  };
}

function outcomeOf(reply: Reply): 'ok' | ErrorCode {
  return reply.ok ? 'ok' : reply.error.code;
}

/** Reads tell a commit too, of what they read: only that of a change is somebody's doing. */
function commitOf({ operation, isDryRun }: CallRecord, reply: Reply): string | null {
  const wrote = operation !== null && operations[operation].effect === 'write' && !isDryRun;
  if (!wrote || !reply.ok) return null;
  const { commit, changed } = reply.output as { commit?: unknown; changed?: unknown };
  return typeof commit === 'string' && changed !== false ? commit : null;
}

const tell: Tell<Reply> = (reply) => {
  const outcome = outcomeOf(reply);
  const kind = outcome === 'busy' ? 'throttle' : isFault(outcome) ? 'fault' : 'error';
  return { ...(outcome !== 'ok' && { [kind]: true }), annotations: { outcome } };
};
