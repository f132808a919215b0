import { randomUUID } from 'node:crypto';
import { UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  type ServiceQuota,
} from '@aws-sdk/client-service-quotas';
import { type Aws, attempt } from './aws.ts';
import { AwsFailure } from './aws-failure.ts';
import { STACK } from './stack/names.ts';
import type { Talk } from './talk.ts';

/** The most that the studies use at once of what new accounts have little of. */
export interface Needs {
  readonly functionMib: number;
  readonly tasks: number;
  readonly vcpuOfTask: number;
}

interface Shortage {
  readonly happened: string;
  readonly next: string;
}

/**
 * Compares the account's quotas with the needs of the studies. A quota that cannot be read is named and passed over.
 * @throws AwsFailure `limit` with each quota that is too small, its value, and the way to a larger one.
 */
export async function requireQuotas(aws: Aws, needs: Needs, { say }: Pick<Talk, 'say'>): Promise<void> {
  const checks = [
    ['the quota of Fargate processors', processorsShort],
    ["the limit of a function's memory", memoryShort],
  ] as const;
  const found: Shortage[] = [];
  for (const [name, check] of checks) {
    try {
      const shortage = await attempt(`read ${name}`, () => check(aws, needs));
      if (shortage !== null) found.push(shortage);
    } catch (error) {
      if (!(error instanceof AwsFailure) || error.code !== 'forbidden') throw error;
      say(`Your AWS identity may not read ${name}: it is not checked.`);
    }
  }
  if (found.length === 0) return;
  const reported = (part: keyof Shortage) => found.map((shortage) => shortage[part]).join(' ');
  throw new AwsFailure('limit', reported('happened'), `Nothing was made. ${reported('next')}`);
}

/** Service Quotas calls it "Fargate On-Demand vCPU resource count". New accounts have 6. */
const FARGATE = { ServiceCode: 'fargate', QuotaCode: 'L-3032A538' };

async function processorsShort(aws: Aws, { tasks, vcpuOfTask }: Needs): Promise<Shortage | null> {
  const { account, region } = aws;
  const needed = tasks * vcpuOfTask;
  const { QuotaName: name = 'Fargate On-Demand vCPU resource count', Value: value } = await fargateQuota(aws);
  if (value === undefined || value >= needed) return null;
  return {
    happened: `The quota "${name}" (${FARGATE.QuotaCode}) of account ${account}, region ${region}, is ${value}, and the studies need ${needed}: ${tasks} tasks at once with ${vcpuOfTask} vCPU each.`,
    next: `Ask for more with \`aws service-quotas request-service-quota-increase --region ${region} --service-code ${FARGATE.ServiceCode} --quota-code ${FARGATE.QuotaCode} --desired-value ${needed}\`, and deploy when AWS has agreed.`,
  };
}

async function fargateQuota({ serviceQuotas }: Aws): Promise<ServiceQuota> {
  try {
    return (await serviceQuotas.send(new GetServiceQuotaCommand(FARGATE))).Quota ?? {};
  } catch (error) {
    // If the account has no value of its own, AWS's default applies.
    if (!(error instanceof Error) || error.name !== 'NoSuchResourceException') throw error;
    return (await serviceQuotas.send(new GetAWSDefaultServiceQuotaCommand(FARGATE))).Quota ?? {};
  }
}

/**
 * Service Quotas does not know this limit, 3,008 MB in some accounts. Lambda names it when it checks a configuration:
 * here that of a function that does not exist, so that nothing is changed.
 */
async function memoryShort(
  { lambda, account, region }: Aws,
  { functionMib }: Needs,
): Promise<Shortage | null> {
  const FunctionName = `${STACK}-${randomUUID()}`;
  try {
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, MemorySize: functionMib }));
    return null;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'ResourceNotFoundException') return null;
    const [, most] = /MemorySize.* less than or equal to (\d+)/.exec(error.message) ?? [];
    if (most === undefined) throw error;
    return {
      happened: `Lambda allows account ${account}, region ${region}, functions of at most ${most} MB, and the studies need one of ${functionMib} MB.`,
      next: `Service Quotas does not list this limit: open a case with AWS Support (service limit increase, Lambda, function memory) and ask for ${functionMib} MB in ${region}.`,
    };
  }
}
