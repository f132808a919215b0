import { Validations } from 'aws-cdk-lib';
import {
  IpAddresses,
  type IVpc,
  Port,
  SecurityGroup,
  type SubnetSelection,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { Construct } from 'constructs';

/** NFS, all of it: version 4.1 needs no other port. */
const NFS = Port.tcp(2049);

/**
 * A network in which only the file system can be reached: no access to the internet, no gateway, no endpoint.
 * docs/adr/0005-network-without-nat.md explains why the function needs none.
 */
export class Network extends Construct {
  readonly vpc: IVpc;
  readonly subnets: SubnetSelection;
  readonly functionGroup: SecurityGroup;
  readonly fileSystemGroup: SecurityGroup;

  /** @param zones Their names, or how many of the region's zones to use. */
  constructor(scope: Construct, id: string, zones: readonly string[] | number) {
    super(scope, id);
    const vpc = new Vpc(this, 'Vpc', {
      ipAddresses: IpAddresses.cidr('10.0.0.0/24'),
      ...(typeof zones === 'number' ? { maxAzs: zones } : { availabilityZones: [...zones] }),
      natGateways: 0,
      // It would take a function of its own to close the default group, in which nothing ever is.
      restrictDefaultSecurityGroup: false,
      subnetConfiguration: [{ name: 'Isolated', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 26 }],
    });
    // CDK's types are not made for exactOptionalPropertyTypes: a Vpc is an IVpc but for `vpnGatewayId?: string`.
    this.vpc = vpc as IVpc;
    this.subnets = { subnetType: SubnetType.PRIVATE_ISOLATED };
    this.functionGroup = new SecurityGroup(this, 'FunctionGroup', {
      vpc: this.vpc,
      description: 'The functions: they reach the file system and nothing else',
      allowAllOutbound: false,
    });
    this.fileSystemGroup = new SecurityGroup(this, 'FileSystemGroup', {
      vpc: this.vpc,
      description: 'The file system: only the functions reach it',
      allowAllOutbound: false,
    });
    this.functionGroup.addEgressRule(this.fileSystemGroup, NFS, 'NFS to the file system');
    this.fileSystemGroup.addIngressRule(this.functionGroup, NFS, 'NFS from the functions');
    Validations.of(this.vpc).acknowledge({
      id: 'AwsSolutions-VPC7',
      reason:
        'Nothing can come in or go out: there is no gateway and no endpoint. What could be logged is NFS between the functions and the file system, for more than the wiki costs.',
    });
  }
}
