import { expect, test } from 'vitest';
import { resolved, resourceOf, resourcesOf } from './look-into.ts';
import { templateOf } from './synthesize.ts';

const template = templateOf({});

test('the functions run the bundle on arm64 and Node 24, traced, with 512 MB, on the mount', () => {
  for (const [, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function'))
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: 512,
      Timeout: 30,
      TracingConfig: { Mode: 'Active' },
      Environment: { Variables: { PAGETREE_DIR: '/mnt/pagetree' } },
      FileSystemConfigs: [{ LocalMountPath: '/mnt/pagetree' }],
    });
});

test('the functions know where the wikis must lie, and that only the first directory of a stack may be empty', () => {
  const variablesOf = (directory: string, newDirectory: string | null) => {
    const other = templateOf({ fileSystem: { directory } }, newDirectory);
    return resourcesOf(other, 'AWS::Lambda::Function').map(
      ([, { Properties }]) =>
        resolved(other, Properties.Environment) as { Variables: Record<string, string> },
    );
  };
  for (const { Variables } of variablesOf('/pagetree', '/pagetree'))
    expect(Variables).toMatchObject({
      PAGETREE_PLACE: 'fs-0123456789abcdef0:/pagetree',
      PAGETREE_MAY_BE_EMPTY: 'true',
    });
  for (const [directory, newDirectory] of [
    ['/pagetreee', '/pagetree'],
    ['/pagetree', null],
  ] as const)
    for (const { Variables } of variablesOf(directory, newDirectory)) {
      expect(Variables).toMatchObject({ PAGETREE_PLACE: `fs-0123456789abcdef0:${directory}` });
      expect(Variables).not.toHaveProperty('PAGETREE_MAY_BE_EMPTY');
    }
});

test('the functions are two on one bundle, each with its own access point, and wait for the mount target', () => {
  const writer = resourceOf(template, 'AWS::Lambda::Function', 'Writer');
  const reader = resourceOf(template, 'AWS::Lambda::Function', 'Reader');
  expect(writer.Properties).toMatchObject({ FunctionName: 'Pagetree' });
  expect(reader.Properties).toMatchObject({
    FunctionName: 'Pagetree-reader',
    Code: writer.Properties.Code,
    Environment: { Variables: { PAGETREE_READ_ONLY: 'true' } },
  });
  const mounts = [writer, reader].map(({ Properties }) => JSON.stringify(Properties.FileSystemConfigs));
  expect(mounts[0]).toContain('WriterDoor');
  expect(mounts[1]).toContain('ReaderDoor');
  for (const [mountTarget] of resourcesOf(template, 'AWS::EFS::MountTarget'))
    for (const { DependsOn } of [writer, reader]) expect(DependsOn).toContain(mountTarget);
});

test('the functions have an alias live; only that of the writer keeps an environment ready', () => {
  const alias = (begin: string) =>
    resourceOf(template, 'AWS::Lambda::Alias', `${begin}FunctionAliaslive`).Properties;
  expect(alias('Writer')).toMatchObject({
    Name: 'live',
    ProvisionedConcurrencyConfig: { ProvisionedConcurrentExecutions: 1 },
  });
  expect(alias('Reader')).toMatchObject({ Name: 'live' });
  expect(alias('Reader')).not.toHaveProperty('ProvisionedConcurrencyConfig');
  const none = templateOf({ function: { provisionedConcurrency: { environments: 0 } } });
  expect(resourceOf(none, 'AWS::Lambda::Alias', 'WriterFunctionAliaslive').Properties).not.toHaveProperty(
    'ProvisionedConcurrencyConfig',
  );
});

test('the functions keep the versions that they had, so that the alias can go back to one', () => {
  for (const [, version] of resourcesOf(template, 'AWS::Lambda::Version'))
    expect(version.DeletionPolicy).toBe('Retain');
});

test('the functions log to groups of their own, which forget', () => {
  const groups = resourcesOf(template, 'AWS::Logs::LogGroup').map(([, group]) => group.Properties);
  expect(groups).toEqual([
    expect.objectContaining({ LogGroupName: '/aws/lambda/Pagetree', RetentionInDays: 90 }),
    expect.objectContaining({ LogGroupName: '/aws/lambda/Pagetree-reader', RetentionInDays: 90 }),
  ]);
});

