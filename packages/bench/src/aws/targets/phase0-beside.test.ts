import { expect, test } from 'vitest';
import { callerIdentity, describedStack, queryRefusal, refusal } from '../../../test/aws-endpoint.ts';
import { scriptedAws } from '../../../test/scripted-aws.ts';
import { openDulwichOnAws, systemsBeside } from './phase0-beside.ts';

const report = 'REPORT RequestId: 1\tDuration: 40.00 ms\tInit Duration: 100.00 ms\t';
const aws = scriptedAws({
  GetCallerIdentity: () => callerIdentity,
  DescribeStacks: ({ input }) => describedStack(String(input.StackName), {}),
  '/configuration': () => ({
    body: { State: 'Active', LastUpdateStatus: 'Successful', Environment: { Variables: { KEPT: 'yes' } } },
  }),
  'GET /2015-03-31/functions/PagetreeStudies-dulwich': () => ({
    body: { Configuration: { LastUpdateStatus: 'Successful' } },
  }),
  '/invocations': () => ({
    headers: { 'x-amz-log-result': Buffer.from(report).toString('base64') },
    body: { init: 10, commit: 20, read: 3, log: 4 },
  }),
});

test("dulwich and the empty function are measured beside the wiki if the studies' stack exists", async () => {
  expect((await systemsBeside(() => aws.open())).map(({ name }) => name)).toEqual(['dulwich', 'empty']);
  const none = { DescribeStacks: () => queryRefusal(400, 'ValidationError') };
  expect(await systemsBeside(() => aws.open(none))).toEqual([]);
});

test("dulwich's cold start is forced by a changed variable, and done in one call with its parts", async () => {
  const target = await openDulwichOnAws(await aws.open());
  await target.forceCold();
  const { function_ms, cold } = await target.initCommitReadLog('new');
  expect(function_ms).toBe(140);
  expect(cold).toMatchObject({
    'start and import': 100,
    init: 10,
    commit: 20,
    read: 3,
    log: 4,
    'rest of the call': 3,
  });
  const asked = aws.asked().filter(({ operation }) => /^(PUT|POST \/2015)/.test(operation));
  expect(asked.map(({ operation, input }) => [operation.split('/').at(-1), input])).toEqual([
    ['invocations', { do: 'prepare' }],
    ['configuration', { Environment: { Variables: { KEPT: 'yes', ROUND: expect.any(String) } } }],
    ['invocations', { do: 'init_commit_read_log', name: 'new' }],
  ]);
});

test('a dulwich function that is not there is reported with the command that makes it', async () => {
  const gone = { '/invocations': () => refusal(404, 'ResourceNotFoundException') };
  await expect(openDulwichOnAws(await aws.open(gone))).rejects.toMatchObject({
    code: 'not_deployed',
    message: expect.stringMatching(
      /call the function PagetreeStudies-dulwich is not there\. Run `pnpm bench deploy`/,
    ),
  });
});
