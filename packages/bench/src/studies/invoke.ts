import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';

/** The result of one call of a function, as Lambda reports it. */
export interface Invocation {
  /** The function's answer, parsed. */
  readonly answer: unknown;
  /** From the REPORT line of the log tail: the function's own time, and that of its start if there was one. */
  readonly duration_ms: number;
  readonly init_ms: number | null;
  /** As the caller saw it. */
  readonly wall_ms: number;
  /** The id of the call's trace in X-Ray, which not every call has. */
  readonly trace_id: string | null;
  /** The lines of the log tail that are objects of JSON. */
  readonly logged: readonly Record<string, unknown>[];
}

/**
 * Calls a function and waits for its answer and the tail of its log, on AWS or in the Lambda lab.
 * @throws FunctionFailure if the function failed; the errors of the SDK if it was not reached.
 */
export async function invoke(client: LambdaClient, functionArn: string, event: unknown): Promise<Invocation> {
  const command = new InvokeCommand({
    FunctionName: functionArn,
    Payload: JSON.stringify(event),
    LogType: 'Tail',
  });
  const started = performance.now();
  const { FunctionError, Payload, LogResult } = await client.send(command);
  const wall = performance.now() - started;
  const text = Payload?.transformToString() ?? '';
  if (FunctionError !== undefined) throw new FunctionFailure(reasonIn(text));
  const tail = Buffer.from(LogResult ?? '', 'base64').toString();
  const init = millisecondsIn(tail, /\tInit Duration: ([\d.]+) ms/);
  return {
    answer: JSON.parse(text),
    duration_ms: millisecondsIn(tail, /\tDuration: ([\d.]+) ms/) ?? Number.NaN,
    init_ms: init,
    wall_ms: wall,
    trace_id: /XRAY TraceId: ([\w-]+)\t.*Sampled: true/.exec(tail)?.[1] ?? null,
    logged: tail.split('\n').flatMap(jsonObject),
  };
}

/** Lambda reports a failure as JSON, with a stack of the function that is no reason. */
function reasonIn(payload: string): string {
  const [reported] = jsonObject(payload);
  return reported === undefined ? payload : `${reported.errorType}: ${reported.errorMessage}`;
}

function millisecondsIn(tail: string, pattern: RegExp): number | null {
  const found = pattern.exec(tail)?.[1];
  return found === undefined ? null : Number(found);
}

/** The tail begins in the middle of a line, and not every line is JSON. */
function jsonObject(line: string): Record<string, unknown>[] {
  if (!line.startsWith('{')) return [];
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** Lambda's own answer if the function did not answer: killed, timed out, or thrown. */
export class FunctionFailure extends Error {}
