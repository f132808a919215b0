import type { Stack } from '@aws-sdk/client-cloudformation';
import { DeleteLogGroupCommand, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { ListTasksCommand, StopTaskCommand, waitUntilTasksStopped } from '@aws-sdk/client-ecs';
import { DescribeFileSystemsCommand } from '@aws-sdk/client-efs';
import { type Aws, attempt } from './aws.ts';
import { AwsFailure } from './aws-failure.ts';
import { bucketExists, emptyBucket, listObjects } from './objects.ts';
import { CLUSTER, GROUND_STACK, LOG_GROUPS, RESULTS, STACK } from './stack/names.ts';
import { deleteStack, findStack } from './stacks.ts';
import type { Talk } from './talk.ts';

/** Each lasts as long as CloudFormation itself tries, some minutes at least. */
const GROUND_TRIES = 4;
/** A task that must stop has half a minute, and Fargate then takes its own time. */
const TASK_WAIT_SECONDS = 300;

/** Asks, then removes all that was made, however far a deployment came. @returns what is left: nothing, or its names. */
export async function destroy(aws: Aws, talk: Talk): Promise<string> {
  const { account, region } = aws;
  const [studies, ground] = [await findStack(aws, STACK), await findStack(aws, GROUND_STACK)];
  if (studies === null && ground === null) return describeLeft(await leftovers(aws));
  const hasBucket = await bucketExists(aws);
  const results = hasBucket ? (await listObjects(aws, RESULTS)).length : 0;
  const question = [
    `This deletes, in account ${account}, region ${region}: ${studies ? `the stack ${STACK} with its file systems and their files, ` : ''}the stack ${GROUND_STACK}, and the bucket ${aws.bucket} with all that is in it.`,
    `${results} records of reads lie there. \`pnpm bench collect\` brings them here, and must run before.`,
    '',
  ].join('\n');
  if (!(await talk.agree(question))) return 'Nothing was deleted.';
  if (studies !== null) {
    talk.say(`Deleting the stack ${STACK}. Lambda gives its network interfaces back late: up to 40 minutes.`);
    await stopTasks(aws);
    await deleteStack(aws, studies);
  }
  // Only now: what was still running wrote its record into the bucket.
  if (hasBucket) talk.say(`${await emptyBucket(aws)} objects are deleted from the bucket.`);
  if (ground !== null) {
    talk.say(`Deleting the stack ${GROUND_STACK}.`);
    await deleteGround(aws, ground, talk);
  }
  await deleteLogs(aws);
  return describeLeft(await leftovers(aws));
}

function describeLeft(left: readonly string[]): string {
  if (left.length === 0) return 'Nothing is left.';
  return ['This is left, and has to be deleted by hand:', ...left.map((each) => `  ${each}`)].join('\n');
}

/** Its network can go only when Lambda has given back the interfaces in it, for which CloudFormation does not wait long. */
async function deleteGround(aws: Aws, ground: Stack, { say }: Talk): Promise<void> {
  for (let left = GROUND_TRIES - 1; ; left -= 1) {
    try {
      return await deleteStack(aws, ground);
    } catch (error) {
      if (left === 0 || !(error instanceof AwsFailure) || error.code !== 'stack') throw error;
      say('Something in the network is not given back yet. Trying again.');
    }
  }
}

/** A task that runs would hold the cluster, its network interface, and with that the network. */
async function stopTasks({ ecs }: Aws): Promise<void> {
  await attempt('stop the tasks that run', async () => {
    const { taskArns = [] } = await ecs
      .send(new ListTasksCommand({ cluster: CLUSTER }))
      .catch(withoutCluster);
    for (const task of taskArns) await ecs.send(new StopTaskCommand({ cluster: CLUSTER, task }));
    if (taskArns.length > 0)
      await waitUntilTasksStopped(
        { client: ecs, maxWaitTime: TASK_WAIT_SECONDS, minDelay: 3 },
        { cluster: CLUSTER, tasks: taskArns },
      );
  });
}

/** If a deployment failed early, nothing can run. */
function withoutCluster(error: unknown): { taskArns: string[] } {
  if (error instanceof Error && error.name === 'ClusterNotFoundException') return { taskArns: [] };
  throw error;
}

/** Lambda makes a log group again that was deleted while a function still ran. */
async function deleteLogs(aws: Aws): Promise<void> {
  for (const logGroupName of await logGroups(aws))
    await attempt(`delete the log group ${logGroupName}`, () =>
      aws.logs.send(new DeleteLogGroupCommand({ logGroupName })),
    );
}

/** Searched by name, not through the stacks: these may no longer list them. */
async function leftovers(aws: Aws): Promise<string[]> {
  const left = (await logGroups(aws)).map((name) => `log group ${name}`);
  if (await bucketExists(aws)) left.push(`bucket ${aws.bucket}`);
  const { FileSystems = [] } = await attempt('list the file systems', () =>
    aws.efs.send(new DescribeFileSystemsCommand({})),
  );
  for (const { FileSystemId, Name } of FileSystems)
    if (Name?.startsWith(`${STACK}/`)) left.push(`file system ${FileSystemId}`);
  for (const name of [STACK, GROUND_STACK])
    if ((await findStack(aws, name)) !== null) left.push(`stack ${name}`);
  return left;
}

/** The studies' log groups that exist. AWS searches by prefix, and lists the group of exactly that name first. */
async function logGroups({ logs }: Aws): Promise<string[]> {
  const pages = await Promise.all(
    LOG_GROUPS.map((name) =>
      attempt('list the log groups', () =>
        logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: name })),
      ),
    ),
  );
  const found = new Set(
    pages.flatMap(({ logGroups: groups = [] }) => groups.map((each) => each.logGroupName)),
  );
  return LOG_GROUPS.filter((name) => found.has(name));
}
