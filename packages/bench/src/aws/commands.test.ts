import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  callerIdentity,
  describedStack,
  queryRefusal,
  refusal,
  type Script,
} from '../../test/aws-endpoint.ts';
import { scriptedAws } from '../../test/scripted-aws.ts';
import { collect } from './collect.ts';
import { deploy } from './deploy.ts';
import { destroy } from './destroy.ts';
import { status } from './status.ts';

const root = mkdtempSync(join(tmpdir(), 'aws-commands-'));
afterAll(() => rmSync(root, { recursive: true }));

const xml = { 'content-type': 'application/xml' };
const SCHEDULED = 'results/jitter/scheduled';
const KEYS = [
  `${SCHEDULED}/lambda-efs/2026-11-21T05:00:00Z.json`,
  `${SCHEDULED}/fargate-efs/2026-11-21T05:15:00Z.json`,
  `${SCHEDULED}/fargate-s3/2026-11-21T05:45:00Z.json`,
  'results/jitter/asked/lambda-efs/1.json',
];
const month = { ScheduledFrom: '2026-11-21T05:00:00Z', ScheduledTo: '2026-12-21T05:00:00Z' };

function listing(keys: readonly string[]) {
  const contents = keys.map((key) => `<Contents><Key>${key}</Key><Size>200</Size></Contents>`).join('');
  return { headers: xml, body: `<ListBucketResult>${contents}</ListBucketResult>` };
}

const record = {
  time: '2026-11-21T05:00:01.000Z',
  service: 'lambda',
  store: 'efs',
  size_mib: 10,
  duration_ms: 100,
  mib_per_s: 100,
  cold: true,
  instance: 'one',
};

const GOOD: Script = {
  GetCallerIdentity: () => callerIdentity,
  DescribeStacks: ({ input }) => describedStack(String(input.StackName), month),
  ListTasks: () => ({ body: { taskArns: [] } }),
  'HEAD /': () => ({}),
  '.json': () => ({ body: record }),
  'GET /pagetree-studies-123456789012-us-east-2/': () => listing(KEYS),
};
const aws = scriptedAws(GOOD);
const quiet = { say: () => {} };
const writes = () =>
  aws.asked().filter(({ operation }) => /^(Create|Update|Delete|PUT|POST|DELETE)/.test(operation));

test('collected records are not collected again, except for a line that was cut off', async () => {
  const file = join(root, 'again', 'jitter.ndjson');
  const now = new Date('2026-11-21T05:10:00Z');
  expect(await collect(await aws.open(), file, now, quiet)).toBe(
    `Records that came: 4; that were here before: 0. They are in ${file}`,
  );
  const whole = readFileSync(file, 'utf8');
  const lines = whole.trimEnd().split('\n');
  rmSync(file);
  appendFileSync(file, `${lines.slice(0, 3).join('\n')}\n${lines[3]?.slice(0, 40)}`);
  expect(await collect(await aws.open(), file, now, quiet)).toBe(
    `Records that came: 1; that were here before: 3. They are in ${file}`,
  );
  expect(readFileSync(file, 'utf8')).toBe(whole);
});

test('an interrupted collection keeps the records that arrived', async () => {
  const file = join(root, 'break', 'jitter.ndjson');
  let calls = 0;
  const breaking: Script = {
    '.json': () => {
      calls += 1;
      return calls > 2
        ? { status: 403, headers: xml, body: '<Error><Code>ExpiredToken</Code></Error>' }
        : { body: record };
    },
  };
  await expect(collect(await aws.open(breaking), file, new Date(), quiet)).rejects.toMatchObject({
    code: 'credentials',
    message: expect.stringMatching(/^The AWS credentials have expired/),
  });
  const now = new Date('2026-11-21T05:10:00Z');
  expect(await collect(await aws.open(), file, now, quiet)).toBe(
    `Records that came: 2; that were here before: 2. They are in ${file}`,
  );
});

test('an object that is not a record is named and left out', async () => {
  const file = join(root, 'broken', 'jitter.ndjson');
  const broken: Script = { 'asked/lambda-efs/1.json': () => ({ body: '{"time"' }) };
  expect(await collect(await aws.open(broken), file, new Date('2026-11-21T05:10:00Z'), quiet)).toBe(
    `Records that came: 3; that were here before: 0. They are in ${file}\nresults/jitter/asked/lambda-efs/1.json is no record of a read and was left out.`,
  );
});

