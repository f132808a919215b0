import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLambdaLab } from '../../../labs/lambda-lab/lambda-lab.ts';
import { functionDirectory } from '../../wiki-lambda/build.ts';
import { STACK_POLICY } from '../src/deployed-stack.ts';
import { type Endpoint, lint, startEndpoint } from './endpoint.ts';
import { resourceOf, resourcesOf } from './look-into.ts';
import { type Template, temporaryDirectory } from './synthesize.ts';

/*
 * moto 5.2.5 does not model the following, so this lab cannot show it: aliases and with them provisioned
 * concurrency and scaling, destinations of failed calls, the schedule, alarms, the policy of the file system,
 * the rule that lets the functions out to it, the policy of the queue, the mount and the architecture of a
 * function, tracing. moto accepts them and makes nothing. Nor does it report the outputs of a stack that was
 * made by a change set, hence `--method direct`. template.test.ts and functions.test.ts show that each of
 * them is in the template, and access.test.ts shows what the policies allow.
 */

const REGION = 'us-east-2';
const output = temporaryDirectory();
let endpoint: Endpoint;

beforeAll(async () => {
  endpoint = await startEndpoint(REGION);
  await endpoint.command('synth', '--', '--output', output);
});
afterAll(() => endpoint.stop());

test('cfn-lint finds nothing in the template of the defaults', async () => {
  expect(await lint(join(output, 'Pagetree.template.json'))).toBe('');
});

test('cfn-lint finds nothing in the other choices', async () => {
  const file = join(temporaryDirectory(), 'pagetree.json');
  const choices = {
    fileSystem: {
      availability: 'one-zone',
      throughput: { mode: 'provisioned', mibPerSecond: 5 },
      removal: 'delete',
    },
    function: {
      provisionedConcurrency: {
        schedule: [{ cron: '0 7 ? * MON-FRI *', timeZone: 'Europe/Vienna', environments: 2 }],
        targetTracking: { most: 5 },
      },
    },
    alarmAddress: 'ops@example.org',
    sync: true,
  };
  writeFileSync(file, JSON.stringify(choices));
  const directory = temporaryDirectory();
  await endpoint.command('synth', '--configuration', file, '--', '--output', directory);
  expect(await lint(join(directory, 'Pagetree.template.json'))).toBe('');
});

