import { ArnFormat, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, CfnFunction, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import type { Configuration } from '../configuration/configuration.ts';
import { SYNC } from '../cost/cost.ts';
import { callerOnSchedule } from './caller-on-schedule.ts';
import type { WikiFunction } from './wiki-function.ts';

export interface SyncFunctionProps {
  /** The directory of the bundle, `index.mjs`. */
  bundle: string;
  configuration: Configuration;
  /** The wiki's function that writes. */
  writer: WikiFunction;
}

/**
 * The function that keeps the wikis in sync with their git remotes, each minute. It lies outside of the network of the
 * wikis, which has no way out, and has no wikis: it calls the wiki's function.
 */
export class SyncFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly outputs: Readonly<Record<string, readonly [value: string, description: string]>>;

  constructor(scope: Construct, id: string, { bundle, configuration, writer }: SyncFunctionProps) {
    super(scope, id);
    const { stackName, logRetentionDays } = configuration;
    const functionName = `${stackName}-sync`;
    const secretsUnder = `pagetree/${stackName}`;
    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    role.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [writer.liveArn] }),
    );
    this.allowSecrets(role, secretsUnder);
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName,
      description: 'Keeps the wikis in sync with their git remotes',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(bundle),
      handler: 'index.handler',
      memorySize: SYNC.memoryMib,
      // The longest that Lambda allows: a round ends by itself before.
      timeout: Duration.minutes(15),
      // A round that is not over is not begun again.
      reservedConcurrentExecutions: 1,
      maxEventAge: Duration.minutes(1),
      retryAttempts: 0,
      environment: { PAGETREE_FUNCTION: writer.liveArn, PAGETREE_SECRETS: secretsUnder },
      role,
      logGroup,
    });
    // CDK makes a function depend on its role twice, about which cfn-lint warns.
    const resource = this.lambda.node.defaultChild;
    if (resource instanceof CfnFunction)
      resource.addMetadata('cfn-lint', { config: { ignore_checks: ['W3005'] } });
    // A newer function must not call an older one of the wiki.
    this.lambda.node.addDependency(writer.live);
    const target = this.lambda.functionArn;
    new CfnSchedule(this, 'EachMinute', {
      description: 'Syncs the wikis that are due with their git remotes',
      scheduleExpression: 'rate(1 minute)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: target,
        roleArn: callerOnSchedule(this, 'Caller', target).roleArn,
        retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: 60 },
      },
    });
    this.outputs = {
      SyncSecrets: [
        `${secretsUnder}/WIKI/HOST`,
        'Names of the secrets with tokens for git remotes, as for the wiki main at github.com: ' +
          `${secretsUnder}/main/github.com`,
      ],
    };
  }

  /** The key `aws/secretsmanager` lets everybody decrypt what Secrets Manager lets them read. */
  private allowSecrets(role: Role, secretsUnder: string): void {
    const stack = Stack.of(this);
    const resource = stack.formatArn({
      service: 'secretsmanager',
      resource: 'secret',
      resourceName: `${secretsUnder}/*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    role.addToPolicy(
      new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [resource] }),
    );
    const { partition, region } = stack;
    Validations.of(this).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:${partition}:secretsmanager:${region}:<AWS::AccountId>:secret:${secretsUnder}/*]`,
      reason: 'People make the secrets: one for each wiki and server, after the deployment.',
    });
  }
}
