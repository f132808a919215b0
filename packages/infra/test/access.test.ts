import { describe, expect, test } from 'vitest';
import { ACCOUNT, arnOf, resolved, resourcesOf } from './look-into.ts';
import {
  administrator,
  allowed,
  call,
  type Identity,
  nameOf,
  personWith,
  type Request,
  roleOf,
} from './simulate.ts';
import { templateOf } from './synthesize.ts';

const template = templateOf({});
const named = (type: string, begin?: string) => nameOf(template, type, begin);
const functionRole = (who: keyof typeof roles) => roleOf(template, roles[who]);
const person = (policy: 'Writer' | 'Reader' | null) => personWith(template, policy);

const roles = {
  writer: named('AWS::IAM::Role', 'WriterRole'),
  reader: named('AWS::IAM::Role', 'ReaderRole'),
  breakGlass: named('AWS::IAM::Role', 'BreakGlass'),
};
const accessPoints = {
  writer: arnOf(template, named('AWS::EFS::AccessPoint', 'WriterDoor')),
  reader: arnOf(template, named('AWS::EFS::AccessPoint', 'ReaderDoor')),
};
const fileSystem = named('AWS::EFS::FileSystem');
const filePolicy = resolved(template, template.Resources[fileSystem]?.Properties.FileSystemPolicy);

/** A call to the file system, by default over TLS and by the writer's access point. */
function files(
  action: string,
  { accessPoint, tls = true }: { accessPoint: string | null; tls?: boolean },
): Request {
  return {
    action: `elasticfilesystem:${action}`,
    resource: arnOf(template, fileSystem),
    resourcePolicy: filePolicy,
    context: {
      'aws:SecureTransport': String(tls),
      'elasticfilesystem:AccessedViaMountTarget': 'true',
      ...(accessPoint === null ? {} : { 'elasticfilesystem:AccessPointArn': accessPoint }),
    },
  };
}