test('reads that a schedule missed are reported by service, store and time', async () => {
  const file = join(root, 'missed', 'jitter.ndjson');
  const reported = await collect(await aws.open(), file, new Date('2026-11-21T06:20:00Z'), quiet);
  expect(reported.split('\n')[1]).toBe(
    '1 scheduled read in lambda from s3 of 2026-11-21T05:30:00Z left no record: the schedule missed or the read failed. The logs below /aws/ in CloudWatch say which; the others are not touched by it.',
  );
  expect(await status(await aws.open(), new Date('2026-11-21T06:20:00Z'))).toContain(
    'lambda from s3 of 2026-11-21T05:30:00Z left no record',
  );
});

test('if the person does not agree to the estimate, nothing is created, and the output says what would have been', async () => {
  const questions: string[] = [];
  const agree = async (question: string) => {
    questions.push(question);
    return false;
  };
  const account = await aws.open({ DescribeStacks: () => queryRefusal(400, 'ValidationError') });
  const choices = { sizesMib: [1, 500], month: true, now: new Date('2026-11-21T03:10:00Z') };
  expect(await deploy(account, choices, { ...quiet, agree })).toBe('Nothing was made.');
  expect(writes()).toEqual([]);
  expect(questions[0]).toMatch(/^This makes, in account 123456789012, region us-east-2:/);
  expect(questions[0]).toContain('4 file systems, 6 functions, 1 cluster without machines, 1 task');
  expect(questions[0]).toContain('96 reads a day, from 2026-11-21T05:00:00Z to 2026-12-21T05:00:00Z');
  expect(questions[0]).toMatch(/A day of this choice: \d+\.\d\d USD\./);
  expect(questions[0]).not.toContain('NAT');
});

test('a finished month starts again, and an unfinished one continues', async () => {
  const questions: string[] = [];
  const agree = async (question: string) => {
    questions.push(question);
    return false;
  };
  for (const now of ['2026-12-01T03:10:00Z', '2026-12-21T05:00:00Z'])
    await deploy(await aws.open(), { sizesMib: [1], month: true, now: new Date(now) }, { ...quiet, agree });
  expect(questions[0]).toContain('96 reads a day, from 2026-11-21T05:00:00Z to 2026-12-21T05:00:00Z');
  expect(questions[1]).toContain('96 reads a day, from 2026-12-21T07:00:00Z to 2027-01-20T07:00:00Z');
});

test('a month is reported until its end, and only a running month costs something', async () => {
  const reported = async (now: string) => status(await aws.open(), new Date(now));
  const [before, during, after] = [
    await reported('2026-11-21T04:59:00Z'),
    await reported('2026-11-21T05:00:00Z'),
    await reported('2026-12-21T05:00:00Z'),
  ];
  const scheduled = 'Reads are scheduled from 2026-11-21T05:00:00Z to 2026-12-21T05:00:00Z.';
  for (const each of [before, during]) expect(each).toContain(scheduled);
  expect(after).toContain('No reads are scheduled.');
  for (const each of [before, after]) expect(each).toContain('It costs about 0.00 USD a day as it is.');
  expect(during).toMatch(/It costs about 0\.[1-9]\d USD a day as it is\./);
});

test('if the person does not agree to the deletion, everything stays, and the output says what would be lost', async () => {
  let question = '';
  const agree = async (asked: string) => {
    question = asked;
    return false;
  };
  expect(await destroy(await aws.open(), { ...quiet, agree })).toBe('Nothing was deleted.');
  expect(writes()).toEqual([]);
  expect(question).toContain('4 records of reads lie there. `pnpm bench collect` brings them here');
});

test('a stack that cannot be deleted is reported with the reasons of CloudFormation', async () => {
  const events = [
    '<member><LogicalResourceId>JitterFiles</LogicalResourceId><ResourceStatus>DELETE_FAILED</ResourceStatus><ResourceStatusReason>It has mount targets.</ResourceStatusReason></member>',
  ];
  let deleting = false;
  const failing: Script = {
    DeleteStack: () => {
      deleting = true;
      return { headers: xml, body: '<DeleteStackResponse/>' };
    },
    DescribeStackEvents: () => ({
      headers: xml,
      body: `<DescribeStackEventsResponse><DescribeStackEventsResult><StackEvents>${events.join('')}</StackEvents></DescribeStackEventsResult></DescribeStackEventsResponse>`,
    }),
    DescribeStacks: ({ input }) =>
      describedStack(String(input.StackName), month, deleting ? 'DELETE_FAILED' : 'CREATE_COMPLETE'),
  };
  const destroying = destroy(await aws.open(failing), { ...quiet, agree: async () => true });
  await expect(destroying).rejects.toMatchObject({
    code: 'stack',
    message:
      'CloudFormation did not get the stack PagetreeStudies to where it should be. JitterFiles: It has mount targets. Run the command again when that is mended; `pnpm bench destroy` removes what was made.',
  });
});

