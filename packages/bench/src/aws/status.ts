import { ListTasksCommand } from '@aws-sdk/client-ecs';
import { type Aws, attempt } from './aws.ts';
import { describeMissed, monthOf } from './collect.ts';
import { estimate } from './estimate.ts';
import { bucketExists, listObjects } from './objects.ts';
import { CLUSTER, GROUND_STACK, RESULTS, STACK } from './stack/names.ts';
import { findStack } from './stacks.ts';

/** The current state: existing resources, their cost, finished and missed measurements. */
export async function status(aws: Aws, now: Date): Promise<string> {
  const stacks = await Promise.all([GROUND_STACK, STACK].map((name) => findStack(aws, name)));
  const where = `account ${aws.account}, region ${aws.region}`;
  if (stacks.every((stack) => stack === null)) return `Nothing of the studies is in ${where}.`;
  const lines = stacks.flatMap((stack) =>
    stack === null ? [] : [`The stack ${stack.StackName} is ${stack.StackStatus}, in ${where}.`],
  );
  const objects = (await bucketExists(aws)) ? await listObjects(aws, '') : [];
  const sizes = objects.flatMap(({ key }) => /^(\d+)-MiB\.bin$/.exec(key)?.[1] ?? []).map(Number);
  const keys = objects.map(({ key }) => key).filter((key) => key.startsWith(RESULTS));
  const month = await monthOf(aws);
  const hasBegun = month !== null && Date.parse(month.from) <= now.getTime();
  const isScheduled = month !== null && now.getTime() < Date.parse(month.to);
  const { restingDay, scheduledDay } = estimate({
    sizesMib: sizes.length > 0 ? sizes : [0],
    month: hasBegun && isScheduled,
  });
  lines.push(
    `${sizes.length} files to read, ${keys.length} records of reads, ${await runningTasks(aws)} tasks running.`,
    isScheduled ? `Reads are scheduled from ${month.from} to ${month.to}.` : 'No reads are scheduled.',
    ...describeMissed(month, new Set(keys), now),
    `It costs about ${(restingDay + scheduledDay).toFixed(2)} USD a day as it is.`,
  );
  return lines.join('\n');
}

async function runningTasks({ ecs }: Aws): Promise<number> {
  return attempt('count the tasks that run', async () => {
    try {
      const { taskArns = [] } = await ecs.send(new ListTasksCommand({ cluster: CLUSTER }));
      return taskArns.length;
    } catch (error) {
      // The cluster is made with the other stack.
      if (error instanceof Error && error.name === 'ClusterNotFoundException') return 0;
      throw error;
    }
  });
}
