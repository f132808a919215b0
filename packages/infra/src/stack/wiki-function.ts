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
import type { Configuration } from '../configuration/configuration.ts';
import type { ExecutionRole } from './execution-role.ts';
import type { Network } from './network.ts';
import type { WikiFileSystem } from './wiki-file-system.ts';

/** The function's mount of the wikis; Lambda allows only directories right below /mnt. */
const MOUNT = '/mnt/pagetree';

export interface WikiFunctionProps {
  functionName: string;
  description: string;
  /** The directory of the bundle, `index.mjs`. */
  bundle: string;
  configuration: Configuration;
  capacity: Pick<Configuration['function'], 'memoryMib' | 'reservedConcurrency'>;
  execution: ExecutionRole;
  network: Network;
  files: WikiFileSystem;
  accessPoint: AccessPoint;
  environment: Record<string, string>;
  /** Receives the asynchronous invocations that failed for good. */
  failures: Queue;
  /** Environments kept ready. */
  provisioned: number;
  /** True if the nightly maintenance calls this function. */
  maintained: boolean;
}

/**
 * A function that serves the wikis through one access point, with the alias `live` for people and clients.
 */
export class WikiFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly live: Alias;
  /**
   * The alias for the nightly maintenance, so that its long calls do not count among those of clients; null
   * if none.
   */
  readonly maintenance: Alias | null;
  /**
   * The ARN to call. Derived from the function's ARN, so that it depends on nothing that comes after the
   * function.
   */
  readonly liveArn: string;

  constructor(scope: Construct, id: string, props: WikiFunctionProps) {
    super(scope, id);
    const { configuration, capacity, execution, network, files, accessPoint } = props;
    const { reservedConcurrency } = capacity;
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
      memorySize: capacity.memoryMib,
      timeout: Duration.seconds(configuration.function.timeoutSeconds),
      ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
      environment: { PAGETREE_DIR: MOUNT, ...props.environment },
      role: execution.role,
      vpc: network.vpc,
      vpcSubnets: network.subnets,
      securityGroups: [network.functionGroup],
      tracing: Tracing.ACTIVE,
      logGroup,
      // Kept, so that the alias can be pointed back to one.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    });
    this.mount(files, accessPoint);
    this.liveArn = `${this.lambda.functionArn}:live`;
    const onFailure = new SqsDestination(props.failures);
    this.live = this.lambda.addAlias('live', {
      ...(props.provisioned > 0 ? { provisionedConcurrentExecutions: props.provisioned } : {}),
      onFailure,
    });
    this.maintenance = props.maintained ? this.lambda.addAlias('maintenance', { onFailure }) : null;
  }

  /**
   * Set on the resource itself, as CDK's own way to mount a file system lets every function write, on every
   * file system of the account.
   */
  private mount(files: WikiFileSystem, accessPoint: AccessPoint): void {
    const resource = this.lambda.node.defaultChild;
    if (!(resource instanceof CfnFunction))
      throw new TypeError('A function has its resource as default child.');
    // CDK makes a function depend on its role twice, about which cfn-lint warns.
    resource.addMetadata('cfn-lint', { config: { ignore_checks: ['W3005'] } });
    resource.fileSystemConfigs = [{ arn: accessPoint.accessPointArn, localMountPath: MOUNT }];
    this.lambda.node.addDependency(files.fileSystem.mountTargetsAvailable);
  }
}
