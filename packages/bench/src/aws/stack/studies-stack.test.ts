import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterAll, describe, expect, test } from 'vitest';
import { resourceOf, resourcesOf } from '../../../../infra/test/look-into.ts';
import type { Template } from '../../../../infra/test/synthesize.ts';
import { bundlesNamed } from '../../../test/bundles-named.ts';
import { type Choices, studiesApp } from './synthesize.ts';

const outdir = mkdtempSync(join(tmpdir(), 'studies-test-'));
afterAll(() => rmSync(outdir, { recursive: true }));

const month = { from: '2026-11-21T05:00:00Z', to: '2026-12-21T05:00:00Z' };
const choices: Choices = {
  bundles: bundlesNamed(),
  sizesMib: [1, 500],
  month,
};
const { app, stacks } = studiesApp(choices, outdir);
const assembly = app.synth();
const [ground, studies] = stacks.map(
  ({ stackName }): Template => assembly.getStackByName(stackName).template,
);
if (!ground || !studies) throw new TypeError('There are two stacks.');

const functionNamed = (name: string) =>
  resourcesOf(studies, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties.FunctionName === `PagetreeStudies-${name}`,
  )?.[1].Properties ?? {};
const container = () => {
  const { ContainerDefinitions } = resourceOf(studies, 'AWS::ECS::TaskDefinition').Properties;
  return (ContainerDefinitions as Record<string, unknown>[])[0] ?? {};
};

test('the rules of AwsSolutions hold, but for what is acknowledged with its reason', () => {
  expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
});

test('both templates are small enough to be sent as they are', () => {
  for (const template of [ground, studies]) expect(JSON.stringify(template).length).toBeLessThan(51_200);
});

