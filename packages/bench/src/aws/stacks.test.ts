import { expect, test } from 'vitest';
import { callerIdentity, describedStack, queryRefusal } from '../../test/aws-endpoint.ts';
import { scriptedAws } from '../../test/scripted-aws.ts';
import { bringStack } from './stacks.ts';

const xml = { 'content-type': 'application/xml' };
const aws = scriptedAws({
  GetCallerIdentity: () => callerIdentity,
  CreateStack: () => ({ headers: xml, body: '<CreateStackResponse/>' }),
  UpdateStack: () => ({ headers: xml, body: '<UpdateStackResponse/>' }),
  DescribeStackEvents: () => ({
    headers: xml,
    body: '<DescribeStackEventsResponse><DescribeStackEventsResult><StackEvents><member><LogicalResourceId>Probe</LogicalResourceId><ResourceStatus>CREATE_FAILED</ResourceStatus><ResourceStatusReason>The memory is more than the quota.</ResourceStatusReason></member></StackEvents></DescribeStackEventsResult></DescribeStackEventsResponse>',
  }),
});
const operations = () => aws.asked().map(({ operation }) => operation);

/** Each look finds the next status; null is no stack. The last one stays. */
function statuses(...found: (string | null)[]) {
  return () => {
    const status = found.length > 1 ? found.shift() : found[0];
    return status ? describedStack('One', { Bucket: 'b' }, status) : queryRefusal(400, 'ValidationError');
  };
}

test('a command waits for the end of an earlier command on the same stack', async () => {
  const DescribeStacks = statuses(
    'CREATE_IN_PROGRESS',
    'CREATE_COMPLETE',
    'CREATE_COMPLETE',
    'UPDATE_COMPLETE',
  );
  expect(await bringStack(await aws.open({ DescribeStacks }), 'One', '{}')).toEqual({ Bucket: 'b' });
  expect(operations()).toEqual([
    'GetCallerIdentity',
    'DescribeStacks',
    'DescribeStacks',
    'DescribeStacks',
    'UpdateStack',
    'DescribeStacks',
    'DescribeStacks',
  ]);
});

test('a quota that is too small is reported with the reason of CloudFormation', async () => {
  const DescribeStacks = statuses(null, 'ROLLBACK_COMPLETE');
  await expect(bringStack(await aws.open({ DescribeStacks }), 'One', '{}')).rejects.toMatchObject({
    code: 'stack',
    message: expect.stringContaining('Probe: The memory is more than the quota.'),
  });
});

test('the remains of a failed deployment are not built upon', async () => {
  const DescribeStacks = statuses('ROLLBACK_COMPLETE');
  await expect(bringStack(await aws.open({ DescribeStacks }), 'One', '{}')).rejects.toMatchObject({
    code: 'stack',
    message:
      'The stack One is left over from a deployment that failed (ROLLBACK_COMPLETE). Run `pnpm bench destroy`, then deploy again.',
  });
  expect(operations()).not.toContain('UpdateStack');
});

test('a request repeated after a lost answer creates one stack', async () => {
  let calls = 0;
  const CreateStack = () => {
    calls += 1;
    return calls === 1
      ? queryRefusal(500, 'InternalFailure')
      : { headers: xml, body: '<CreateStackResponse/>' };
  };
  const DescribeStacks = statuses(null, 'CREATE_COMPLETE');
  await bringStack(await aws.open({ DescribeStacks, CreateStack }), 'One', '{}');
  const tokens = aws
    .asked()
    .flatMap(({ operation, input }) => (operation === 'CreateStack' ? [input.ClientRequestToken] : []));
  expect(tokens).toHaveLength(2);
  expect(new Set(tokens).size).toBe(1);
});
