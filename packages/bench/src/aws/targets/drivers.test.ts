import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  callerIdentity,
  describedStack,
  queryRefusal,
  refusal,
  startAwsEndpoint,
} from '../../../test/aws-endpoint.ts';
import { scriptedAws } from '../../../test/scripted-aws.ts';
import type { JitterRequest } from '../../studies/jitter/record.ts';
import { openAws } from '../aws.ts';
import { openAwsJitter } from './jitter.ts';
import { openAwsThroughput } from './throughput.ts';

const record = {
  time: '2026-11-21T04:00:00.000Z',
  service: 'fargate',
  store: 'efs',
  size_mib: 10,
  duration_ms: 100,
  mib_per_s: 100,
  cold: true,
  instance: 'an-instance',
};
const request: JitterRequest = { store: 'efs', sizes_mib: [10] };

/** Two stacks, a function that is changed at once, a task that ends at once and leaves its record. */
const aws = scriptedAws({
  GetCallerIdentity: () => callerIdentity,
  DescribeStacks: ({ input }) =>
    describedStack(String(input.StackName), {
      TaskDefinition: 'arn:aws:ecs:us-east-2:123456789012:task-definition/PagetreeStudies-probe:1',
      TaskSubnets: 'subnet-1',
      TaskGroup: 'sg-1',
      Function: 'arn:aws:lambda:us-east-2:123456789012:function:Pagetree:live',
    }),
  '/configuration': () => ({
    body: { State: 'Active', LastUpdateStatus: 'Successful', Environment: { Variables: { KEPT: 'yes' } } },
  }),
  'GET /2015-03-31/functions/PagetreeStudies-probe': () => ({
    body: { Configuration: { LastUpdateStatus: 'Successful' } },
  }),
  '/invocations': () => ({ body: { ...record, service: 'lambda' } }),
  RunTask: () => ({ body: { tasks: [{ taskArn: 'task-1' }], failures: [] } }),
  DescribeTasks: () => ({
    body: {
      tasks: [
        {
          taskArn: 'task-1',
          lastStatus: 'STOPPED',
          stoppedReason: 'Essential container in task exited',
          containers: [{ exitCode: 1 }],
        },
      ],
    },
  }),
  '/results/': () => ({ body: record }),
});

const operations = () => aws.asked().map(({ operation }) => operation);

