import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { connect, type Request, type Wiki } from '@pagetree/wiki/contract';
import type { LambdaLab } from './lambda-lab.ts';

export interface InvokeOptions {
  /** The number of attempts of the SDK if a call is throttled or its answer is lost; one by default. */
  readonly attempts?: number;
  /** Changes each request before it is sent. */
  readonly change?: (request: Request) => Request;
}

export interface InvokedWiki {
  readonly wiki: Wiki;
  close(): void;
}

/** The wiki that the lab's function serves, through the AWS SDK. A function error is thrown as it came. */
export function invokeWiki(
  lab: Pick<LambdaLab, 'endpoint' | 'functionArn'>,
  options: InvokeOptions = {},
): InvokedWiki {
  const { attempts = 1, change = (request) => request } = options;
  const client = new LambdaClient({
    endpoint: lab.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: attempts,
  });
  const wiki = connect(async (request, { signal }) => {
    const Payload = JSON.stringify(change(request));
    const command = new InvokeCommand({ FunctionName: lab.functionArn, Payload });
    const { FunctionError, Payload: answer } = await client.send(command, {
      ...(signal && { abortSignal: signal }),
    });
    const text = answer?.transformToString() ?? '';
    if (FunctionError !== undefined) throw new FunctionFailure(text);
    return JSON.parse(text);
  });
  return { wiki, close: () => client.destroy() };
}

/** Lambda's own answer if the function did not answer: killed, timed out, or thrown. */
export class FunctionFailure extends Error {}
