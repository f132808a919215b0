import { RemovalPolicy, Size } from 'aws-cdk-lib';
import { type AccessPoint, CfnFileSystem, FileSystem, ThroughputMode } from 'aws-cdk-lib/aws-efs';
import { AnyPrincipal, Effect, type IRole, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Configuration } from '../configuration/configuration.ts';
import type { Network } from './network.ts';

/**
 * The user who writes the files of the wikis. Everybody may read them, including the reader's user and group.
 */
const OWNER = '1000';
const READER = '1001';

const THROUGHPUT_MODES = {
  elastic: ThroughputMode.ELASTIC,
  bursting: ThroughputMode.BURSTING,
  provisioned: ThroughputMode.PROVISIONED,
} as const;

/** The roles that may mount the file system: those of the functions, and break-glass for a person. */
export interface FileRoles {
  writers: readonly IRole[];
  reader: IRole;
  breakGlass: IRole;
}

/** The wikis: an encrypted file system with daily backups, and its two access points. */
export class WikiFileSystem extends Construct {
  readonly fileSystem: FileSystem;
  /** Files made through it belong to `OWNER`, who may write. */
  readonly writerAccessPoint: AccessPoint;
  /** Clients of it are `READER`, whom the files' own permissions let only read. */
  readonly readerAccessPoint: AccessPoint;

  constructor(
    scope: Construct,
    id: string,
    settings: Configuration['fileSystem'],
    network: Network,
    roles: FileRoles,
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
    // A new logical id would replace the access point, which a mounted function cannot do without.
    this.writerAccessPoint = this.accessPoint('WriterDoor', settings.directory, OWNER);
    this.readerAccessPoint = this.accessPoint('ReaderDoor', settings.directory, READER);
  }

  /**
   * Set on the resource itself, as CDK's construct adds a statement that lets everybody write and be root.
   */
  private demand(policy: PolicyDocument): void {
    const resource = this.fileSystem.node.defaultChild;
    if (!(resource instanceof CfnFileSystem))
      throw new TypeError('A file system has its resource as default child.');
    resource.fileSystemPolicy = policy;
  }

  private accessPoint(id: string, path: string, user: string): AccessPoint {
    return this.fileSystem.addAccessPoint(id, {
      path,
      posixUser: { uid: user, gid: user },
      // The first mount makes the directory, so both access points ask for the same.
      createAcl: { ownerUid: OWNER, ownerGid: OWNER, permissions: '755' },
    });
  }
}

/**
 * The denials for everybody, whatever their own policies allow. It allows nothing: the policy of each role
 * does that, as it can name its access point. This policy cannot, as it is part of the file system to which
 * the access points belong; for the same reason it names the file system `*`.
 */
function filePolicy({ writers, reader, breakGlass }: FileRoles): PolicyDocument {
  const arnsOf = (roles: readonly IRole[]) => roles.map(({ roleArn }) => roleArn);
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
      deny('NobodyWithoutARole', everything, {
        ArnNotEquals: { 'aws:PrincipalArn': arnsOf([...writers, reader, breakGlass]) },
      }),
      deny('TheReaderWritesNothing', ['ClientWrite'], {
        ArnNotEquals: { 'aws:PrincipalArn': arnsOf([...writers, breakGlass]) },
      }),
      deny('NobodyAsRoot', ['ClientRootAccess'], {}),
    ],
  });
}
