import { describe, expect, test } from 'vitest';
import { resolved, resourceOf, resourcesOf } from './look-into.ts';
import { templateOf } from './synthesize.ts';

const template = templateOf({});
const types = Object.values(template.Resources).map((resource) => resource.Type);

describe('the network', () => {
  test('has one isolated subnet, no gateway of any kind and no endpoint', () => {
    expect(resourcesOf(template, 'AWS::EC2::Subnet')).toHaveLength(1);
    expect(resourceOf(template, 'AWS::EC2::Subnet').Properties).toMatchObject({
      AvailabilityZone: 'us-east-2a',
      MapPublicIpOnLaunch: false,
    });
    expect(types.filter((type) => /Gateway|Endpoint|::Route$|EIP|Peering/.test(type))).toEqual([]);
  });

  test('lets NFS through from the functions to the file system and nothing else', () => {
    const [functionGroup, fileSystemGroup] = ['NetworkFunctionGroup', 'NetworkFileSystemGroup'].map(
      (begin) => {
        const [[name, group] = []] = resourcesOf(template, 'AWS::EC2::SecurityGroup').filter(([each]) =>
          each.startsWith(begin),
        );
        return { id: `${name}.GroupId`, properties: group?.Properties };
      },
    );
    const nfs = { IpProtocol: 'tcp', FromPort: 2049, ToPort: 2049 };
    const egress = resolved(template, resourceOf(template, 'AWS::EC2::SecurityGroupEgress').Properties);
    const ingress = resolved(template, resourceOf(template, 'AWS::EC2::SecurityGroupIngress').Properties);
    expect(egress).toMatchObject({
      ...nfs,
      GroupId: functionGroup?.id,
      DestinationSecurityGroupId: fileSystemGroup?.id,
    });
    expect(ingress).toMatchObject({
      ...nfs,
      GroupId: fileSystemGroup?.id,
      SourceSecurityGroupId: functionGroup?.id,
    });
    // A group without egress rules would let everything out, so CDK writes one that matches nothing.
    expect(functionGroup?.properties).not.toHaveProperty('SecurityGroupIngress');
    expect(functionGroup?.properties).not.toHaveProperty('SecurityGroupEgress');
    expect(fileSystemGroup?.properties).not.toHaveProperty('SecurityGroupIngress');
    expect(fileSystemGroup?.properties).toMatchObject({
      SecurityGroupEgress: [{ CidrIp: '255.255.255.255/32', IpProtocol: 'icmp' }],
    });
  });
});

