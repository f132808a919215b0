import { expect, test } from 'vitest';
import { callerIdentity, describedStack, refusal, type Script } from '../../../test/aws-endpoint.ts';
import { scriptedAws } from '../../../test/scripted-aws.ts';
import { openAwsPhase0 } from './phase0.ts';

const tail = (...lines: string[]) => Buffer.from(lines.join('\n')).toString('base64');
const wiki: Script = {
  GetCallerIdentity: () => callerIdentity,
  DescribeStacks: () =>
    describedStack('Pagetree', { Function: 'arn:aws:lambda:us-east-2:123456789012:function:Pagetree:live' }),
  '/configuration': () => ({
    body: { State: 'Active', LastUpdateStatus: 'Successful', Environment: { Variables: { KEPT: 'yes' } } },
  }),
  'GET /2015-03-31/functions/Pagetree/versions': () => ({
    body: {
      Versions: [
        { Version: '3', Description: '' },
        { Version: '7', Description: 'PHASE0_ROUND' },
      ],
    },
  }),
  'POST /2015-03-31/functions/Pagetree/versions': () => ({ body: { Version: '8' } }),
  'DELETE /2015-03-31/functions/Pagetree': () => ({ status: 204, body: '' }),
  'GET /2015-03-31/functions/Pagetree': () => ({
    body: { Configuration: { State: 'Active', LastUpdateStatus: 'Successful' } },
  }),
  '/invocations': () => ({
    headers: {
      'x-amz-log-result': tail(
        'REPORT RequestId: 1\tDuration: 12.50 ms\tBilled Duration: 113 ms\tInit Duration: 100.00 ms\t',
        'XRAY TraceId: 1-aaaaaaaa-bbbbbbbbbbbbbbbbbbbbbbbb\tSegmentId: 1\tSampled: true',
      ),
    },
    body: { ok: true, output: { pages: [{ path: 'Phase 0' }] } },
  }),
  '/Traces': () => ({
    body: {
      Traces: [
        {
          Id: '1-aaaaaaaa-bbbbbbbbbbbbbbbbbbbbbbbb',
          Segments: [
            { Document: JSON.stringify({ origin: 'AWS::Lambda' }) },
            {
              Document: JSON.stringify({
                origin: 'AWS::Lambda::Function',
                subsegments: [{ name: 'Initialization', start_time: 1.5, end_time: 1.598 }],
              }),
            },
          ],
        },
      ],
    },
  }),
};

const aws = scriptedAws(wiki);
const operations = () => aws.asked().map(({ operation }) => operation);

test('forces each cold start by a version with another variable, and times it by REPORT and X-Ray', async () => {
  const target = await openAwsPhase0(await aws.open(), 'Pagetree');
  await target.forceCold();
  const { function_ms, cold } = await target.read();
  expect(function_ms).toBe(112.5);
  expect(cold).toMatchObject({ 'first call': 12.5, 'X-Ray: Initialization': expect.closeTo(98) });
  const changes = aws.asked().filter(({ operation }) => operation.startsWith('PUT'));
  expect(new Set(changes.map(({ input }) => JSON.stringify(input))).size).toBe(2);
  for (const { input } of changes)
    expect(input).toEqual({
      Environment: { Variables: { KEPT: 'yes', PHASE0_ROUND: expect.any(String) } },
    });
  expect(
    operations()
      .filter((each) => each.endsWith('/invocations'))
      .at(-1),
  ).toContain('Pagetree%3A8');
});

test('a cold start makes a repository, commits, reads and reports the log, each part timed', async () => {
  const target = await openAwsPhase0(await aws.open(), 'Pagetree');
  await target.forceCold();
  const before = aws.asked().length;
  const { function_ms, cold } = await target.initCommitReadLog('new');
  const called = aws
    .asked()
    .slice(before)
    .filter(({ operation }) => operation.endsWith('/invocations'));
  expect(called.map(({ input }) => (input as { operation: string }).operation)).toEqual([
    'create_wiki',
    'write_page',
    'read_page',
    'get_history',
  ]);
  // The endpoint answers each call as one that met a new environment.
  expect(cold).toMatchObject({ init: 12.5, commit: 112.5, read: 112.5, log: 112.5 });
  expect(function_ms).toBe(4 * 112.5);
});

test('removes the versions that it published, those of a run that was broken off too, and no others', async () => {
  const target = await openAwsPhase0(await aws.open(), 'Pagetree');
  const before = operations().filter((each) => each.startsWith('DELETE')).length;
  await target.close();
  expect([before, operations().filter((each) => each.startsWith('DELETE')).length]).toEqual([1, 2]);
});

test('a stack that is not a wiki is reported by its name', async () => {
  const other = { DescribeStacks: () => describedStack('Other', {}) };
  await expect(openAwsPhase0(await aws.open(other), 'Other')).rejects.toMatchObject({
    code: 'not_deployed',
    message: expect.stringMatching(
      /^There is no wiki stack Other in account 123456789012, region us-east-2\./,
    ),
  });
});

test('credentials that expire during the study are reported with the operation that was called', async () => {
  const target = await openAwsPhase0(
    await aws.open({ '/invocations': expiringAfter(1, wiki['/invocations']) }),
    'Pagetree',
  );
  await expect(target.read()).rejects.toMatchObject({
    code: 'credentials',
    message: expect.stringMatching(
      /^The AWS credentials have expired, so the bench could not call read_page of the function Pagetree\./,
    ),
  });
});

function expiringAfter(calls: number, answer: Script[string] = () => ({})): Script[string] {
  let called = 0;
  return (asked) => {
    called += 1;
    return called > calls ? refusal(403, 'ExpiredTokenException') : answer(asked);
  };
}
