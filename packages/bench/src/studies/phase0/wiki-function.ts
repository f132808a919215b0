import type { LambdaClient } from '@aws-sdk/client-lambda';
import { parseInput } from '@pagetree/wiki/contract';
import { FunctionFailure, type Invocation, invoke } from '../invoke.ts';
import { caller, FIRST_CALL, type TimedCall } from './wiki-calls.ts';

/** Looks up the parts of a call in its trace, in milliseconds. */
type Traced = (traceId: string) => Promise<Record<string, number>>;

/**
 * Calls the wiki's function, on AWS or in the Lambda lab. The function's own time is that of the REPORT line, its
 * start included if there was one; the parts of a call are what the function logs, and add up to wall time.
 * @param traced `start` gives more parts of a start, which lie within the others; `call` gives the parts of the handler.
 */
export function callsOfFunction(
  client: LambdaClient,
  functionArn: string,
  traced: { start?: Traced; call?: Traced } = {},
): TimedCall {
  return async (operation, input) => {
    const event = { pagetree: 1, operation, input: parseInput(operation, input), caller };
    const called = await invoke(client, functionArn, event);
    const reply = called.answer as { ok: boolean; output?: unknown; error?: { text: { happened: string } } };
    if (!reply.ok) throw new FunctionFailure(reply.error?.text.happened ?? 'The wiki gave no reason.');
    const { duration_ms, init_ms, wall_ms } = called;
    const lookUp = async (look: Traced | undefined) =>
      look === undefined || called.trace_id === null ? {} : look(called.trace_id);
    const parts = partsOfStart(called);
    const cold = parts && { ...parts, ...(await lookUp(traced.start)) };
    const warm = parts === null ? partsOfCall(called, await lookUp(traced.call)) : undefined;
    const timing = { function_ms: duration_ms + (init_ms ?? 0), wall_ms, cold, ...(warm && { warm }) };
    return { output: reply.output, timing };
  };
}

/** The runtime's part is what the REPORT line has beyond the handler: it thaws, fetches the event and sends the answer. */
function partsOfCall(
  { duration_ms, wall_ms, logged }: Invocation,
  phases: Readonly<Record<string, number>>,
): Record<string, number> | undefined {
  const handler = logged.find((line) => 'operation' in line)?.duration;
  if (typeof handler !== 'number') return undefined;
  const known = Object.values(phases).reduce((sum, phase) => sum + phase, 0);
  return {
    ...phases,
    [known === 0 ? 'handler' : 'rest of the handler']: handler - known,
    'Lambda runtime': duration_ms - handler,
    'network and Lambda': wall_ms - duration_ms,
  };
}

function partsOfStart({ init_ms, duration_ms, wall_ms, logged }: Invocation): Record<string, number> | null {
  if (init_ms === null) return null;
  const reported = logged.find((line) => 'init' in line)?.init as Partial<Record<string, number>> | undefined;
  const { runtime = 0, import: imported = runtime, open = imported } = reported ?? {};
  return {
    runtime,
    import: imported - runtime,
    open: open - imported,
    'rest of the start': init_ms - open,
    [FIRST_CALL]: duration_ms,
    'network and Lambda': wall_ms - init_ms - duration_ms,
  };
}
