import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, CfnFunction, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { MOUNT, type StudyFiles } from './study-files.ts';
import type { StudyNetwork } from './study-network.ts';

export interface StudyFunctionProps {
  functionName: string;
  description: string;
  memoryMib: number;
  environment: Record<string, string>;
  bucket: IBucket;
  /** Node 24 if absent; its entry point is `index.handler`, as that of any other. */
  runtime?: Runtime;
  /** The key of the bundle, zipped, in the bucket. */
  bundleKey: string;
  network: StudyNetwork;
  files: StudyFiles;
}

/** A function on a file system, in its own log group, with a role of its own. */
export class StudyFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, id: string, props: StudyFunctionProps) {
    super(scope, id);
    const { functionName, description, network, files } = props;
    const role = this.role();
    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    logGroup.grantWrite(role);
    files.admit(role);
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName,
      description,
      // On Amazon Linux 2023, as every runtime of Lambda's from Node 20 on.
      runtime: props.runtime ?? Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromBucketV2(props.bucket, props.bundleKey),
      handler: 'index.handler',
      memorySize: props.memoryMib,
      timeout: Duration.minutes(15),
      environment: props.environment,
      role,
      vpc: network.vpc,
      vpcSubnets: network.functionSubnets,
      securityGroups: [network.functionGroup],
      logGroup,
      // A read that failed is a result; one that is repeated behind our back is none.
      retryAttempts: 0,
    });
    this.mount(files);
  }

  private role(): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSLambdaVPCAccessExecutionRole'),
      ],
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole]',
      reason:
        'The policy is what Lambda needs to put a function into a network; the stack lasts as long as a study.',
    });
    return role;
  }

  /** Through the resource itself, as CDK's own way lets every function write on every file system of the account. */
  private mount(files: StudyFiles): void {
    const resource = this.lambda.node.defaultChild;
    if (!(resource instanceof CfnFunction))
      throw new TypeError('A function has its resource as default child.');
    // CDK has a function depend on its role twice, which cfn-lint finds worth a warning.
    resource.addMetadata('cfn-lint', { config: { ignore_checks: ['W3005'] } });
    resource.fileSystemConfigs = [{ arn: files.accessPoint.accessPointArn, localMountPath: MOUNT }];
    this.lambda.node.addDependency(files.fileSystem.mountTargetsAvailable);
  }
}
