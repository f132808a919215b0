import { expect, test } from 'vitest';
import { parseConfiguration } from '../src/configuration/configuration.ts';
import { type Cost, monthlyCost, PIECES } from '../src/cost/cost.ts';
import { ACCOUNT, resolved, resourceOf, resourcesOf } from './look-into.ts';
import { allowed, call, nameOf, roleOf } from './simulate.ts';
import { templateOf } from './synthesize.ts';

const without = templateOf({});
const template = templateOf({ sync: true });
const named = (begin: string) => resourceOf(template, 'AWS::Lambda::Function', begin).Properties;

test('the setting adds resources, and changes none of the others but the dashboard', () => {
  const { Resources: before } = without;
  const changed = Object.entries(before).filter(
    ([name, resource]) => JSON.stringify(template.Resources[name]) !== JSON.stringify(resource),
  );
  expect(changed.map(([, { Type }]) => Type)).toEqual(['AWS::CloudWatch::Dashboard']);
  const added = Object.entries(template.Resources).filter(([name]) => !(name in before));
  expect(added.map(([, { Type }]) => Type).toSorted()).toEqual([
    'AWS::CloudWatch::Alarm',
    'AWS::CloudWatch::Alarm',
    'AWS::IAM::Policy',
    'AWS::IAM::Role',
    'AWS::IAM::Role',
    'AWS::Lambda::EventInvokeConfig',
    'AWS::Lambda::Function',
    'AWS::Logs::LogGroup',
    'AWS::Scheduler::Schedule',
  ]);
});

test('the function is outside of the network, runs once at a time, and calls the function that writes', () => {
  const sync = named('Sync');
  expect(resolved(template, sync)).toMatchObject({
    FunctionName: 'Pagetree-sync',
    Runtime: 'nodejs24.x',
    Architectures: ['arm64'],
    Timeout: 900,
    ReservedConcurrentExecutions: 1,
    Environment: {
      Variables: {
        PAGETREE_FUNCTION: `arn:aws:lambda:us-east-2:${ACCOUNT}:function:Pagetree:live`,
        PAGETREE_SECRETS: 'pagetree/Pagetree',
      },
    },
  });
  for (const property of ['VpcConfig', 'FileSystemConfigs']) expect(sync).not.toHaveProperty(property);
  expect(named('Writer').VpcConfig).toEqual(
    resourceOf(without, 'AWS::Lambda::Function', 'Writer').Properties.VpcConfig,
  );
});

test('each minute a call is begun, and none is kept for later', () => {
  const { ScheduleExpression, Target } = resolved(
    template,
    resourceOf(template, 'AWS::Scheduler::Schedule', 'Sync').Properties,
  ) as { ScheduleExpression: string; Target: object };
  expect(ScheduleExpression).toBe('rate(1 minute)');
  expect(Target).toMatchObject({
    Arn: `arn:aws:lambda:us-east-2:${ACCOUNT}:function:Pagetree-sync`,
    RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
  });
  expect(resourceOf(template, 'AWS::Lambda::EventInvokeConfig', 'Sync').Properties).toMatchObject({
    MaximumEventAgeInSeconds: 60,
    MaximumRetryAttempts: 0,
  });
});

test('the function may read the secrets of this stack alone, and call one function', async () => {
  const role = roleOf(template, nameOf(template, 'AWS::IAM::Role', 'SyncRole'));
  const secret = (name: string, action = 'GetSecretValue') => ({
    action: `secretsmanager:${action}`,
    resource: `arn:aws:secretsmanager:us-east-2:${ACCOUNT}:secret:${name}-a1b2c3`,
  });
  expect(await allowed(role, secret('pagetree/Pagetree/main/github.com'))).toBe(true);
  for (const name of ['pagetree/Other/main/github.com', 'pagetree/Pagetree', 'prod/database'])
    expect(await allowed(role, secret(name)), name).toBe(false);
  for (const action of ['PutSecretValue', 'DeleteSecret', 'DescribeSecret'])
    expect(await allowed(role, secret('pagetree/Pagetree/main/github.com', action)), action).toBe(false);
  expect(await allowed(role, call('Pagetree:live'))).toBe(true);
  for (const other of ['Pagetree-reader:live', 'Pagetree-sync', 'Elsewhere:live'])
    expect(await allowed(role, call(other)), other).toBe(false);
});

test('the schedule may start the function, and nothing else', async () => {
  const role = roleOf(template, nameOf(template, 'AWS::IAM::Role', 'SyncCaller'));
  expect(await allowed(role, call('Pagetree-sync'))).toBe(true);
  expect(await allowed(role, call('Pagetree:live'))).toBe(false);
});

test('a failed call and a schedule that stopped raise alarms, and the dashboard shows both', () => {
  const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
  const ofSync = alarms.filter(({ AlarmName }) => /^Pagetree-sync/i.test(String(AlarmName)));
  expect(ofSync).toMatchObject([
    { AlarmName: 'Pagetree-syncErrors', MetricName: 'Errors', Threshold: 0 },
    {
      ...{ AlarmName: 'Pagetree-SyncDidNotRun', MetricName: 'Invocations', Period: 3600 },
      ...{ ComparisonOperator: 'LessThanThreshold', Threshold: 1, TreatMissingData: 'breaching' },
    },
  ]);
  expect(ofSync).toHaveLength(PIECES.sync.alarms);
  const { DashboardBody } = resourceOf(template, 'AWS::CloudWatch::Dashboard').Properties;
  expect(String(resolved(template, DashboardBody))).toContain('"sync: errors"');
});

test('an output says how the secrets are named', () => {
  expect(template.Outputs.SyncSecrets?.Value).toBe('pagetree/Pagetree/WIKI/HOST');
  expect(without.Outputs).not.toHaveProperty('SyncSecrets');
});

test('the sync costs its alarms, a secret, and a look each minute', () => {
  const configuration = { function: { provisionedConcurrency: { environments: 0 } } };
  const load = { reads: 0, writes: 0, storedGb: 0.1 };
  const costOf = (json: object, free: boolean): Cost => monthlyCost(parseConfiguration(json), load, free);
  const [less, more] = [costOf(configuration, false), costOf({ ...configuration, sync: true }, false)];
  expect(more.secrets - less.secrets).toBeCloseTo(0.4);
  // The metrics of operations are there in every hour then.
  expect(more.watching - less.watching).toBeCloseTo(2 * 0.1 + 9 * 0.3);
  expect(more.requests).toBeCloseTo(3 * 0.0438 * 0.2 + (43_800 * 0.4 + 0.5 * 87_600 * 0.02) * 0.0000133334);
  expect(more.throughput).toBeCloseTo(3 * 87_600 * 32_768e-9 * 0.03);
  expect(costOf({ ...configuration, sync: true }, true).requests).toBe(0);
});