test('the functions send asynchronous calls that failed for good to an encrypted queue', () => {
  const queues = resourcesOf(template, 'AWS::SQS::Queue');
  expect(queues).toHaveLength(1);
  const [[name, queue] = []] = queues;
  expect(queue?.Properties).toMatchObject({
    SqsManagedSseEnabled: true,
    MessageRetentionPeriod: 1_209_600,
  });
  for (const [, { Properties }] of resourcesOf(template, 'AWS::Lambda::EventInvokeConfig'))
    expect(Properties.DestinationConfig).toEqual({
      OnFailure: { Destination: { 'Fn::GetAtt': [name, 'Arn'] } },
    });
});

test('the functions are called every night to tidy all wikis up, by a role that may do only that', () => {
  const schedule = resolved(template, resourceOf(template, 'AWS::Scheduler::Schedule').Properties);
  const { ScheduleExpression, Target } = schedule as {
    ScheduleExpression: string;
    Target: { Arn: string; Input: string };
  };
  expect(ScheduleExpression).toBe('cron(2/5 2-4 * * ? *)');
  expect(Target.Arn).toBe('arn:aws:lambda:us-east-2:111122223333:function:Pagetree:maintenance');
  expect(JSON.parse(Target.Input)).toMatchObject({
    operation: 'maintain_wiki',
    input: { mode: 'tidy', all: true, once_a_night: true },
  });
  const { Policies } = resourceOf(template, 'AWS::IAM::Role', 'Maintenance').Properties;
  const Statement = [{ Action: 'lambda:InvokeFunction', Effect: 'Allow', Resource: Target.Arn }];
  expect(resolved(template, Policies)).toMatchObject([{ PolicyDocument: { Statement } }]);
  expect(resourcesOf(template, 'AWS::Lambda::Permission')).toEqual([]);
});

test('the configuration can keep functions ready by the clock and by the load', () => {
  const scaled = templateOf({
    function: {
      provisionedConcurrency: {
        environments: 1,
        schedule: [{ cron: '0 7 ? * MON-FRI *', timeZone: 'Europe/Vienna', environments: 3 }],
        targetTracking: { most: 5, utilization: 0.6 },
      },
    },
  });
  expect(resourceOf(scaled, 'AWS::ApplicationAutoScaling::ScalableTarget').Properties).toMatchObject({
    MinCapacity: 1,
    MaxCapacity: 5,
    ScalableDimension: 'lambda:function:ProvisionedConcurrency',
    ScheduledActions: [
      {
        Schedule: 'cron(0 7 ? * MON-FRI *)',
        Timezone: 'Europe/Vienna',
        ScalableTargetAction: { MinCapacity: 3, MaxCapacity: 5 },
      },
    ],
  });
  expect(resourceOf(scaled, 'AWS::ApplicationAutoScaling::ScalingPolicy').Properties).toMatchObject({
    TargetTrackingScalingPolicyConfiguration: { TargetValue: 0.6 },
  });
});

test('a scheduled change to no environment sets both bounds to zero, whatever the load may ask for', () => {
  const scaled = templateOf({
    function: {
      provisionedConcurrency: {
        schedule: [{ cron: '0 20 ? * * *', environments: 0 }],
        targetTracking: { most: 5 },
      },
    },
  });
  expect(resourceOf(scaled, 'AWS::ApplicationAutoScaling::ScalableTarget').Properties).toMatchObject({
    ScheduledActions: [{ ScalableTargetAction: { MinCapacity: 0, MaxCapacity: 0 } }],
  });
});

test('each function may have environments of the account reserved for it; without the setting none', () => {
  const reserved = (json: unknown) =>
    resourcesOf(templateOf(json), 'AWS::Lambda::Function').map(
      ([, { Properties }]) => Properties.ReservedConcurrentExecutions,
    );
  expect(reserved({})).toEqual([undefined, undefined]);
  expect(reserved({ function: { reservedConcurrency: 7 } })).toEqual([7, 7]);
});

test('account-wide names contain the region, so that two regions can have a stack of the same name', () => {
  const { Resources } = templateOf({ region: 'eu-west-1' });
  const named = Object.values(Resources).flatMap(
    ({ Properties }) => Properties?.ManagedPolicyName ?? Properties?.DashboardName ?? [],
  );
  expect(named.toSorted()).toEqual([
    'Pagetree-eu-west-1',
    'Pagetree-eu-west-1-reader',
    'Pagetree-eu-west-1-writer',
  ]);
});
