import { randomUUID } from 'node:crypto';
import {
  GetFunctionConfigurationCommand,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda';
import { type Aws, attempt } from '../aws.ts';

/** A change of an environment variable has the next call meet a new environment. */
export async function forceColdStart({ lambda }: Aws, FunctionName: string): Promise<void> {
  await attempt(`change the function ${FunctionName} for a cold start`, async () => {
    const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    const Variables = { ...Environment?.Variables, ROUND: randomUUID() };
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
    await waitUntilFunctionUpdatedV2({ client: lambda, maxWaitTime: 300, minDelay: 1 }, { FunctionName });
  });
}
