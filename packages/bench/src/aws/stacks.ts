import { createHash, randomUUID } from 'node:crypto';
import {
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  type Stack,
  UpdateStackCommand,
  waitUntilStackCreateComplete,
  waitUntilStackDeleteComplete,
  waitUntilStackRollbackComplete,
  waitUntilStackUpdateComplete,
} from '@aws-sdk/client-cloudformation';
import { type Aws, attempt } from './aws.ts';
import { AwsFailure } from './aws-failure.ts';

/** The stack carries the hash of its template in this tag: deploying the same again changes nothing. */
const TEMPLATE_TAG = 'pagetree:template';
/** Network interfaces of functions are given back late. */
const WAIT_SECONDS = 3600;

/** @returns null if there is none. */
export async function findStack({ cloudFormation }: Aws, name: string): Promise<Stack | null> {
  return attempt(`look for the stack ${name}`, async () => {
    try {
      const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: name }));
      return Stacks?.[0] ?? null;
    } catch (error) {
      // CloudFormation's answer for a stack that is not there; nothing else is asked that could be invalid.
      if (error instanceof Error && error.name === 'ValidationError') return null;
      throw error;
    }
  });
}

/** Outputs by name. */
export function outputsOf(stack: Stack): Record<string, string> {
  return Object.fromEntries(
    (stack.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey ?? '', OutputValue ?? '']),
  );
}

/** Makes a stack or brings it to a template. @returns its outputs. */
export async function bringStack(aws: Aws, name: string, template: string): Promise<Record<string, string>> {
  const hash = createHash('sha256').update(template).digest('hex');
  const before = await settledStack(aws, name);
  if (before?.StackStatus?.startsWith('ROLLBACK') || before?.StackStatus?.endsWith('_FAILED'))
    throw new AwsFailure(
      'stack',
      `The stack ${name} is left over from a deployment that failed (${before.StackStatus}).`,
      'Run `pnpm bench destroy`, then deploy again.',
    );
  const tagged = before?.Tags?.find(({ Key }) => Key === TEMPLATE_TAG)?.Value;
  if (tagged !== hash) await write(aws, name, template, hash, before !== null);
  const after = await findStack(aws, name);
  if (after === null) throw new AwsFailure('stack', `The stack ${name} is gone again.`, 'Deploy again.');
  return outputsOf(after);
}

async function write(aws: Aws, name: string, template: string, hash: string, exists: boolean): Promise<void> {
  const { cloudFormation } = aws;
  const input = {
    StackName: name,
    TemplateBody: template,
    // A caller that did not get the answer may ask again for the same.
    ClientRequestToken: randomUUID(),
    Capabilities: ['CAPABILITY_IAM' as const],
    Tags: [{ Key: TEMPLATE_TAG, Value: hash }],
  };
  await attempt(`${exists ? 'change' : 'make'} the stack ${name}`, () =>
    cloudFormation.send(exists ? new UpdateStackCommand(input) : new CreateStackCommand(input)),
  );
  const wait = exists ? waitUntilStackUpdateComplete : waitUntilStackCreateComplete;
  try {
    await wait({ client: cloudFormation, maxWaitTime: WAIT_SECONDS, minDelay: 5 }, { StackName: name });
  } catch (error) {
    throw await whyNot(aws, name, error);
  }
}

/** A stack that an earlier command left half-way, when CloudFormation has done with it. */
async function settledStack(aws: Aws, name: string): Promise<Stack | null> {
  const stack = await findStack(aws, name);
  const wait = WAITERS.find(([begins]) => stack?.StackStatus?.startsWith(begins))?.[1];
  if (stack === null || wait === undefined || !stack.StackStatus?.endsWith('_IN_PROGRESS')) return stack;
  const options = { client: aws.cloudFormation, maxWaitTime: WAIT_SECONDS, minDelay: 5 };
  try {
    await wait(options, { StackName: stack.StackId ?? name });
  } catch (error) {
    throw await whyNot(aws, stack.StackId ?? name, error);
  }
  return findStack(aws, name);
}

const WAITERS = [
  ['CREATE', waitUntilStackCreateComplete],
  ['UPDATE_ROLLBACK', waitUntilStackRollbackComplete],
  ['UPDATE', waitUntilStackUpdateComplete],
  ['DELETE', waitUntilStackDeleteComplete],
] as const;

/** Deletes a stack, of which nothing is kept. */
export async function deleteStack(aws: Aws, stack: Stack): Promise<void> {
  const { cloudFormation } = aws;
  const name = stack.StackName ?? '';
  await attempt(`delete the stack ${name}`, () =>
    cloudFormation.send(new DeleteStackCommand({ StackName: name })),
  );
  // A stack that is gone is found by its id alone.
  const id = stack.StackId ?? name;
  try {
    await waitUntilStackDeleteComplete(
      { client: cloudFormation, maxWaitTime: WAIT_SECONDS, minDelay: 5 },
      { StackName: id },
    );
  } catch (error) {
    throw await whyNot(aws, id, error);
  }
}

/** The first resources that failed, with CloudFormation's reasons. */
async function whyNot(aws: Aws, name: string, cause: unknown): Promise<AwsFailure> {
  const { StackEvents = [] } = await attempt(`ask why the stack ${name} failed`, () =>
    aws.cloudFormation.send(new DescribeStackEventsCommand({ StackName: name })),
  );
  const reasons = StackEvents.filter(({ ResourceStatus }) => ResourceStatus?.endsWith('_FAILED'))
    .slice(-3)
    .map(({ LogicalResourceId, ResourceStatusReason }) => `${LogicalResourceId}: ${ResourceStatusReason}`);
  const reported = reasons.length > 0 ? ` ${reasons.join(' ')}` : ' It says nothing of why.';
  return new AwsFailure(
    'stack',
    `CloudFormation did not get the stack ${name} to where it should be.${reported}`,
    'Run the command again when that is mended; `pnpm bench destroy` removes what was made.',
    cause,
  );
}
