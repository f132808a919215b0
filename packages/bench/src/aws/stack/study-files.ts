import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  type AccessPoint,
  CfnFileSystem,
  FileSystem,
  PerformanceMode,
  type ThroughputMode,
} from 'aws-cdk-lib/aws-efs';
import { AnyPrincipal, Effect, type IRole, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { StudyNetwork } from './study-network.ts';

const OWNER = '1000';

/** The mount of the file system in functions and tasks; Lambda allows only directories right below /mnt. */
export const MOUNT = '/mnt/study';

/** A file system of one study, encrypted, gone with the stack, and one access point to it. */
export class StudyFiles extends Construct {
  readonly fileSystem: FileSystem;
  readonly accessPoint: AccessPoint;

  constructor(scope: Construct, id: string, network: StudyNetwork, throughputMode: ThroughputMode) {
    super(scope, id);
    this.fileSystem = new FileSystem(this, 'Files', {
      vpc: network.vpc,
      vpcSubnets: network.functionSubnets,
      securityGroup: network.fileSystemGroup,
      performanceMode: PerformanceMode.GENERAL_PURPOSE,
      throughputMode,
      encrypted: true,
      enableAutomaticBackups: false,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.refusePlainText();
    this.accessPoint = this.fileSystem.addAccessPoint('Door', {
      path: '/study',
      posixUser: { uid: OWNER, gid: OWNER },
      createAcl: { ownerUid: OWNER, ownerGid: OWNER, permissions: '755' },
    });
  }

  /** Lets a role mount the file system through its access point, and write. */
  admit(role: IRole): void {
    role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['elasticfilesystem:ClientMount', 'elasticfilesystem:ClientWrite'],
        resources: [this.#arn()],
        conditions: { StringEquals: { 'elasticfilesystem:AccessPointArn': this.accessPoint.accessPointArn } },
      }),
    );
  }

  /** Made from its name, so that a role depends on nothing that only AWS knows. */
  #arn(): string {
    return Stack.of(this).formatArn({
      service: 'elasticfilesystem',
      resource: 'file-system',
      resourceName: this.fileSystem.fileSystemId,
    });
  }

  /** A policy that only denies lets in by their roles alone; CDK's own adds that everybody may write. */
  private refusePlainText(): void {
    const resource = this.fileSystem.node.defaultChild;
    if (!(resource instanceof CfnFileSystem))
      throw new TypeError('A file system has its resource as default child.');
    resource.fileSystemPolicy = new PolicyDocument({
      statements: [
        new PolicyStatement({
          effect: Effect.DENY,
          principals: [new AnyPrincipal()],
          actions: ['*'],
          conditions: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
      ],
    });
  }
}