describe('the file system', () => {
  const writer = functionRole('writer');
  const reader = functionRole('reader');

  test('is mounted and written by the writer, by its own access point', async () => {
    expect(await allowed(writer, files('ClientMount', { accessPoint: accessPoints.writer }))).toBe(true);
    expect(await allowed(writer, files('ClientWrite', { accessPoint: accessPoints.writer }))).toBe(true);
    expect(await allowed(writer, files('ClientMount', { accessPoint: accessPoints.reader }))).toBe(false);
  });

  test('is mounted by the reader, by its own access point, and never written by it', async () => {
    expect(await allowed(reader, files('ClientMount', { accessPoint: accessPoints.reader }))).toBe(true);
    expect(await allowed(reader, files('ClientMount', { accessPoint: accessPoints.writer }))).toBe(false);
    for (const accessPoint of [accessPoints.reader, accessPoints.writer])
      expect(await allowed(reader, files('ClientWrite', { accessPoint }))).toBe(false);
  });

  test('is not written by the reader even if somebody allows it everything', async () => {
    const promoted = { ...reader, policies: [...reader.policies, ...administrator.policies] };
    expect(await allowed(promoted, files('ClientMount', { accessPoint: accessPoints.reader }))).toBe(true);
    expect(await allowed(promoted, files('ClientWrite', { accessPoint: accessPoints.reader }))).toBe(false);
  });

  test('is mounted and written by a person with the break-glass role, never as root, and by no other person', async () => {
    const person = functionRole('breakGlass');
    expect(await allowed(person, files('ClientMount', { accessPoint: accessPoints.writer }))).toBe(true);
    expect(await allowed(person, files('ClientWrite', { accessPoint: accessPoints.writer }))).toBe(true);
    expect(await allowed(person, files('ClientRootAccess', { accessPoint: accessPoints.writer }))).toBe(
      false,
    );
    expect(await allowed(person, files('ClientMount', { accessPoint: null }))).toBe(false);
    expect(
      await allowed(person, files('ClientMount', { accessPoint: accessPoints.writer, tls: false })),
    ).toBe(false);
  });

  test('has a break-glass role for those alone whom the account allows to take it, or to give it to an instance', () => {
    const { AssumeRolePolicyDocument, ManagedPolicyArns } =
      template.Resources[roles.breakGlass]?.Properties ?? {};
    expect(ManagedPolicyArns).toBeUndefined();
    expect(resolved(template, AssumeRolePolicyDocument)).toMatchObject({
      Statement: [
        {
          Action: 'sts:AssumeRole',
          Effect: 'Allow',
          Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root`, Service: 'ec2.amazonaws.com' },
        },
      ],
    });
  });

  test.each(['ClientMount', 'ClientWrite', 'ClientRootAccess'])(
    '%s: nobody without TLS, except through the access points, or without a role',
    async (action) => {
      const everything = (who: Identity) => ({ ...who, policies: administrator.policies });
      expect(
        await allowed(everything(writer), files(action, { accessPoint: accessPoints.writer, tls: false })),
      ).toBe(false);
      expect(await allowed(everything(writer), files(action, { accessPoint: null }))).toBe(false);
      expect(await allowed(administrator, files(action, { accessPoint: accessPoints.writer }))).toBe(false);
      expect(await allowed(person('Writer'), files(action, { accessPoint: accessPoints.writer }))).toBe(
        false,
      );
    },
  );

  test('has no root, not even the writer', async () => {
    const promoted = { ...writer, policies: administrator.policies };
    expect(await allowed(promoted, files('ClientRootAccess', { accessPoint: accessPoints.writer }))).toBe(
      false,
    );
  });
});

describe('the functions', () => {
  test('are called by a caller that has the policy for it, by the alias alone', async () => {
    expect(await allowed(person('Writer'), call('Pagetree:live'))).toBe(true);
    expect(await allowed(person('Writer'), call('Pagetree-reader:live'))).toBe(true);
    expect(await allowed(person('Reader'), call('Pagetree-reader:live'))).toBe(true);
    expect(await allowed(person('Reader'), call('Pagetree:live'))).toBe(false);
    expect(await allowed(person(null), call('Pagetree-reader:live'))).toBe(false);
    for (const other of ['Pagetree', 'Pagetree:1', 'Pagetree-reader', 'Elsewhere:live'])
      expect(await allowed(person('Writer'), call(other))).toBe(false);
  });

  test('are found by both, and can be changed by neither', async () => {
    const stack = (name: string) => ({
      action: 'cloudformation:DescribeStacks',
      resource: `arn:aws:cloudformation:us-east-2:${ACCOUNT}:stack/${name}/0001`,
    });
    for (const policy of ['Writer', 'Reader'] as const) {
      expect(await allowed(person(policy), stack('Pagetree'))).toBe(true);
      expect(await allowed(person(policy), stack('Payroll'))).toBe(false);
      // The resource of a call by name: AWS does not know the id then.
      const byName = { ...stack('Pagetree'), resource: stack('Pagetree').resource.replace('0001', '*') };
      expect(await allowed(person(policy), byName)).toBe(true);
      const made = { ...byName, resource: stack('Pagetree').resource.replace('0001', '0002') };
      expect(await allowed(person(policy), made)).toBe(true);
      const change = { ...call('Pagetree'), action: 'lambda:UpdateFunctionCode' };
      expect(await allowed(person(policy), change)).toBe(false);
    }
  });

  test('log to their own group, and send only to the queue of failures', async () => {
    const logs = (group: string) => ({
      action: 'logs:PutLogEvents',
      resource: `arn:aws:logs:us-east-2:${ACCOUNT}:log-group:/aws/lambda/${group}:log-stream:today`,
    });
    const queue = (name: string) => ({
      action: 'sqs:SendMessage',
      resource: `arn:aws:sqs:us-east-2:${ACCOUNT}:${name}`,
    });
    const writer = functionRole('writer');
    expect(await allowed(writer, logs('Pagetree'))).toBe(true);
    expect(await allowed(writer, logs('Pagetree-reader'))).toBe(false);
    expect(await allowed(writer, queue(named('AWS::SQS::Queue')))).toBe(true);
    expect(await allowed(writer, queue('others'))).toBe(false);
  });

  test('cannot use by themselves what Lambda needs for their network', async () => {
    const writer = functionRole('writer');
    const request = {
      action: 'ec2:CreateNetworkInterface',
      resource: `arn:aws:ec2:us-east-2:${ACCOUNT}:network-interface/eni-0`,
    };
    const code = { 'lambda:SourceFunctionArn': `arn:aws:lambda:us-east-2:${ACCOUNT}:function:Pagetree` };
    expect(await allowed(writer, request)).toBe(true);
    expect(await allowed(writer, { ...request, context: code })).toBe(false);
  });
});

test('no action is allowed on * but those that AWS knows no narrower form of', () => {
  const documents = [
    ...resourcesOf(template, 'AWS::IAM::Policy'),
    ...resourcesOf(template, 'AWS::IAM::ManagedPolicy'),
  ];
  const statements = documents.flatMap(([, { Properties }]) => {
    const { Statement } = resolved(template, Properties.PolicyDocument) as { Statement: Statement[] };
    return Statement;
  });
  const wide = statements.filter(
    ({ Effect, Resource }) => Effect === 'Allow' && [Resource].flat().includes('*'),
  );
  expect([...new Set(wide.flatMap(({ Action }) => Action))].toSorted()).toEqual([
    'ec2:AssignPrivateIpAddresses',
    'ec2:CreateNetworkInterface',
    'ec2:DeleteNetworkInterface',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeSubnets',
    'ec2:UnassignPrivateIpAddresses',
    'xray:PutTelemetryRecords',
    'xray:PutTraceSegments',
  ]);
  expect(statements.flatMap(({ Action }) => Action).filter((action) => action.includes('*'))).toEqual([]);
});

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: string | string[];
}