describe('the file system', () => {
  const fileSystem = resourceOf(template, 'AWS::EFS::FileSystem');

  test('is One Zone, elastic, encrypted, backed up every day, and kept when the stack is deleted', () => {
    expect(fileSystem.Properties).toMatchObject({
      AvailabilityZoneName: 'us-east-2a',
      ThroughputMode: 'elastic',
      Encrypted: true,
      BackupPolicy: { Status: 'ENABLED' },
    });
    expect(fileSystem.DeletionPolicy).toBe('Retain');
    expect(fileSystem.UpdateReplacePolicy).toBe('Retain');
  });

  test('has two doors to /pagetree, each with a user of its own, of whom one owns it', () => {
    const doors = resourcesOf(template, 'AWS::EFS::AccessPoint').map(([, door]) => door.Properties);
    const RootDirectory = {
      Path: '/pagetree',
      CreationInfo: { OwnerUid: '1000', OwnerGid: '1000', Permissions: '755' },
    };
    expect(doors).toHaveLength(2);
    expect(doors).toContainEqual(
      expect.objectContaining({ RootDirectory, PosixUser: { Uid: '1000', Gid: '1000' } }),
    );
    expect(doors).toContainEqual(
      expect.objectContaining({ RootDirectory, PosixUser: { Uid: '1001', Gid: '1001' } }),
    );
  });

  test('has a policy that only denies', () => {
    const { Statement } = fileSystem.Properties.FileSystemPolicy as { Statement: { Effect: string }[] };
    expect(new Set(Statement.map((statement) => statement.Effect))).toEqual(new Set(['Deny']));
  });

  test('is regional, bursting, deleted with the stack or elsewhere where the configuration says so', () => {
    const other = templateOf({
      region: 'eu-west-1',
      fileSystem: {
        availability: 'regional',
        throughput: { mode: 'bursting' },
        removal: 'delete',
        directory: '/aws-backup-restore_2026-11-21T01-00-00-000Z/pagetree',
      },
    });
    const { Properties, DeletionPolicy } = resourceOf(other, 'AWS::EFS::FileSystem');
    expect(Properties).toMatchObject({ ThroughputMode: 'bursting' });
    expect(Properties).not.toHaveProperty('AvailabilityZoneName');
    expect(DeletionPolicy).toBe('Delete');
    const zones = resourcesOf(other, 'AWS::EC2::Subnet').map(
      ([, subnet]) => subnet.Properties.AvailabilityZone,
    );
    expect(zones).toEqual(['eu-west-1a', 'eu-west-1b']);
    expect(resourcesOf(other, 'AWS::EFS::MountTarget')).toHaveLength(2);
    for (const [, door] of resourcesOf(other, 'AWS::EFS::AccessPoint'))
      expect(door.Properties.RootDirectory).toMatchObject({
        Path: expect.stringContaining('/aws-backup-restore_'),
      });
    // Whoever is to hear of burst credits that run out can: there are some in this mode alone.
    expect(
      resourcesOf(other, 'AWS::CloudWatch::Alarm').map(([, alarm]) => alarm.Properties.MetricName),
    ).toContain('BurstCreditBalance');
  });

  test('has the throughput that it is given', () => {
    const other = templateOf({ fileSystem: { throughput: { mode: 'provisioned', mibPerSecond: 10 } } });
    expect(resourceOf(other, 'AWS::EFS::FileSystem').Properties).toMatchObject({
      ThroughputMode: 'provisioned',
      ProvisionedThroughputInMibps: 10,
    });
  });
});

