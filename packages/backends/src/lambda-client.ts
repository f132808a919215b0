import type { InvokeCommandOutput } from '@aws-sdk/client-lambda';
import { requireRegion } from './require-region.ts';

export interface LambdaTarget {
  /** A name or an ARN, with an optional `:alias`. */
  functionName: string;
  /** The region that the ARN names; null leaves it to AWS's own settings. */
  region: string | null;
  /** Not on AWS: the emulator checks no signatures, so no credentials are needed. */
  emulated: boolean;
}

/** One function, over connections that are kept alive. */
export interface FunctionClient {
  /**
   * Sends one payload and returns the function's answer, parsed. Throws the SDK's errors, or FunctionFailure.
   */
  invoke(payload: Uint8Array, signal: AbortSignal | undefined): Promise<unknown>;
  /** Opens a connection and loads credentials without running the function. */
  warm(): Promise<void>;
  close(): void;
}

/** The function ended without an answer of its own: it crashed, ran out of time or memory, or answered too much. */
export class FunctionFailure extends Error {
  override readonly name = 'FunctionFailure';
  /** Such as `Sandbox.Timedout`; `Unhandled` if no more is known. */
  readonly type: string;
  readonly timedOut: boolean;

  constructor(type: string, timedOut: boolean) {
    super(`the function failed: ${type}`);
    this.type = type;
    this.timedOut = timedOut;
  }
}

/** Loads the SDK here and not earlier: the list of tools does not need it. */
export async function openFunctionClient(target: LambdaTarget): Promise<FunctionClient> {
  const { functionName, region, emulated } = target;
  const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  const client = new LambdaClient({
    ...(region !== null && { region }),
    ...(emulated && { credentials: { accessKeyId: 'none', secretAccessKey: 'none' } }),
    // The caller retries: only the caller knows which requests may be sent again.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: ANSWER_LIMIT_MS,
      throwOnRequestTimeout: true,
    },
  });
  await requireRegion(client, {
    place: `the function ${functionName}`,
    cure: 'Set AWS_REGION in the settings of this server, or give PAGETREE_FUNCTION the whole ARN.',
  });
  return {
    async invoke(payload, signal) {
      const command = new InvokeCommand({ FunctionName: functionName, Payload: payload });
      return readAnswer(await client.send(command, signal === undefined ? {} : { abortSignal: signal }));
    },
    async warm() {
      await client.send(new InvokeCommand({ FunctionName: functionName, InvocationType: 'DryRun' }));
    },
    close: () => client.destroy(),
  };
}

/**
 * Longer than the maximum run time of a function on Lambda. A client that gives up earlier would send the
 * call again beside the first one, which still runs.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const ANSWER_LIMIT_MS = 920_000;

function readAnswer({ FunctionError: failed, Payload: payload }: InvokeCommandOutput): unknown {
  const answer = parse(payload?.transformToString() ?? '');
  if (failed === undefined) return answer;
  const { errorType, errorMessage } = (answer ?? {}) as { errorType?: unknown; errorMessage?: unknown };
  const type = typeof errorType === 'string' ? errorType : failed;
  throw new FunctionFailure(type, /timed ?out/i.test(`${type} ${String(errorMessage)}`));
}

/** Text that is not JSON is not a reply either; `connect` reports that. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
