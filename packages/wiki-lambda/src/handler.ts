import {
  contractOfThisSide,
  dispatch,
  type ErrorCode,
  errorReply,
  isStart,
  operations,
  type Reply,
  type WikiError,
} from '@pagetree/wiki/contract';
import type { Admit } from './admission.ts';
import { startDeadline, withinDeadline } from './deadline.ts';
import { type CallRecord, describeEvent, isFault, logLine, type MaintenanceRound } from './operation-log.ts';
import type { Clock, Describe, Tracer } from './tracing.ts';

/** The used parts of Lambda's context. */
export interface InvocationContext {
  awsRequestId: string;
  getRemainingTimeInMillis(): number;
}

export interface HandlerParts {
  admit: Admit;
  /** As `name:version`. */
  functionName: string;
  tracer: Tracer;
  /** The trace of the current invocation. */
  traceHeader(): string | undefined;
  /** Writes one line. */
  log(line: string): void;
  /** The end of each part of the start, in milliseconds since the process started. The first call logs it. */
  init: Record<string, number>;
  clock: Clock;
}

export type Handler = (event: unknown, context: InvocationContext) => Promise<Reply>;

/**
 * Answers one invocation: dispatches the event to the wiki, within the remaining time, and records it with
 * one log line and one trace document. After the answer the environment freezes, so no work is left for
 * later.
 */
export function createHandler(parts: HandlerParts): Handler {
  const { admit, functionName, tracer, traceHeader, log, clock } = parts;
  let init: HandlerParts['init'] | null = parts.init;

  return async (event, context) => {
    // The environment has started, which is all that was asked for. The first call logs how long that took.
    if (isStart(event)) return { ok: true, ...contractOfThisSide, output: {} };
    const started = clock.monotonic();
    const record = describeEvent(event);
    const deadline = startDeadline(context.getRemainingTimeInMillis(), record);
    let error: WikiError | null = null;
    const onError = (thrown: WikiError) => {
      error = thrown;
    };
    const admitted = await admit(event);
    const answer = async () => {
      if (admitted.kind === 'refused') return errorReply(admitted.error);
      const { wiki, request } = admitted;
      return dispatch(withinDeadline(wiki, deadline), request, { signal: deadline.signal, onError });
    };
    const reply = await tracer.operation(
      traceHeader(),
      record.operation ?? 'unknown operation',
      answer,
      describe,
    );
    deadline.clear();
    const durationMs = clock.monotonic() - started;
    const invocation = { id: context.awsRequestId, durationMs, timestamp: clock.now() };
    const [outcome, commit, round] = [outcomeOf(reply), commitOf(record, reply), roundOf(record, reply)];
    const person = admitted.kind === 'admitted' ? admitted.person : null;
    const refused = admitted.kind === 'refused' ? admitted.why : null;
    log(logLine({ record, functionName, invocation, person, refused, outcome, round, commit, error, init }));
    init = null;
    return reply;
  };
}

function outcomeOf(reply: Reply): 'ok' | ErrorCode {
  return reply.ok ? 'ok' : reply.error.code;
}

/** The progress of the maintenance of all wikis, even if it failed in one of them. */
function roundOf({ operation }: CallRecord, reply: Reply): MaintenanceRound | null {
  if (operation !== 'maintain_wiki') return null;
  const data = reply.ok ? reply.output : reply.error.data;
  return operations.maintain_wiki.output.shape.round.catch(null).parse((data as { round?: unknown }).round);
}

/** Reads return a commit too, the one that they read: only the commit of a change was made by a caller. */
function commitOf({ operation, isDryRun }: CallRecord, reply: Reply): string | null {
  const wrote = operation !== null && operations[operation].effect === 'write' && !isDryRun;
  if (!wrote || !reply.ok) return null;
  const { commit, changed } = reply.output as { commit?: unknown; changed?: unknown };
  return typeof commit === 'string' && changed !== false ? commit : null;
}

const describe: Describe<Reply> = (reply) => {
  const outcome = outcomeOf(reply);
  const kind = outcome === 'busy' ? 'throttle' : isFault(outcome) ? 'fault' : 'error';
  return { ...(outcome !== 'ok' && { [kind]: true }), annotations: { outcome } };
};
