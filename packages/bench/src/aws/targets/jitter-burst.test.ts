import { expect, test } from 'vitest';
import { callerIdentity, describedStack } from '../../../test/aws-endpoint.ts';
import { scriptedAws } from '../../../test/scripted-aws.ts';
import { openAwsJitter } from './jitter.ts';

const record = {
  time: '2026-11-21T04:00:00.000Z',
  service: 'fargate',
  store: 'efs',
  size_mib: 500,
  duration_ms: 1000,
  mib_per_s: 500,
  cold: true,
  instance: 'an-instance',
};

/** Each task ends at once and leaves its record. */
const aws = scriptedAws({
  GetCallerIdentity: () => callerIdentity,
  DescribeStacks: ({ input }) =>
    describedStack(String(input.StackName), {
      TaskDefinition: 'arn:aws:ecs:us-east-2:123456789012:task-definition/PagetreeStudies-probe:1',
      TaskSubnets: 'subnet-1',
      TaskGroup: 'sg-1',
    }),
  RunTask: () => ({ body: { tasks: [{ taskArn: 'task-1' }], failures: [] } }),
  DescribeTasks: () => ({ body: { tasks: [{ taskArn: 'task-1', lastStatus: 'STOPPED' }] } }),
  '/results/': () => ({ body: record }),
});

test('asks the tasks of a burst by their variables, each with a key of its own', async () => {
  const target = await openAwsJitter(await aws.open({}));
  const burst = { id: 'a-burst', tasks: 3 };
  await Promise.all([1, 2, 3].map(() => target.read('fargate', { store: 'efs', sizes_mib: [500], burst })));
  const asked = aws.asked().filter(({ operation }) => operation === 'RunTask');
  const variables = asked.map(({ input }) => {
    const [{ environment } = { environment: [] }] = (
      input.overrides as { containerOverrides: { environment: { name: string; value: string }[] }[] }
    ).containerOverrides;
    return Object.fromEntries(environment.map(({ name, value }) => [name, value]));
  });
  expect(variables.map(({ PROBE_BURST, PROBE_BURST_TASKS }) => [PROBE_BURST, PROBE_BURST_TASKS])).toEqual(
    Array.from({ length: 3 }, () => ['a-burst', '3']),
  );
  expect(new Set(variables.map(({ PROBE_RESULT_KEY }) => PROBE_RESULT_KEY)).size).toBe(3);
});