test('an empty account is bootstrapped, deployed to and found unchanged, and a diff reports what a change would do', async () => {
  await endpoint.command('bootstrap');
  const file = join(temporaryDirectory(), 'pagetree.json');
  // moto resolves Fn::GetAZs to the zones of us-east-1 in every region.
  const zones = ['us-east-2a', 'us-east-2b'];
  writeFileSync(file, JSON.stringify({ zones }));
  const options = ['--require-approval', 'never', '--method', 'direct'] as const;
  const deploy = ['deploy', '--configuration', file, '--', ...options] as const;
  await expect(endpoint.command(...deploy)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /There is no stack Pagetree in us-east-2\.(.|\n)*Nothing was deployed\.\n$/,
    ),
  });
  const first = await endpoint.command('deploy', '--new-wikis', ...deploy.slice(1));
  expect(first.output).toContain(
    'Pagetree.Function = arn:aws:lambda:us-east-2:123456789012:function:Pagetree:live',
  );

  const deployed = await endpoint.deployed('Pagetree');
  expect(deployed).toMatchObject({
    status: 'CREATE_COMPLETE',
    functions: [
      {
        FunctionName: 'Pagetree',
        Runtime: 'nodejs24.x',
        Handler: 'index.handler',
        MemorySize: 512,
        Timeout: 30,
      },
      { FunctionName: 'Pagetree-reader', Environment: { Variables: { PAGETREE_READ_ONLY: 'true' } } },
    ],
    fileSystems: [
      {
        Encrypted: true,
        ThroughputMode: 'elastic',
        NumberOfMountTargets: 2,
      },
    ],
    mountTargets: [{ AvailabilityZoneName: 'us-east-2a' }, { AvailabilityZoneName: 'us-east-2b' }],
    accessPoints: [
      { PosixUser: { Uid: 1000, Gid: 1000 }, RootDirectory: { Path: '/pagetree' } },
      { PosixUser: { Uid: 1001, Gid: 1001 }, RootDirectory: { Path: '/pagetree' } },
    ],
    subnets: [
      { CidrBlock: '10.0.0.0/26', MapPublicIpOnLaunch: false },
      { CidrBlock: '10.0.0.64/26', MapPublicIpOnLaunch: false },
    ],
    natGateways: [],
    endpoints: [],
    managedPolicies: ['Pagetree-us-east-2-reader', 'Pagetree-us-east-2-writer'],
    logGroups: [{ retentionInDays: 90 }, { retentionInDays: 90 }],
    queues: [expect.stringContaining('Failures')],
  });
  expect(deployed.outputs).toMatchObject({
    Function: 'arn:aws:lambda:us-east-2:123456789012:function:Pagetree:live',
    ReaderFunction: 'arn:aws:lambda:us-east-2:123456789012:function:Pagetree-reader:live',
    WriterPolicy: 'arn:aws:iam::123456789012:policy/Pagetree-us-east-2-writer',
  });

  const second = await endpoint.command(...deploy);
  expect(second.output).toContain('Pagetree (no changes)');

  // The directory that was new when the stack was made is remembered, and the file system cannot be replaced.
  expect(deployed.functions).toMatchObject([
    { Environment: { Variables: { PAGETREE_MAY_BE_EMPTY: 'true' } } },
    { Environment: { Variables: { PAGETREE_MAY_BE_EMPTY: 'true' } } },
  ]);
  expect(deployed.stackPolicy).toEqual(STACK_POLICY);
  for (const [settings, reason] of [
    [{ fileSystem: { availability: 'one-zone' } }, 'AWS would make a new, empty file system in its place.'],
    [{ fileSystem: { directory: '/pagetreee' } }, 'Set fileSystem.directory to "/pagetree".'],
    [{ stackName: 'Wiki' }, 'Set stackName back to the old name.'],
  ] as const) {
    writeFileSync(file, JSON.stringify(settings));
    await expect(endpoint.command('deploy', '--configuration', file)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`${reason}(.|\n)*Nothing was deployed.\n$`)),
    });
  }

  writeFileSync(file, JSON.stringify({ zones, function: { memoryMib: 1024 } }));
  const { output: difference } = await endpoint.command('diff', '--configuration', file);
  expect(difference).toMatch(/MemorySize\s+├─ \[-\] 512\s+└─ \[\+\] 1024/);
  expect(difference).not.toContain('AWS::EFS');
});

test('both functions are made of the very bundle that the Lambda lab runs, and it does what the schedule asks', async () => {
  const template: Template = JSON.parse(readFileSync(join(output, 'Pagetree.template.json'), 'utf8'));
  const keys = resourcesOf(template, 'AWS::Lambda::Function').map(
    ([, { Properties }]) => (Properties.Code as { S3Key: string }).S3Key,
  );
  expect(new Set(keys).size).toBe(1);
  const asset = join(output, `asset.${String(keys[0]).replace(/\.zip$/, '')}`);
  expect(hashOf(asset)).toBe(hashOf(functionDirectory));

  const lab = await startLambdaLab({ code: asset, variables: { PAGETREE_DIR: temporaryDirectory() } });
  try {
    // The target of the schedule comes from the template too.
    const { Target } = resourceOf(template, 'AWS::Scheduler::Schedule').Properties as {
      Target: { Input: string };
    };
    const address = `${lab.endpoint}/2015-03-31/functions/${encodeURIComponent(lab.functionArn)}/invocations`;
    const reply = await fetch(address, { method: 'POST', body: Target.Input });
    expect(await reply.json()).toMatchObject({ ok: true, output: { mode: 'tidy', problems: [] } });
  } finally {
    await lab.stop();
  }
});

function hashOf(directory: string): string {
  return createHash('sha256')
    .update(readFileSync(join(directory, 'index.mjs')))
    .digest('hex');
}
