import { Validations } from 'aws-cdk-lib';
import {
  GatewayVpcEndpoint,
  GatewayVpcEndpointAwsService,
  IpAddresses,
  type IVpc,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

const NFS = Port.tcp(2049);
const HTTPS = Port.tcp(443);

/**
 * One zone, so that nothing that is measured crosses two. Functions lie in a subnet without a way out but S3's gateway
 * endpoint. Tasks lie in a public subnet and have a public address while they run: it is how they get their image
 * and send their logs, for half a cent an hour. A NAT gateway, or the endpoints in its place, would cost more than the
 * studies, and the public registry has no endpoint at all.
 */
export class StudyNetwork extends Construct {
  readonly vpc: IVpc;
  readonly storeEndpoint: GatewayVpcEndpoint;
  readonly functionSubnets = { subnetType: SubnetType.PRIVATE_ISOLATED };
  readonly taskSubnets = { subnetType: SubnetType.PUBLIC };
  readonly functionGroup: SecurityGroup;
  readonly taskGroup: SecurityGroup;
  readonly fileSystemGroup: SecurityGroup;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const vpc = new Vpc(this, 'Vpc', {
      ipAddresses: IpAddresses.cidr('10.0.0.0/24'),
      maxAzs: 1,
      natGateways: 0,
      // It would take a function of its own to close the default group, in which nothing ever is.
      restrictDefaultSecurityGroup: false,
      subnetConfiguration: [
        { name: 'Functions', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 26 },
        { name: 'Tasks', subnetType: SubnetType.PUBLIC, cidrMask: 26, mapPublicIpOnLaunch: false },
      ],
    });
    // CDK's types are not made for exactOptionalPropertyTypes: a Vpc is an IVpc but for `vpnGatewayId?: string`.
    this.vpc = vpc as IVpc;
    this.storeEndpoint = new GatewayVpcEndpoint(this, 'Store', {
      vpc: this.vpc,
      service: GatewayVpcEndpointAwsService.S3,
    });
    this.functionGroup = this.group('FunctionGroup', 'The functions: they reach file systems and S3');
    this.taskGroup = this.group('TaskGroup', 'The tasks: nobody reaches them');
    this.fileSystemGroup = this.group('FileSystemGroup', 'The file systems: functions and tasks reach them');
    for (const [name, group] of Object.entries({ functions: this.functionGroup, tasks: this.taskGroup })) {
      group.addEgressRule(this.fileSystemGroup, NFS, 'NFS to the file systems');
      group.addEgressRule(Peer.anyIpv4(), HTTPS, 'S3, and for tasks the registry and the logs');
      this.fileSystemGroup.addIngressRule(group, NFS, `NFS from the ${name}`);
    }
    Validations.of(this.vpc).acknowledge({
      id: 'AwsSolutions-VPC7',
      reason: 'Nothing can come in. What goes out is what the studies read, measured where it is read.',
    });
  }

  /** The endpoint leads to this bucket and to no other. */
  allowStore(bucket: Bucket): void {
    this.storeEndpoint.addToPolicy(
      new PolicyStatement({
        principals: [new AnyPrincipal()],
        actions: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'],
        resources: [bucket.arnForObjects('*')],
      }),
    );
  }

  private group(id: string, description: string): SecurityGroup {
    return new SecurityGroup(this, id, { vpc: this.vpc, description, allowAllOutbound: false });
  }
}
