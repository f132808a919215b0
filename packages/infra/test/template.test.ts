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
