import { describe, expect, test } from 'vitest';
import { resolved, resourceOf, resourcesOf } from './look-into.ts';
import { templateOf } from './synthesize.ts';

const template = templateOf({});
/** A CloudFormation expression for one of the region's zones. */
const zoneOfRegion = (index: number) => ({ 'Fn::Select': [index, { 'Fn::GetAZs': '' }] });
const types = Object.values(template.Resources).map((resource) => resource.Type);

describe('the network', () => {
  test('has an isolated subnet in each of two zones, no gateway of any kind and no endpoint', () => {
    const subnets = resourcesOf(template, 'AWS::EC2::Subnet').map(([, subnet]) => subnet.Properties);
    expect(subnets).toMatchObject(
      [0, 1].map((index) => ({ AvailabilityZone: zoneOfRegion(index), MapPublicIpOnLaunch: false })),
    );
    expect(types.filter((type) => /Gateway|Endpoint|::Route$|EIP|Peering/.test(type))).toEqual([]);
  });

  test('takes the zones that the region has: no name of a zone stands in the template', () => {
    // Tokyo has no zone `b` for new accounts: https://docs.aws.amazon.com/global-infrastructure/latest/regions/
    for (const availability of ['regional', 'one-zone']) {
      const elsewhere = templateOf({ region: 'ap-northeast-1', fileSystem: { availability } });
      expect([...JSON.stringify(elsewhere).matchAll(/ap-northeast-1[a-z]/g)]).toEqual([]);
    }
  });

  test('lies in the zones that the configuration names', () => {
    const zones = ['ap-northeast-1c', 'ap-northeast-1d', 'ap-northeast-1a'];
    const named = templateOf({ region: 'ap-northeast-1', zones });
    expect(
      resourcesOf(named, 'AWS::EC2::Subnet').map(([, subnet]) => subnet.Properties.AvailabilityZone),
    ).toEqual(zones);
    expect(resourcesOf(named, 'AWS::EFS::MountTarget')).toHaveLength(3);
    const [zone] = zones;
    const one = templateOf({
      region: 'ap-northeast-1',
      zones: [zone],
      fileSystem: { availability: 'one-zone' },
    });
    expect(resourceOf(one, 'AWS::EFS::FileSystem').Properties.AvailabilityZoneName).toBe(zone);
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

  test('is regional, elastic, encrypted, backed up every day, and kept when the stack is deleted', () => {
    expect(fileSystem.Properties).toMatchObject({
      ThroughputMode: 'elastic',
      Encrypted: true,
      BackupPolicy: { Status: 'ENABLED' },
    });
    expect(fileSystem.Properties).not.toHaveProperty('AvailabilityZoneName');
    expect(resourcesOf(template, 'AWS::EFS::MountTarget')).toHaveLength(2);
    expect(fileSystem.DeletionPolicy).toBe('Retain');
    expect(fileSystem.UpdateReplacePolicy).toBe('Retain');
  });

  test('has two access points at /pagetree, each with a user of its own, of whom one owns it', () => {
    const accessPoints = resourcesOf(template, 'AWS::EFS::AccessPoint').map(
      ([, accessPoint]) => accessPoint.Properties,
    );
    const RootDirectory = {
      Path: '/pagetree',
      CreationInfo: { OwnerUid: '1000', OwnerGid: '1000', Permissions: '755' },
    };
    expect(accessPoints).toHaveLength(2);
    expect(accessPoints).toContainEqual(
      expect.objectContaining({ RootDirectory, PosixUser: { Uid: '1000', Gid: '1000' } }),
    );
    expect(accessPoints).toContainEqual(
      expect.objectContaining({ RootDirectory, PosixUser: { Uid: '1001', Gid: '1001' } }),
    );
  });

  test('has a policy that only denies', () => {
    const { Statement } = fileSystem.Properties.FileSystemPolicy as { Statement: { Effect: string }[] };
    expect(new Set(Statement.map((statement) => statement.Effect))).toEqual(new Set(['Deny']));
  });

  test('can be in one zone, bursting, deleted with the stack, or elsewhere, as configured', () => {
    const other = templateOf({
      region: 'eu-west-1',
      fileSystem: {
        availability: 'one-zone',
        throughput: { mode: 'bursting' },
        removal: 'delete',
        directory: '/aws-backup-restore_2026-11-21T01-00-00-000Z/pagetree',
      },
    });
    const { Properties, DeletionPolicy } = resourceOf(other, 'AWS::EFS::FileSystem');
    // The file system and its only subnet must be in the same zone.
    expect(Properties).toMatchObject({ ThroughputMode: 'bursting', AvailabilityZoneName: zoneOfRegion(0) });
    expect(DeletionPolicy).toBe('Delete');
    const zones = resourcesOf(other, 'AWS::EC2::Subnet').map(
      ([, subnet]) => subnet.Properties.AvailabilityZone,
    );
    expect(zones).toEqual([zoneOfRegion(0)]);
    expect(resourcesOf(other, 'AWS::EFS::MountTarget')).toHaveLength(1);
    for (const [, accessPoint] of resourcesOf(other, 'AWS::EFS::AccessPoint'))
      expect(accessPoint.Properties.RootDirectory).toMatchObject({
        Path: expect.stringContaining('/aws-backup-restore_'),
      });
    // An alarm for burst credits that run out exists: there are some in this mode alone.
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
  const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);

  test('hears of errors, faults, throttles, long calls, failed maintenance and backups, and a busy file system', () => {
    const signs: Record<string, string> = {
      GreaterThanThreshold: '>',
      GreaterThanOrEqualToThreshold: '>=',
      LessThanThreshold: '<',
    };
    const watched = alarms.map(
      ({ AlarmName, MetricName, ComparisonOperator, Threshold }) =>
        `${AlarmName}: ${MetricName} ${signs[String(ComparisonOperator)]} ${Threshold}`,
    );
    expect(watched.toSorted()).toEqual([
      'Pagetree-FileInputOutput: PercentIOLimit > 95',
      'Pagetree-MaintenanceDebtGrows: debt_growth_rounds >= 3',
      'Pagetree-MaintenanceDidNotFinish: wikis_left > 0',
      'Pagetree-MaintenanceDidNotFinishAWiki: wikis_unfinished > 0',
      'Pagetree-MaintenanceDidNotRun: Invocations < 1',
      'Pagetree-MaintenanceFailedInAWiki: failures > 0',
      'Pagetree-MaintenanceOrBackupFailed: ApproximateNumberOfMessagesVisible > 0',
      'Pagetree-readerDuration: Duration > 24000',
      'Pagetree-readerErrors: Errors > 0',
      'Pagetree-readerFaults: faults > 0',
      'Pagetree-readerThrottles: Throttles > 0',
      'Pagetree-writerDuration: Duration > 24000',
      'Pagetree-writerErrors: Errors > 0',
      'Pagetree-writerFaultsInReading: faults > 0',
      'Pagetree-writerFaultsInWriting: faults > 0',
      'Pagetree-writerThrottles: Throttles > 0',
    ]);
  });

  test('hears nothing of maintenance that does its job: its long calls are those of an alias of their own', () => {
    const aliasOf = (name: string) => {
      const alarm = alarms.find(({ AlarmName }) => AlarmName === `Pagetree-${name}`);
      const dimensions = resolved(template, alarm?.Dimensions) as { Name: string; Value: string }[];
      return dimensions.find(({ Name }) => Name === 'Resource')?.Value;
    };
    expect(aliasOf('writerDuration')).toBe('Pagetree:live');
    expect(aliasOf('writerErrors')).toBe('Pagetree:live');
    expect(aliasOf('MaintenanceDidNotRun')).toBe('Pagetree:maintenance');
  });

  test('hears of maintenance that is not called any more, which has no metric at all', () => {
    const alarm = alarms.find(({ AlarmName }) => AlarmName === 'Pagetree-MaintenanceDidNotRun');
    expect(alarm).toMatchObject({ Period: 86_400, Statistic: 'Sum', TreatMissingData: 'breaching' });
  });

  test('hears of backups of this file system that failed, by the queue of failures', () => {
    const [[queue] = []] = resourcesOf(template, 'AWS::SQS::Queue');
    const { EventPattern, Targets } = resourceOf(template, 'AWS::Events::Rule', 'FailedBackups').Properties;
    expect(resolved(template, EventPattern)).toEqual({
      source: ['aws.backup'],
      'detail-type': ['Backup Job State Change'],
      detail: {
        resourceArn: ['arn:aws:elasticfilesystem:us-east-2:111122223333:file-system/fs-0123456789abcdef0'],
        state: ['FAILED', 'ABORTED', 'EXPIRED', 'PARTIAL'],
      },
    });
    expect(Targets).toMatchObject([{ Arn: { 'Fn::GetAtt': [queue, 'Arn'] } }]);
  });

  test('gets e-mail if there is an address: only from alarms of the stack, and only over TLS', () => {
    expect(resourcesOf(template, 'AWS::SNS::Topic')).toEqual([]);
    const alarmed = templateOf({ alarmAddress: 'ops@example.org' });
    expect(resourceOf(alarmed, 'AWS::SNS::Subscription').Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'ops@example.org',
    });
    const [[topic] = []] = resourcesOf(alarmed, 'AWS::SNS::Topic');
    for (const [, { Properties }] of resourcesOf(alarmed, 'AWS::CloudWatch::Alarm'))
      expect(Properties).toMatchObject({ AlarmActions: [{ Ref: topic }], OKActions: [{ Ref: topic }] });
    // A policy of one's own replaces the one by which the account's alarms may publish.
    const { PolicyDocument } = resourceOf(alarmed, 'AWS::SNS::TopicPolicy').Properties;
    expect(resolved(alarmed, PolicyDocument)).toMatchObject({
      Statement: [
        { Effect: 'Deny', Principal: '*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
        {
          Effect: 'Allow',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Action: 'sns:Publish',
          Resource: topic,
          Condition: {
            ArnLike: { 'aws:SourceArn': 'arn:aws:cloudwatch:us-east-2:111122223333:alarm:Pagetree-*' },
          },
        },
      ],
    });
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

  test('say how to reach the wiki, and what to attach to people', () => {
    const base = 'arn:aws:lambda:us-east-2:111122223333:function';
    expect(outputs).toMatchObject({
      Function: `${base}:Pagetree:live`,
      ReaderFunction: `${base}:Pagetree-reader:live`,
      WriterPolicy: 'arn:aws:iam::111122223333:policy/Pagetree-us-east-2-writer',
      ReaderPolicy: 'arn:aws:iam::111122223333:policy/Pagetree-us-east-2-reader',
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

test('the template equals the reviewed one', async () => {
  // The hash of the bundle, and nothing else, is no matter of the template.
  const text = JSON.stringify(template, null, 2).replaceAll(/[0-9a-f]{64}(?=\.zip|")/g, 'BUNDLE');
  await expect(`${text}\n`).toMatchFileSnapshot('pagetree.template.snapshot');
});
