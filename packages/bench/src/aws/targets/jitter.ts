import { randomUUID } from 'node:crypto';
import { DescribeTasksCommand, RunTaskCommand, waitUntilTasksStopped } from '@aws-sdk/client-ecs';
import { invoke } from '../../studies/invoke.ts';
import { taskVariables } from '../../studies/jitter/probe-config.ts';
import { type JitterRecord, type JitterRequest, jitterRecord } from '../../studies/jitter/record.ts';
import type { JitterTarget } from '../../studies/jitter/target.ts';
import { type Aws, attempt } from '../aws.ts';
import { AwsFailure } from '../aws-failure.ts';
import { readObject } from '../objects.ts';
import {
  CLUSTER,
  CONTAINER,
  FUNCTIONS,
  GROUND_STACK,
  RESULTS,
  STACK,
  TASK_LOG_GROUP,
} from '../stack/names.ts';
import { findStack, outputsOf } from '../stacks.ts';
import { forceColdStart } from './force-cold-start.ts';

/** A task that is not over by then never will be. */
const TASK_SECONDS = 1200;

/** The jitter study on the deployed stack. @throws AwsFailure `not_deployed` if there is none. */
export async function openAwsJitter(aws: Aws): Promise<JitterTarget> {
  const outputs = await studiesOutputs(aws);
  return {
    read: (service, request) => {
      const key = `${RESULTS}asked/${service}-${request.store}/${new Date().toISOString()}-${randomUUID()}.json`;
      return service === 'lambda'
        ? readInFunction(aws, request, key)
        : readInTask(aws, outputs, request, key);
    },
    close: async () => aws.close(),
  };
}

/** The outputs of both stacks. */
export async function studiesOutputs(aws: Aws): Promise<Record<string, string>> {
  const stacks = [await findStack(aws, GROUND_STACK), await findStack(aws, STACK)];
  const [ground, studies] = stacks.map((stack) => stack && outputsOf(stack));
  if (ground && studies) return { ...ground, ...studies };
  throw new AwsFailure(
    'not_deployed',
    `The studies' stacks are not in account ${aws.account}, region ${aws.region}.`,
    'Run `pnpm bench deploy` first, with the same --region.',
  );
}

async function readInFunction(aws: Aws, request: JitterRequest, key: string): Promise<JitterRecord> {
  await forceColdStart(aws, FUNCTIONS.probe);
  return attempt('read from the function', async () => {
    const { answer } = await invoke(aws.lambda, FUNCTIONS.probe, { ...request, key });
    return jitterRecord.parse(answer);
  });
}

async function readInTask(
  aws: Aws,
  outputs: Record<string, string>,
  request: JitterRequest,
  key: string,
): Promise<JitterRecord> {
  const task = await startTask(aws, outputs, request, key);
  await attempt('wait for the task', () =>
    waitUntilTasksStopped(
      { client: aws.ecs, maxWaitTime: TASK_SECONDS, minDelay: 3, maxDelay: 10 },
      { cluster: CLUSTER, tasks: [task] },
    ),
  );
  const record = await readObject(aws, key);
  if (record === null) throw await whyNoRecord(aws, task);
  return jitterRecord.parse(JSON.parse(record));
}

async function startTask(
  { ecs }: Aws,
  { TaskDefinition, TaskSubnets, TaskGroup }: Record<string, string>,
  request: JitterRequest,
  key: string,
): Promise<string> {
  const variables = { ...taskVariables(request), PROBE_RESULT_KEY: key };
  const environment = Object.entries(variables).map(([name, value]) => ({ name, value }));
  const { tasks, failures } = await attempt('start the task', () =>
    ecs.send(
      new RunTaskCommand({
        cluster: CLUSTER,
        taskDefinition: TaskDefinition,
        launchType: 'FARGATE',
        networkConfiguration: {
          awsvpcConfiguration: {
            subnets: TaskSubnets?.split(',') ?? [],
            securityGroups: [TaskGroup ?? ''],
            assignPublicIp: 'ENABLED',
          },
        },
        overrides: { containerOverrides: [{ name: CONTAINER, environment }] },
      }),
    ),
  );
  const arn = tasks?.[0]?.taskArn;
  if (arn !== undefined) return arn;
  throw new AwsFailure(
    'task',
    `Fargate started no task: ${failures?.[0]?.reason ?? 'it gives no reason'}.`,
    'Where it has no room, wait a minute and run the command again: it goes on where it stopped.',
  );
}

async function whyNoRecord({ ecs }: Aws, task: string): Promise<AwsFailure> {
  const { tasks } = await attempt('ask why the task left no record', () =>
    ecs.send(new DescribeTasksCommand({ cluster: CLUSTER, tasks: [task] })),
  );
  const { stoppedReason, containers } = tasks?.[0] ?? {};
  const exit = containers?.[0]?.exitCode;
  return new AwsFailure(
    'task',
    `The task ended without a record: ${stoppedReason || 'no reason is known'}${exit === undefined ? '' : `, exit code ${exit}`}.`,
    `The log group ${TASK_LOG_GROUP} says more.`,
  );
}
