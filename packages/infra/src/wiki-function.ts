import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { AccessPoint } from 'aws-cdk-lib/aws-efs';
import {
  type Alias,
  Architecture,
  CfnFunction,
  Code,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Configuration } from './configuration.ts';
import type { ExecutionRole } from './execution-role.ts';
import type { Network } from './network.ts';
import type { WikiFileSystem } from './wiki-file-system.ts';

/** Where the function finds the wikis; Lambda allows only directories right below /mnt. */
const MOUNT = '/mnt/pagetree';

export interface WikiFunctionProps {
  functionName: string;
  description: string;
  /** The directory of the bundle, `index.mjs`. */
  bundle: string;
  configuration: Configuration;
  execution: ExecutionRole;
  network: Network;
  files: WikiFileSystem;
  door: AccessPoint;
  environment: Record<string, string>;
  /** Takes the asynchronous invocations that failed for good. */
  failures: Queue;
  /** Environments kept ready. */
  provisioned: number;
}

/** A function that serves the wikis by way of one door, and the alias `live` that people and clients name. */
export class WikiFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly live: Alias;
  /** What to call. From the function's ARN, so that it needs nothing that comes after the function. */
  readonly liveArn: string;

  constructor(scope: Construct, id: string, props: WikiFunctionProps) {
    super(scope, id);
    const { configuration, execution, network, files, door } = props;
    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName: `/aws/lambda/${props.functionName}`,
      retention: configuration.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    logGroup.grantWrite(execution.role);
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName: props.functionName,
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(props.bundle),
      handler: 'index.handler',
      memorySize: configuration.function.memoryMib,
      timeout: Duration.seconds(configuration.function.timeoutSeconds),
      environment: { PAGETREE_DIR: MOUNT, ...props.environment },
      role: execution.role,
      vpc: network.vpc,
      vpcSubnets: network.subnets,
      securityGroups: [network.functionGroup],
      tracing: Tracing.ACTIVE,
      logGroup,
      // Kept, so that the alias can be pointed back at one.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    });
    this.mount(files, door);
    this.liveArn = `${this.lambda.functionArn}:live`;
    this.live = this.lambda.addAlias('live', {
      ...(props.provisioned > 0 ? { provisionedConcurrentExecutions: props.provisioned } : {}),
      onFailure: new SqsDestination(props.failures),
    });
  }

  /**
   * Through the resource itself, as CDK's own way to mount a file system lets every function write, on every
   * file system of the account.
   */
  private mount(files: WikiFileSystem, door: AccessPoint): void {
    const resource = this.lambda.node.defaultChild;
    if (!(resource instanceof CfnFunction))
      throw new TypeError('A function has its resource as default child.');
    // CDK has a function depend on its role twice, which cfn-lint finds worth a warning.
    resource.addMetadata('cfn-lint', { config: { ignore_checks: ['W3005'] } });
    resource.fileSystemConfigs = [{ arn: door.accessPointArn, localMountPath: MOUNT }];
    this.lambda.node.addDependency(files.fileSystem.mountTargetsAvailable);
  }
}
