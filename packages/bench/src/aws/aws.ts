import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { ECSClient } from '@aws-sdk/client-ecs';
import { EFSClient } from '@aws-sdk/client-efs';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { XRayClient } from '@aws-sdk/client-xray';
import { AwsFailure, explain } from './aws-failure.ts';
import { bucketName } from './stack/names.ts';

export interface AwsOptions {
  /** Undefined leaves it to AWS's own settings. */
  region?: string | undefined;
  /**
   * The maximum number of attempts for a call that was throttled or failed; the pauses between them double.
   */
  attempts?: number;
}

/** One account in one region. */
export interface Aws {
  readonly account: string;
  readonly region: string;
  /** The bucket of the studies. */
  readonly bucket: string;
  readonly cloudFormation: CloudFormationClient;
  readonly ecs: ECSClient;
  readonly efs: EFSClient;
  readonly lambda: LambdaClient;
  readonly logs: CloudWatchLogsClient;
  readonly s3: S3Client;
  readonly serviceQuotas: ServiceQuotasClient;
  readonly xray: XRayClient;
  close(): void;
}

/** @throws AwsFailure if there is no region or no credentials that AWS accepts. */
export async function openAws({ region, attempts = 8 }: AwsOptions): Promise<Aws> {
  const options = {
    ...(region !== undefined && { region }),
    maxAttempts: attempts,
    retryMode: 'standard',
    // A function may run for 15 minutes before it answers.
    requestHandler: { connectionTimeout: 10_000, requestTimeout: 16 * 60_000, throwOnRequestTimeout: true },
  };
  const sts = new STSClient(options);
  const clients = {
    cloudFormation: new CloudFormationClient(options),
    ecs: new ECSClient(options),
    efs: new EFSClient(options),
    lambda: new LambdaClient(options),
    logs: new CloudWatchLogsClient(options),
    s3: new S3Client(options),
    serviceQuotas: new ServiceQuotasClient(options),
    xray: new XRayClient(options),
  };
  const found = await regionOf(sts);
  const account = await attempt('find out which account this is', async () => {
    const { Account } = await sts.send(new GetCallerIdentityCommand({}));
    return Account ?? '';
  });
  return {
    ...clients,
    account,
    region: found,
    bucket: bucketName(account, found),
    close() {
      for (const client of [sts, ...Object.values(clients)]) client.destroy();
    },
  };
}

/** Runs something on AWS; what fails is reported as an AwsFailure. @param doing as `explain` takes it. */
export async function attempt<T>(doing: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw explain(error, doing);
  }
}

async function regionOf(client: STSClient): Promise<string> {
  try {
    return await client.config.region();
  } catch (error) {
    throw new AwsFailure(
      'region',
      'Nothing says in which AWS region the studies are to be.',
      'Give --region, such as us-east-2, or set AWS_REGION.',
      error,
    );
  }
}
