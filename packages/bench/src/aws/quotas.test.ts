import { expect, test } from 'vitest';
import { callerIdentity, queryRefusal, refusal, type Script } from '../../test/aws-endpoint.ts';
import { scriptedAws } from '../../test/scripted-aws.ts';
import { deploy } from './deploy.ts';
import { requireQuotas } from './quotas.ts';

const NEEDS = { functionMib: 10_240, tasks: 10, vcpuOfTask: 8 };

const processors = (value: number) => () => ({
  body: { Quota: { QuotaName: 'Fargate On-Demand vCPU resource count', Value: value } },
});
const tooMuchMemory = () => ({
  status: 400,
  headers: { 'x-amzn-errortype': 'InvalidParameterValueException' },
  body: {
    message:
      "'MemorySize' value failed to satisfy constraint: Member must have value less than or equal to 3008",
  },
});
const aws = scriptedAws({
  GetCallerIdentity: () => callerIdentity,
  GetServiceQuota: processors(80),
  'PUT /2015-03-31/functions/PagetreeStudies-': () => refusal(404, 'ResourceNotFoundException'),
  DescribeStacks: () => queryRefusal(400, 'ValidationError'),
});

const FARGATE =
  'The quota "Fargate On-Demand vCPU resource count" (L-3032A538) of account 123456789012, region us-east-2, is 79, and the studies need 80: 10 tasks at once with 8 vCPU each.';
const FARGATE_NEXT =
  'Ask for more with `aws service-quotas request-service-quota-increase --region us-east-2 --service-code fargate --quota-code L-3032A538 --desired-value 80`, and deploy when AWS has agreed.';
const MEMORY =
  'Lambda allows account 123456789012, region us-east-2, functions of at most 3008 MB, and the studies need one of 10240 MB.';
const MEMORY_NEXT =
  'Service Quotas does not list this limit: open a case with AWS Support (service limit increase, Lambda, function memory) and ask for 10240 MB in us-east-2.';

async function checked(script: Script): Promise<string[]> {
  const said: string[] = [];
  await requireQuotas(await aws.open(script), NEEDS, { say: (line) => said.push(line) });
  return said;
}

test('quotas that are just large enough are no problem', async () => {
  expect(await checked({})).toEqual([]);
});

test('each quota that is too small is named with its value, what is needed, and how to ask for more', async () => {
  await expect(checked({ GetServiceQuota: processors(79) })).rejects.toMatchObject({
    code: 'limit',
    message: `${FARGATE} Nothing was made. ${FARGATE_NEXT}`,
  });
  await expect(
    checked({ 'PUT /2015-03-31/functions/PagetreeStudies-': tooMuchMemory }),
  ).rejects.toMatchObject({
    code: 'limit',
    message: `${MEMORY} Nothing was made. ${MEMORY_NEXT}`,
  });
  const both = {
    GetServiceQuota: processors(79),
    'PUT /2015-03-31/functions/PagetreeStudies-': tooMuchMemory,
  };
  await expect(checked(both)).rejects.toMatchObject({
    message: `${FARGATE} ${MEMORY} Nothing was made. ${FARGATE_NEXT} ${MEMORY_NEXT}`,
  });
});

test("AWS's default counts if the account has no value of its own", async () => {
  const byDefault = (value: number): Script => ({
    GetServiceQuota: () => refusal(400, 'NoSuchResourceException'),
    GetAWSDefaultServiceQuota: processors(value),
  });
  await expect(checked(byDefault(6))).rejects.toMatchObject({
    message: expect.stringContaining(' is 6, and'),
  });
  expect(await checked(byDefault(4000))).toEqual([]);
});

test('a quota that the account may not read is named, and the other one is still checked', async () => {
  const denied = { GetServiceQuota: () => refusal(400, 'AccessDeniedException') };
  expect(await checked(denied)).toEqual([
    'Your AWS identity may not read the quota of Fargate processors: it is not checked.',
  ]);
  await expect(
    checked({ ...denied, 'PUT /2015-03-31/functions/PagetreeStudies-': tooMuchMemory }),
  ).rejects.toMatchObject({ code: 'limit' });
});

test('a deployment into an account with too small a quota makes nothing', async () => {
  const account = await aws.open({ GetServiceQuota: processors(6) });
  const choices = { sizesMib: [1], month: false, now: new Date('2026-11-21T03:10:00Z') };
  const talk = { say: () => {}, agree: async () => true };
  await expect(deploy(account, choices, talk)).rejects.toMatchObject({
    code: 'limit',
    message: expect.stringContaining('is 6, and the studies need 80'),
  });
  const made = aws.asked().filter(({ operation }) => /^(Create|PUT \/pagetree|POST)/.test(operation));
  expect(made).toEqual([]);
});
