import { RemovalPolicy, Size } from 'aws-cdk-lib';
import { type AccessPoint, CfnFileSystem, FileSystem, ThroughputMode } from 'aws-cdk-lib/aws-efs';
import { AnyPrincipal, Effect, type IRole, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Configuration } from './configuration.ts';
import type { Network } from './network.ts';

/** Who writes the files of the wikis. Everybody may read them, the reader's user and group among others. */
const OWNER = '1000';
const READER = '1001';

const THROUGHPUT_MODES = {
  elastic: ThroughputMode.ELASTIC,
  bursting: ThroughputMode.BURSTING,
  provisioned: ThroughputMode.PROVISIONED,
} as const;

/** The wikis: an encrypted file system with daily backups, and the two doors to it. */
export class WikiFileSystem extends Construct {
  readonly fileSystem: FileSystem;
  /** Through it files belong to `OWNER`, who may write. */
  readonly writerDoor: AccessPoint;
  /** Through it one is `READER`, whom the files' own permissions let read and no more. */
  readonly readerDoor: AccessPoint;

  constructor(
    scope: Construct,
    id: string,
    settings: Configuration['fileSystem'],
    network: Network,
    roles: { writer: IRole; reader: IRole },
  ) {
    super(scope, id);
    const { mode, mibPerSecond } = settings.throughput;
    this.fileSystem = new FileSystem(this, 'Files', {
      vpc: network.vpc,
      vpcSubnets: { ...network.subnets, availabilityZones: network.vpc.availabilityZones },
      securityGroup: network.fileSystemGroup,
      oneZone: settings.availability === 'one-zone',
      throughputMode: THROUGHPUT_MODES[mode],
      ...(mibPerSecond === undefined ? {} : { provisionedThroughputPerSecond: Size.mebibytes(mibPerSecond) }),
      encrypted: true,
      enableAutomaticBackups: true,
      removalPolicy: settings.removal === 'delete' ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    this.demand(filePolicy(roles));
    this.writerDoor = this.door('WriterDoor', settings.directory, OWNER);
    this.readerDoor = this.door('ReaderDoor', settings.directory, READER);
  }

  /** Through the resource itself, as CDK's construct adds a statement that lets everybody write and be root. */
  private demand(policy: PolicyDocument): void {
    const resource = this.fileSystem.node.defaultChild;
    if (!(resource instanceof CfnFileSystem))
      throw new TypeError('A file system has its resource as default child.');
    resource.fileSystemPolicy = policy;
  }

  private door(id: string, path: string, user: string): AccessPoint {
    return this.fileSystem.addAccessPoint(id, {
      path,
      posixUser: { uid: user, gid: user },
      // Whoever comes first makes the directory, so both make the same.
      createAcl: { ownerUid: OWNER, ownerGid: OWNER, permissions: '755' },
    });
  }
}

/**
 * What nobody may do, whatever their own policies allow them. It allows nothing: that is said in the policy of each
 * role, which can name its door. This policy cannot, as it is a part of the file system that the doors belong to;
 * for the same reason it names the file system `*`.
 */
function filePolicy({ writer, reader }: { writer: IRole; reader: IRole }): PolicyDocument {
  const everything = ['ClientMount', 'ClientWrite', 'ClientRootAccess'];
  const deny = (sid: string, actions: string[], conditions: Record<string, Record<string, unknown>>) =>
    new PolicyStatement({
      sid,
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: actions.map((action) => `elasticfilesystem:${action}`),
      resources: ['*'],
      ...(Object.keys(conditions).length === 0 ? {} : { conditions }),
    });
  return new PolicyDocument({
    statements: [
      deny('NobodyWithoutTls', everything, { Bool: { 'aws:SecureTransport': 'false' } }),
      deny('NobodyBesideTheDoors', everything, { Null: { 'elasticfilesystem:AccessPointArn': 'true' } }),
      deny('NobodyButTheFunctions', everything, {
        ArnNotEquals: { 'aws:PrincipalArn': [writer.roleArn, reader.roleArn] },
      }),
      deny('OnlyTheWriterWrites', ['ClientWrite'], { ArnNotEquals: { 'aws:PrincipalArn': writer.roleArn } }),
      deny('NobodyAsRoot', ['ClientRootAccess'], {}),
    ],
  });
}