describe('the jitter study', () => {
  test('changes the function before each read, keeps its other variables, and gives it a key of its own', async () => {
    const target = await openAwsJitter(await aws.open({}));
    expect(await target.read('lambda', request)).toMatchObject({ service: 'lambda', cold: true });
    const changes = aws
      .asked()
      .filter(({ operation }) => operation.startsWith('PUT') && operation.endsWith('/configuration'));
    expect(changes.map(({ input }) => input.Environment)).toEqual([
      { Variables: { KEPT: 'yes', ROUND: expect.any(String) } },
    ]);
    const call = aws.asked().find(({ operation }) => operation.endsWith('/invocations'));
    expect(call?.input).toMatchObject({
      ...request,
      key: expect.stringMatching(/^results\/jitter\/asked\/lambda-efs\//),
    });
  });

  test('starts a task with an address, asks it by its variables, and reads its record when it is over', async () => {
    const target = await openAwsJitter(await aws.open({}));
    expect(await target.read('fargate', request)).toEqual(record);
    const started = aws.asked().find(({ operation }) => operation === 'RunTask');
    expect(started?.input).toMatchObject({
      launchType: 'FARGATE',
      networkConfiguration: {
        awsvpcConfiguration: { assignPublicIp: 'ENABLED', subnets: ['subnet-1'], securityGroups: ['sg-1'] },
      },
    });
    expect(started?.input.overrides).toMatchObject({
      containerOverrides: [
        {
          name: 'probe',
          environment: [
            { name: 'PROBE_STORE', value: 'efs' },
            { name: 'PROBE_SIZES_MIB', value: '10' },
            {
              name: 'PROBE_RESULT_KEY',
              value: expect.stringMatching(/^results\/jitter\/asked\/fargate-efs\//),
            },
          ],
        },
      ],
    });
  });

  test('a task that left no record is reported with its reason, exit code and log', async () => {
    const target = await openAwsJitter(
      await aws.open({
        '/results/': () => ({
          status: 404,
          headers: { 'content-type': 'application/xml' },
          body: '<Error><Code>NoSuchKey</Code></Error>',
        }),
      }),
    );
    await expect(target.read('fargate', request)).rejects.toMatchObject({
      code: 'task',
      message:
        'The task ended without a record: Essential container in task exited, exit code 1. The log group /aws/ecs/PagetreeStudies says more.',
    });
  });

  test('a Fargate without room is reported as such', async () => {
    const target = await openAwsJitter(
      await aws.open({
        RunTask: () => ({
          body: { tasks: [], failures: [{ reason: 'Capacity is unavailable at this time' }] },
        }),
      }),
    );
    await expect(target.read('fargate', request)).rejects.toMatchObject({
      code: 'task',
      message: expect.stringMatching(
        /^Fargate started no task: Capacity is unavailable at this time\. .*goes on where it stopped\.$/,
      ),
    });
  });

  test('a call that is throttled once is sent again without a report', async () => {
    let calls = 0;
    const target = await openAwsJitter(
      await aws.open({
        '/invocations': () => {
          calls += 1;
          return calls === 1 ? refusal(429, 'TooManyRequestsException') : { body: record };
        },
      }),
    );
    expect(await target.read('lambda', request)).toEqual(record);
    expect(calls).toBe(2);
  });
});

/** An answer of AWS, and the resulting sentence. */
const FAILURES: [what: string, name: string, status: number, code: string, sentence: string][] = [
  [
    'throttling that does not end',
    'TooManyRequestsException',
    429,
    'throttled',
    'AWS throttled the bench, again and again, so it could not write to the elastic file system. Wait a minute. Run the command again: it goes on where it stopped.',
  ],
  [
    'expired credentials',
    'ExpiredTokenException',
    403,
    'credentials',
    'The AWS credentials have expired, so the bench could not write to the elastic file system. Sign in again, with `aws sso login` for instance. Run the command again: it goes on where it stopped.',
  ],
  [
    'credentials that are none',
    'UnrecognizedClientException',
    403,
    'credentials',
    'AWS does not accept the credentials, so the bench could not write to the elastic file system. Check the profile or the keys, and the clock of this machine.',
  ],
  [
    'a lack of permission',
    'AccessDeniedException',
    403,
    'forbidden',
    'Your AWS identity may not write to the elastic file system. Use one that may make stacks and roles, an administrator for instance; docs/studies/on-aws.md lists what is made.',
  ],
  [
    'a function that is not there',
    'ResourceNotFoundException',
    404,
    'not_deployed',
    'What the bench needs to write to the elastic file system is not there. Run `pnpm bench deploy`, and check the region: `pnpm bench status` says what is where.',
  ],
  [
    'a file system that does not answer',
    'EFSMountTimeoutException',
    408,
    'function',
    'The function could not mount its file system, so the bench could not write to the elastic file system. A file system that was made just now may need another minute. Run the command again: it goes on where it stopped.',
  ],
  [
    'a fault of AWS',
    'ServiceException',
    500,
    'fault',
    'AWS had a fault of its own, so the bench could not write to the elastic file system. Wait a minute. Run the command again: it goes on where it stopped.',
  ],
  [
    'something unheard of',
    'SomethingNewException',
    400,
    'refused',
    'AWS refused to write to the elastic file system (SomethingNewException). Check the region and the account.',
  ],
];

describe('the throughput study', () => {
  test('sends each function its own request', async () => {
    const answer = { time: record.time, bytes: 1000, files: 10, duration_ms: 95.2, instance: 'one' };
    const target = await openAwsThroughput(await aws.open({ '/invocations': () => ({ body: answer }) }));
    expect(await target.write('bursting', { bytes: 1000, files: 10 })).toEqual(answer);
    expect(operations().at(-1)).toBe('POST /2015-03-31/functions/PagetreeStudies-bursting/invocations');
  });

  test.each(FAILURES)('reports %s in plain words', async (_, name, status, code, sentence) => {
    const target = await openAwsThroughput(await aws.open({ '/invocations': () => refusal(status, name) }));
    await expect(target.write('elastic', { bytes: 1000, files: 10 })).rejects.toMatchObject({
      code,
      message: sentence,
    });
  });

  test('reports the message of a failed function', async () => {
    const failed = { headers: { 'x-amz-function-error': 'Unhandled' }, body: { errorMessage: 'ENOSPC' } };
    const target = await openAwsThroughput(await aws.open({ '/invocations': () => failed }));
    await expect(target.write('elastic', { bytes: 1000, files: 10 })).rejects.toMatchObject({
      code: 'function',
      message: expect.stringContaining('ENOSPC'),
    });
  });
});

describe('before anything is measured', () => {
  test('missing stacks are reported with the command that makes them', async () => {
    const opening = openAwsJitter(
      await aws.open({ DescribeStacks: () => queryRefusal(400, 'ValidationError') }),
    );
    await expect(opening).rejects.toMatchObject({
      code: 'not_deployed',
      message:
        "The studies' stacks are not in account 123456789012, region us-east-2. Run `pnpm bench deploy` first, with the same --region.",
    });
  });

  test('expired credentials are reported before any other request', async () => {
    const endpoint = await startAwsEndpoint({ GetCallerIdentity: () => queryRefusal(403, 'ExpiredToken') });
    onTestFinished(endpoint.stop);
    vi.stubEnv('AWS_ENDPOINT_URL', endpoint.url);
    await expect(openAws({ region: 'us-east-2', attempts: 2 })).rejects.toMatchObject({
      code: 'credentials',
      message: expect.stringMatching(
        /^The AWS credentials have expired, so the bench could not find out which account this is\./,
      ),
    });
  });

  test('an AWS that cannot be reached is reported as such', async () => {
    const endpoint = await startAwsEndpoint({});
    endpoint.stop();
    vi.stubEnv('AWS_ENDPOINT_URL', endpoint.url);
    await expect(openAws({ region: 'us-east-2', attempts: 2 })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/^AWS cannot be reached/),
    });
  });

  test('a missing region and missing credentials are reported with what to set', async () => {
    for (const name of [
      'AWS_REGION',
      'AWS_DEFAULT_REGION',
      'AWS_PROFILE',
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
    ])
      vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_CONFIG_FILE', '/dev/null');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/dev/null');
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    await expect(openAws({})).rejects.toMatchObject({
      code: 'region',
      message: expect.stringContaining('Give --region'),
    });
    await expect(openAws({ region: 'us-east-2' })).rejects.toMatchObject({
      code: 'credentials',
      message: expect.stringContaining('Set AWS_PROFILE'),
    });
  });
});
