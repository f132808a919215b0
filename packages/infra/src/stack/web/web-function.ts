import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  Architecture,
  CfnFunction,
  Code,
  type FunctionUrl,
  FunctionUrlAuthType,
  InvokeMode,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Configuration, WebSettings } from '../../configuration/configuration.ts';
import { parameterNames, recordsTableOf } from '../../web/parameter-names.ts';
import type { WikiFunction } from '../wiki-function.ts';

export interface WebFunctionProps {
  functionName: string;
  /** The directory of the bundle, `index.mjs` and what lies beside it. */
  bundle: string;
  configuration: Configuration;
  settings: WebSettings;
  /** The wiki's function for people. */
  people: WikiFunction;
  issuer: { address: string; clientId: string; hasSecret: boolean };
}

/**
 * The function that shows the pages to people who log in, at a Function URL. It lies outside of the network of the
 * wikis, as it must reach the issuer, and has no wikis: it calls the wiki's function for people.
 */
export class WebFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly live: Alias;
  readonly url: FunctionUrl;
  readonly timeout: Duration;

  constructor(scope: Construct, id: string, props: WebFunctionProps) {
    super(scope, id);
    const { configuration, settings, people, issuer } = props;
    const { environments } = settings.provisionedConcurrency;
    const { keys, clientSecret } = parameterNames(configuration.stackName);
    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName: `/aws/lambda/${props.functionName}`,
      retention: configuration.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    const records = this.records(recordsTableOf(configuration.stackName));
    records.grant(
      role,
      ...['GetItem', 'PutItem', 'DeleteItem', 'Query'].map((action) => `dynamodb:${action}`),
    );
    role.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [people.liveArn] }),
    );
    const stack = Stack.of(this);
    const parameters = issuer.hasSecret ? [keys, clientSecret] : [keys];
    role.addToPolicy(
      // The key `alias/aws/ssm` lets everybody decrypt what Systems Manager lets them read.
      new PolicyStatement({
        actions: ['ssm:GetParameter'],
        resources: parameters.map((name) =>
          stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName: name.slice(1) }),
        ),
      }),
    );
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray knows no resources.',
    });
    // A page may take several calls of the wiki, each of which may take this long.
    this.timeout = Duration.seconds(Math.min(2 * configuration.function.timeoutSeconds, 900));
    const { reservedConcurrency } = settings;
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName: props.functionName,
      description: 'Shows the pages to people who log in',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(props.bundle),
      handler: 'index.handler',
      memorySize: settings.memoryMib,
      timeout: this.timeout,
      ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
      environment: {
        PAGETREE_FUNCTION: people.liveArn,
        ...(settings.domain && { PAGETREE_ORIGIN: `https://${settings.domain.name}` }),
        PAGETREE_ISSUER: issuer.address,
        PAGETREE_CLIENT_ID: issuer.clientId,
        ...(issuer.hasSecret && { PAGETREE_CLIENT_SECRET: clientSecret }),
        PAGETREE_KEYS: keys,
        PAGETREE_RECORDS: records.tableName,
      },
      role,
      tracing: Tracing.ACTIVE,
      logGroup,
      // Kept, so that the alias can be pointed back to one.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    });
    // CDK makes a function depend on its role twice, about which cfn-lint warns.
    const resource = this.lambda.node.defaultChild;
    if (resource instanceof CfnFunction)
      resource.addMetadata('cfn-lint', { config: { ignore_checks: ['W3005'] } });
    // A newer function of the pages must not call an older one of the wiki.
    this.lambda.node.addDependency(people.live);
    this.live = this.lambda.addAlias(
      'live',
      environments > 0 ? { provisionedConcurrentExecutions: environments } : {},
    );
    // Everybody may ask. The function itself lets people log in.
    this.url = this.live.addFunctionUrl({
      authType: FunctionUrlAuthType.NONE,
      invokeMode: InvokeMode.RESPONSE_STREAM,
    });
  }

  /** The table of what the environments share: the rules, sessions that people ended, clients and digests of their tokens. */
  private records(tableName: string): Table {
    const table = new Table(this, 'Records', {
      tableName,
      partitionKey: { name: 'key', type: AttributeType.STRING },
      sortKey: { name: 'name', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: 'until',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(table).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason:
        'It holds no content. If it is lost, a replaced key ends all sessions, a deployment brings the rules, and people connect their clients again.',
    });
    return table;
  }
}
