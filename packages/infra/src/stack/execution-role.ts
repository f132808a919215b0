import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import type { AccessPoint, FileSystem } from 'aws-cdk-lib/aws-efs';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

/** The actions of Lambda itself, in the name of the role, to attach the function to its network. */
const NETWORK_INTERFACES = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
];

/** The role of one function. The managed policies of AWS would do as well, but allow more: the logs of any group. */
export class ExecutionRole extends Construct {
  readonly role: Role;

  /** @param functionName The function that gets the role. */
  constructor(scope: Construct, id: string, functionName: string) {
    super(scope, id);
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.allow(NETWORK_INTERFACES, '*');
    this.role.addToPolicy(
      new PolicyStatement({
        sid: 'ForLambdaAloneNotForTheCode',
        effect: Effect.DENY,
        actions: NETWORK_INTERFACES,
        resources: ['*'],
        conditions: {
          ArnEquals: {
            'lambda:SourceFunctionArn': arnOf(
              this,
              'lambda',
              'function',
              functionName,
              ArnFormat.COLON_RESOURCE_NAME,
            ),
          },
        },
      }),
    );
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'Lambda refuses to make a function in a VPC unless its role may handle network interfaces of any name, and X-Ray knows no resources. Both are denied to or useless for the code itself.',
    });
  }

  /** Lets the function use one access point, to read, or to write as well. */
  mount(fileSystem: FileSystem, accessPoint: AccessPoint, writable: boolean): void {
    this.role.addToPolicy(mountStatement(this, fileSystem, accessPoint, writable));
  }

  private allow(actions: string[], resource: string): void {
    this.role.addToPolicy(new PolicyStatement({ actions, resources: [resource] }));
  }
}

/** Allows mounting the file system through one access point, to read, or to write as well. */
export function mountStatement(
  scope: Construct,
  fileSystem: FileSystem,
  accessPoint: AccessPoint,
  writable: boolean,
): PolicyStatement {
  const { fileSystemId } = fileSystem;
  return new PolicyStatement({
    actions: ['elasticfilesystem:ClientMount', ...(writable ? ['elasticfilesystem:ClientWrite'] : [])],
    resources: [
      arnOf(scope, 'elasticfilesystem', 'file-system', fileSystemId, ArnFormat.SLASH_RESOURCE_NAME),
    ],
    conditions: { StringEquals: { 'elasticfilesystem:AccessPointArn': accessPoint.accessPointArn } },
  });
}

/** Made from names, so that a role depends on nothing that comes later, or that only AWS itself knows. */
function arnOf(
  scope: Construct,
  service: string,
  resource: string,
  resourceName: string,
  arnFormat: ArnFormat,
): string {
  return Stack.of(scope).formatArn({ service, resource, resourceName, arnFormat });
}