describe('the functions', () => {
  test('run the bundle on arm64 and Node 24, traced, with 512 MB, on the mount', () => {
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

  test('are two on one bundle, each with its own door, and wait for the mount target', () => {
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
    const [[mountTarget] = []] = resourcesOf(template, 'AWS::EFS::MountTarget');
    for (const { DependsOn } of [writer, reader]) expect(DependsOn).toContain(mountTarget);
  });

  test('have an alias live; only that of the writer keeps an environment ready', () => {
    const alias = (begin: string) => resourceOf(template, 'AWS::Lambda::Alias', begin).Properties;
    expect(alias('Writer')).toMatchObject({
      Name: 'live',
      ProvisionedConcurrencyConfig: { ProvisionedConcurrentExecutions: 1 },
    });
    expect(alias('Reader')).toMatchObject({ Name: 'live' });
    expect(alias('Reader')).not.toHaveProperty('ProvisionedConcurrencyConfig');
    const none = templateOf({ function: { provisionedConcurrency: { environments: 0 } } });
    expect(resourceOf(none, 'AWS::Lambda::Alias', 'Writer').Properties).not.toHaveProperty(
      'ProvisionedConcurrencyConfig',
    );
  });

  test('keep the versions that they had, so that the alias can go back to one', () => {
    for (const [, version] of resourcesOf(template, 'AWS::Lambda::Version'))
      expect(version.DeletionPolicy).toBe('Retain');
  });

  test('log to groups of their own, which forget', () => {
    const groups = resourcesOf(template, 'AWS::Logs::LogGroup').map(([, group]) => group.Properties);
    expect(groups).toEqual([
      expect.objectContaining({ LogGroupName: '/aws/lambda/Pagetree', RetentionInDays: 90 }),
      expect.objectContaining({ LogGroupName: '/aws/lambda/Pagetree-reader', RetentionInDays: 90 }),
    ]);
  });

  test('send asynchronous calls that failed for good to an encrypted queue', () => {
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

  test('are kept ready by the clock and by the load where the configuration says so', () => {
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
});

describe('who watches', () => {
  test('is told of errors, throttles, long calls, lost calls and a busy file system', () => {
    const watched = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(
      ([, { Properties }]) => `${Properties.Namespace} ${Properties.MetricName} > ${Properties.Threshold}`,
    );
    expect(watched.toSorted()).toEqual([
      'AWS/EFS PercentIOLimit > 95',
      'AWS/Lambda Duration > 24000',
      'AWS/Lambda Duration > 24000',
      'AWS/Lambda Errors > 0',
      'AWS/Lambda Errors > 0',
      'AWS/Lambda Throttles > 0',
      'AWS/Lambda Throttles > 0',
      'AWS/SQS ApproximateNumberOfMessagesVisible > 0',
      'Pagetree faults > 0',
      'Pagetree faults > 0',
    ]);
  });

  test('gets letters where there is an address, over TLS alone', () => {
    expect(resourcesOf(template, 'AWS::SNS::Topic')).toEqual([]);
    const told = templateOf({ alarmAddress: 'ops@example.org' });
    expect(resourceOf(told, 'AWS::SNS::Subscription').Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'ops@example.org',
    });
    const [[topic] = []] = resourcesOf(told, 'AWS::SNS::Topic');
    for (const [, { Properties }] of resourcesOf(told, 'AWS::CloudWatch::Alarm'))
      expect(Properties).toMatchObject({ AlarmActions: [{ Ref: topic }], OKActions: [{ Ref: topic }] });
    expect(JSON.stringify(resourceOf(told, 'AWS::SNS::TopicPolicy').Properties)).toContain(
      '"aws:SecureTransport":"false"',
    );
  });

  test('has one dashboard that answers three questions', () => {
    const body = JSON.stringify(
      resolved(template, resourceOf(template, 'AWS::CloudWatch::Dashboard').Properties.DashboardBody),
    );
    for (const question of ['Is it well?', 'Is it fast?', 'What does it cost?'])
      expect(body).toContain(question);
  });
});

describe('the outputs', () => {
  const outputs = Object.fromEntries(
    Object.entries(template.Outputs).map(([name, { Value }]) => [name, String(resolved(template, Value))]),
  );

  test('tell how to reach the wiki, and what to attach to people', () => {
    const base = 'arn:aws:lambda:us-east-2:111122223333:function';
    expect(outputs).toMatchObject({
      Function: `${base}:Pagetree:live`,
      ReaderFunction: `${base}:Pagetree-reader:live`,
      WriterPolicy: 'arn:aws:iam::111122223333:policy/Pagetree-writer',
      ReaderPolicy: 'arn:aws:iam::111122223333:policy/Pagetree-reader',
    });
    expect(outputs).toHaveProperty('FileSystemId');
    expect(outputs).toHaveProperty('Dashboard');
  });

  test('have a snippet that is ready for the configuration of a client', () => {
    expect(JSON.parse(String(outputs.ClientSnippet))).toEqual({
      mcpServers: {
        pagetree: {
          command: 'npx',
          args: ['-y', 'pnpm@12', '-C', '/path/to/pagetree', 'mcp'],
          env: { PAGETREE_FUNCTION: outputs.Function },
        },
      },
    });
  });
});

test('the template is the one that was looked at', async () => {
  // The hash of the bundle, and nothing else, is no matter of the template.
  const text = JSON.stringify(template, null, 2).replaceAll(/[0-9a-f]{64}(?=\.zip|")/g, 'BUNDLE');
  await expect(`${text}\n`).toMatchFileSnapshot('pagetree.template.snapshot');
});
