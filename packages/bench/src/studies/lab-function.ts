import { LambdaClient } from '@aws-sdk/client-lambda';
import {
  type LambdaLab,
  type LambdaLabOptions,
  startLambdaLab,
} from '../../../../labs/lambda-lab/lambda-lab.ts';

/** A function in the Lambda lab, and a client that calls it once for each call. */
export interface LabFunction {
  readonly lab: LambdaLab;
  readonly client: LambdaClient;
  close(): Promise<void>;
}

export async function startLabFunction(options: LambdaLabOptions): Promise<LabFunction> {
  const lab = await startLambdaLab(options);
  const client = new LambdaClient({
    endpoint: lab.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  });
  return {
    lab,
    client,
    close: async () => {
      client.destroy();
      await lab.stop();
    },
  };
}