describe('the network', () => {
  test('has one zone, no NAT gateway, and one endpoint: the gateway to S3, to this bucket alone', () => {
    for (const template of [ground, studies]) {
      expect(resourcesOf(template, 'AWS::EC2::NatGateway')).toEqual([]);
      expect(resourcesOf(template, 'AWS::EC2::EIP')).toEqual([]);
    }
    const subnets = resourcesOf(ground, 'AWS::EC2::Subnet').map(([, { Properties }]) => Properties);
    expect(new Set(subnets.map(({ AvailabilityZone }) => JSON.stringify(AvailabilityZone))).size).toBe(1);
    const endpoint = resourceOf(ground, 'AWS::EC2::VPCEndpoint').Properties;
    expect(endpoint.VpcEndpointType ?? 'Gateway').toBe('Gateway');
    expect(JSON.stringify(endpoint.ServiceName)).toMatch(/\.s3"/);
    expect(endpoint.RouteTableIds).toHaveLength(2);
    expect(JSON.stringify(endpoint.PolicyDocument)).toContain('Bucket');
  });

  test('gives an address only to tasks that ask for one, and lets nobody in', () => {
    for (const [, { Properties }] of resourcesOf(ground, 'AWS::EC2::Subnet'))
      expect(Properties.MapPublicIpOnLaunch).toBe(false);
    const ingress = resourcesOf(ground, 'AWS::EC2::SecurityGroupIngress').map(([, rule]) => rule.Properties);
    expect(ingress.map(({ FromPort, ToPort }) => [FromPort, ToPort])).toEqual([
      [2049, 2049],
      [2049, 2049],
    ]);
    for (const [, { Properties }] of resourcesOf(ground, 'AWS::EC2::SecurityGroup'))
      expect(Properties).not.toHaveProperty('SecurityGroupIngress');
  });

  test('puts functions into a subnet without a way to the internet', () => {
    const { VpcConfig } = functionNamed('probe') as { VpcConfig: { SubnetIds: unknown } };
    expect(JSON.stringify(VpcConfig.SubnetIds)).toContain('FunctionsSubnet');
    const routes = resourcesOf(ground, 'AWS::EC2::Route').map(([name]) => name);
    expect(routes).toHaveLength(1);
    expect(routes[0]).toContain('TasksSubnet');
  });
});

describe('the bucket', () => {
  test('is encrypted, private, and deleted with the stack', () => {
    const bucket = resourceOf(ground, 'AWS::S3::Bucket');
    expect(bucket.Properties).toMatchObject({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
    expect(bucket.DeletionPolicy).toBe('Delete');
  });

  test('gives bundles without a signature to its own endpoint alone, and nothing without TLS', () => {
    const { PolicyDocument } = resourceOf(ground, 'AWS::S3::BucketPolicy').Properties as {
      PolicyDocument: { Statement: Record<string, unknown>[] };
    };
    const [plain, unsigned] = PolicyDocument.Statement;
    expect(plain).toMatchObject({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } });
    expect(unsigned).toMatchObject({
      Effect: 'Allow',
      Action: 's3:GetObject',
      Condition: { StringEquals: { 'aws:SourceVpce': { Ref: expect.stringContaining('Store') } } },
    });
    expect(JSON.stringify(unsigned?.Resource)).toContain('/bundles/*');
  });
});

describe('the file systems', () => {
  const of = (name: string) => resourceOf(studies, 'AWS::EFS::FileSystem', name);

  test('are General Purpose, encrypted, without backups, and deleted with the stack', () => {
    const all = resourcesOf(studies, 'AWS::EFS::FileSystem').map(([, each]) => each);
    expect(all).toHaveLength(4);
    for (const each of all) {
      expect(each.Properties).toMatchObject({
        PerformanceMode: 'generalPurpose',
        Encrypted: true,
      });
      // Without a word of it there are none, as there is more than one zone to the file system.
      expect(each.Properties).not.toHaveProperty('BackupPolicy');
      expect(each.Properties).not.toHaveProperty('AvailabilityZoneName');
      expect(each.DeletionPolicy).toBe('Delete');
    }
  });

  test('are Elastic for the jitter study, and one of each mode for the throughput study', () => {
    expect(of('Jitter').Properties.ThroughputMode).toBe('elastic');
    expect(of('elastic').Properties.ThroughputMode).toBe('elastic');
    expect(of('bursting').Properties.ThroughputMode).toBe('bursting');
  });

  test('let nobody in without TLS', () => {
    const { Statement } = of('Jitter').Properties.FileSystemPolicy as { Statement: unknown[] };
    expect(Statement).toEqual([
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    ]);
  });
});

describe('the probe', () => {
  test('is in Lambda a function of 10 GB on arm64 and Amazon Linux 2023, in the network, on the file system', () => {
    expect(functionNamed('probe')).toMatchObject({
      MemorySize: 10_240,
      Architectures: ['arm64'],
      // Every runtime of Lambda's from nodejs20.x on is on Amazon Linux 2023.
      Runtime: 'nodejs24.x',
      Timeout: 900,
      FileSystemConfigs: [{ LocalMountPath: '/mnt/study' }],
      Environment: { Variables: { PROBE_DIRECTORY: '/mnt/study' } },
    });
  });

  test('is in Fargate a task of 8 vCPU and 32 GB on arm64, of the AWS image on Amazon Linux 2023, on the same file system', () => {
    const task = resourceOf(studies, 'AWS::ECS::TaskDefinition').Properties;
    expect(task).toMatchObject({
      Cpu: '8192',
      Memory: '32768',
      RequiresCompatibilities: ['FARGATE'],
      RuntimePlatform: { CpuArchitecture: 'ARM64', OperatingSystemFamily: 'LINUX' },
    });
    // The runtime of the function as an image: Amazon Linux 2023, as for every runtime from nodejs20.x on.
    expect(container().Image).toBe('public.ecr.aws/lambda/nodejs:24');
    const volumes = JSON.stringify(task.Volumes);
    expect(volumes).toContain('"TransitEncryption":"ENABLED"');
    expect(volumes).toContain('"IAM":"ENABLED"');
    expect(volumes).toContain(
      resourcesOf(studies, 'AWS::EFS::FileSystem').find(([name]) => name.startsWith('Jitter'))?.[0],
    );
  });

  test('gets its region in the task too', () => {
    expect(container().Environment).toContainEqual({ Name: 'AWS_REGION', Value: { Ref: 'AWS::Region' } });
  });

  test('is the same in both, by its hash', () => {
    const { key, zipKey, sha256 } = choices.bundles.probe;
    expect(functionNamed('probe').Code).toMatchObject({ S3Key: zipKey });
    const command = container().Command as unknown[];
    expect(command.at(-1)).toBe(sha256);
    expect(JSON.stringify(command.at(-2))).toContain(key);
    expect(JSON.stringify(studies.Outputs.Probe)).toContain(sha256);
  });

  test('may do no more than mount, read files and write records', () => {
    const { Roles } = { Roles: functionNamed('probe').Role as { 'Fn::GetAtt': string[] } };
    const role = Roles['Fn::GetAtt'][0];
    const statements = resourcesOf(studies, 'AWS::IAM::Policy')
      .filter(([, { Properties }]) => JSON.stringify(Properties.Roles).includes(String(role)))
      .flatMap(
        ([, { Properties }]) => (Properties.PolicyDocument as { Statement: { Action: unknown }[] }).Statement,
      );
    expect(new Set(statements.flatMap(({ Action }) => Action))).toEqual(
      new Set([
        'elasticfilesystem:ClientMount',
        'elasticfilesystem:ClientWrite',
        'logs:CreateLogStream',
        'logs:PutLogEvents',
        's3:GetObject',
        's3:PutObject',
      ]),
    );
  });
});

test('the two functions of the throughput study differ in their file system alone', () => {
  const [elastic, bursting] = ['elastic', 'bursting'].map((mode) => {
    const {
      FunctionName: _,
      FileSystemConfigs,
      LoggingConfig: __,
      Role: ___,
      ...others
    } = functionNamed(mode);
    return { others, files: JSON.stringify(FileSystemConfigs) };
  });
  expect(elastic?.others).toEqual(bursting?.others);
  expect(elastic?.files).not.toBe(bursting?.files);
  expect(elastic?.files).toContain('elasticFiles');
  expect(bursting?.files).toContain('burstingFiles');
});

describe('the month', () => {
  const schedules = Object.fromEntries(
    resourcesOf(studies, 'AWS::Scheduler::Schedule').map(([, { Properties }]) => [
      Properties.Name,
      Properties,
    ]),
  ) as Record<string, Record<string, unknown>>;

  test('reads once an hour by each service from each store, and changes the function before', () => {
    expect(
      Object.entries(schedules)
        .map(([name, { ScheduleExpression }]) => `${name} ${ScheduleExpression}`)
        .toSorted(),
    ).toEqual([
      'PagetreeStudies-fargate-efs cron(15 * * * ? *)',
      'PagetreeStudies-fargate-s3 cron(45 * * * ? *)',
      'PagetreeStudies-lambda-efs cron(0 * * * ? *)',
      'PagetreeStudies-lambda-efs-cold cron(57 * * * ? *)',
      'PagetreeStudies-lambda-s3 cron(30 * * * ? *)',
      'PagetreeStudies-lambda-s3-cold cron(27 * * * ? *)',
    ]);
    for (const schedule of Object.values(schedules))
      expect(schedule).toMatchObject({ StartDate: month.from, EndDate: month.to });
  });

  test('has each read write to the key of its time', () => {
    const inputOf = (name: string) =>
      JSON.stringify((schedules[`PagetreeStudies-${name}`] as { Target: { Input: unknown } }).Target.Input);
    expect(inputOf('lambda-s3')).toContain(
      'results/jitter/scheduled/lambda-s3/<aws.scheduler.scheduled-time>.json',
    );
    expect(inputOf('fargate-efs')).toContain(
      'results/jitter/scheduled/fargate-efs/<aws.scheduler.scheduled-time>.json',
    );
    expect(inputOf('lambda-s3-cold')).toContain('<aws.scheduler.execution-id>');
  });

  test('has tasks in the public subnet, with an address of their own', () => {
    const { Target } = schedules['PagetreeStudies-fargate-s3'] as { Target: { EcsParameters: unknown } };
    expect(JSON.stringify(Target.EcsParameters)).toContain('TasksSubnet');
    expect(Target.EcsParameters).toMatchObject({
      LaunchType: 'FARGATE',
      NetworkConfiguration: { AwsvpcConfiguration: { AssignPublicIp: 'ENABLED' } },
    });
  });
});

test('everything is deleted with the stacks: nothing is kept, nothing is made by a custom resource', () => {
  for (const template of [ground, studies])
    for (const [name, { Type, DeletionPolicy }] of Object.entries(template.Resources)) {
      expect(Type).not.toMatch(/^Custom::|CustomResource$/);
      expect([undefined, 'Delete'], name).toContain(DeletionPolicy);
    }
});

test('schedules nothing unless asked to', () => {
  const other = studiesApp({ ...choices, month: null }, join(outdir, 'resting'));
  const { template } = other.app.synth().getStackByName('PagetreeStudies');
  expect(resourcesOf(template, 'AWS::Scheduler::Schedule')).toEqual([]);
  expect(template.Outputs).not.toHaveProperty('ScheduledFrom');
});

test('the ground is the same with a month and without, so that a month can be ended: an export in use cannot go', () => {
  const other = studiesApp({ ...choices, month: null }, join(outdir, 'same-ground'));
  const { template } = other.app.synth().getStackByName('PagetreeStudies-Ground');
  expect(template).toEqual(ground);
});
