/** One call of the function, as an execution environment gets it. */
export interface Invocation {
  readonly requestId: string;
  readonly payload: Buffer;
  /** With version or alias, as the caller named it. */
  readonly functionArn: string;
  readonly trace: Trace;
}

/**
 * The place of an invocation in a trace: `segment` is the parent of all segments that the function reports.
 */
export interface Trace {
  readonly root: string;
  readonly segment: string;
  readonly sampled: boolean;
}

/** The outcome of an invocation; AWS reports `function-error` by `X-Amz-Function-Error`. */
export interface Outcome {
  readonly kind: 'reply' | 'function-error';
  readonly payload: Buffer;
}

/** An error of the function or of its environment, in AWS's form. */
export function functionError(errorType: string, errorMessage: string): Outcome {
  return { kind: 'function-error', payload: Buffer.from(JSON.stringify({ errorType, errorMessage })) };
}

/** The maximum payload of Lambda in each direction, in bytes. */
export const payloadLimit = 6_291_556;
/** The maximum of an answer that the function streams. */
export const streamLimit = 200 * 2 ** 20;

export function traceHeader({ root, segment, sampled }: Trace): string {
  return `Root=${root};Parent=${segment};Sampled=${sampled ? 1 : 0}`;
}
