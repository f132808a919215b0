import type { LambdaClient } from '@aws-sdk/client-lambda';
import { parseInput } from '@pagetree/wiki/contract';
import { FunctionFailure, type Invocation, invoke } from '../invoke.ts';
import { caller, type TimedCall } from './wiki-calls.ts';

/**
 * Calls the wiki's function, on AWS or in the Lambda lab. The function's own time is that of the REPORT line, its
 * start included where there was one; the parts of a start are what the function tells of it, and add up to wall time.
 * @param traced more parts of a start, from its trace; they lie within the others.
 */
export function callsOfFunction(
  client: LambdaClient,
  functionArn: string,
  traced: (traceId: string) => Promise<Record<string, number>> = async () => ({}),
): TimedCall {
  return async (operation, input) => {
    const event = { pagetree: 1, operation, input: parseInput(operation, input), caller };
    const called = await invoke(client, functionArn, event);
    const reply = called.answer as { ok: boolean; output?: unknown; error?: { text: { happened: string } } };
    if (!reply.ok) throw new FunctionFailure(reply.error?.text.happened ?? 'The wiki gave no reason.');
    const { duration_ms, init_ms, wall_ms } = called;
    const parts = partsOfStart(called);
    const { trace_id: traceId } = called;
    const cold = parts && traceId !== null ? { ...parts, ...(await traced(traceId)) } : parts;
    const timing = { function_ms: duration_ms + (init_ms ?? 0), wall_ms, cold };
    return { output: reply.output, timing };
  };
}

function partsOfStart({ init_ms, duration_ms, wall_ms, logged }: Invocation): Record<string, number> | null {
  if (init_ms === null) return null;
  const told = logged.find((line) => 'init' in line)?.init as Partial<Record<string, number>> | undefined;
  const { runtime = 0, import: imported = runtime, open = imported } = told ?? {};
  return {
    runtime,
    import: imported - runtime,
    open: open - imported,
    'rest of the start': init_ms - open,
    'first call': duration_ms,
    'network and Lambda': wall_ms - init_ms - duration_ms,
  };
}