test('a stack is deleted when its tasks have stopped, not before', async () => {
  const running: Script = {
    ListTasks: () => ({ body: { taskArns: ['arn:one', 'arn:two'] } }),
    StopTask: () => ({ body: {} }),
    DescribeTasks: () => ({ body: { tasks: [{ lastStatus: 'STOPPED' }, { lastStatus: 'STOPPED' }] } }),
    DeleteStack: () => queryRefusal(403, 'AccessDenied'),
  };
  const destroying = destroy(await aws.open(running), { ...quiet, agree: async () => true });
  await expect(destroying).rejects.toMatchObject({ code: 'forbidden' });
  const asked = aws.asked().map(({ operation }) => operation);
  expect(asked.slice(asked.indexOf('ListTasks'))).toEqual([
    'ListTasks',
    'StopTask',
    'StopTask',
    'DescribeTasks',
    'DeleteStack',
  ]);
});

test('deleting a network that is still in use is tried again', async () => {
  let deletions = 0;
  const late: Script = {
    DescribeStacks: ({ input }) => {
      const isGround = String(input.StackName).includes('Ground');
      if (!isGround || deletions === 3) return queryRefusal(400, 'ValidationError');
      return describedStack(
        'PagetreeStudies-Ground',
        {},
        deletions === 0 ? 'CREATE_COMPLETE' : 'DELETE_FAILED',
      );
    },
    DeleteStack: () => {
      deletions += 1;
      return { headers: xml, body: '<DeleteStackResponse/>' };
    },
    DescribeStackEvents: () => ({
      headers: xml,
      body: '<DescribeStackEventsResponse><DescribeStackEventsResult/></DescribeStackEventsResponse>',
    }),
    DescribeLogGroups: () => ({ body: { logGroups: [] } }),
    'file-systems': () => ({ body: { FileSystems: [] } }),
    'HEAD /': () => ({ status: 404 }),
  };
  const said: string[] = [];
  const talk = { say: (line: string) => said.push(line), agree: async () => true };
  expect(await destroy(await aws.open(late), talk)).toBe('Nothing is left.');
  expect([deletions, said.filter((line) => line.includes('Trying again')).length]).toEqual([3, 2]);
});

test("leftovers under the studies' names are listed, but not those of a stack whose name only begins like theirs", async () => {
  const left: Script = {
    DescribeStacks: () => queryRefusal(400, 'ValidationError'),
    DescribeLogGroups: ({ input }) => ({
      body: {
        logGroups: [
          '/aws/ecs/PagetreeStudies',
          '/aws/ecs/PagetreeStudiesTeam',
          '/aws/lambda/PagetreeStudies-seed',
          '/aws/lambda/PagetreeStudies-seed-of-somebody',
          '/aws/lambda/PagetreeStudiesTeam',
        ]
          .filter((name) => name.startsWith(String(input.logGroupNamePrefix)))
          .map((logGroupName) => ({ logGroupName })),
      },
    }),
    'file-systems': () => ({
      body: {
        FileSystems: [
          { FileSystemId: 'fs-1', Name: 'PagetreeStudies/Jitter/Files' },
          { FileSystemId: 'fs-2', Name: 'Pagetree' },
        ],
      },
    }),
  };
  expect(await destroy(await aws.open(left), { ...quiet, agree: async () => true })).toBe(
    'This is left, and has to be deleted by hand:\n  log group /aws/lambda/PagetreeStudies-seed\n  log group /aws/ecs/PagetreeStudies\n  bucket pagetree-studies-123456789012-us-east-2\n  file system fs-1',
  );
});

test('a throttled CloudFormation is reported as such', async () => {
  const throttled: Script = { DescribeStacks: () => queryRefusal(400, 'Throttling') };
  await expect(status(await aws.open(throttled), new Date())).rejects.toMatchObject({
    code: 'throttled',
    message: expect.stringMatching(
      /^AWS throttled the bench, again and again, so it could not look for the stack /,
    ),
  });
});

test('a refused log does not name keys', async () => {
  const denied: Script = {
    DescribeStacks: () => queryRefusal(400, 'ValidationError'),
    DescribeLogGroups: () => refusal(400, 'AccessDeniedException'),
  };
  await expect(destroy(await aws.open(denied), { ...quiet, agree: async () => true })).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.not.stringContaining('AKIA'),
  });
});
