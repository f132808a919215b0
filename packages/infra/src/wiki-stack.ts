import { CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { AccessPolicies } from './access-policies.ts';
import { Alarms } from './alarms.ts';
import type { Configuration } from './configuration.ts';
import { Dashboard } from './dashboard.ts';
import { ExecutionRole } from './execution-role.ts';
import { Maintenance } from './maintenance.ts';
import { Network } from './network.ts';
import { scaleReadyEnvironments } from './ready-environments.ts';
import { WikiFileSystem } from './wiki-file-system.ts';
import { WikiFunction } from './wiki-function.ts';

export interface WikiStackProps {
  configuration: Configuration;
  /** The directory of the function's bundle. */
  bundle: string;
}

/** Everything that serves wikis to a team, and what tells clients and people how to reach it. */
export class WikiStack extends Stack {
  constructor(scope: Construct, { configuration, bundle }: WikiStackProps) {
    const { stackName, region, zones } = configuration;
    super(scope, stackName, {
      stackName,
      description: 'Pagetree: a git wiki for AI agents, on Lambda and EFS',
      env: { region },
    });
    const network = new Network(this, 'Network', zones);
    const names = { writer: stackName, reader: `${stackName}-reader` };
    const writer = new ExecutionRole(this, 'WriterRole', names.writer);
    const reader = new ExecutionRole(this, 'ReaderRole', names.reader);
    const files = new WikiFileSystem(this, 'FileSystem', configuration.fileSystem, network, {
      writer: writer.role,
      reader: reader.role,
    });
    writer.mount(files.fileSystem, files.writerDoor, true);
    reader.mount(files.fileSystem, files.readerDoor, false);
    const failures = this.failures();
    const common = { bundle, configuration, network, files, failures };
    const { provisionedConcurrency } = configuration.function;
    const functions = {
      writer: new WikiFunction(this, 'Writer', {
        ...common,
        functionName: names.writer,
        description: 'Reads and writes the wikis',
        execution: writer,
        door: files.writerDoor,
        environment: {},
        provisioned: provisionedConcurrency.environments,
      }),
      reader: new WikiFunction(this, 'Reader', {
        ...common,
        functionName: names.reader,
        description: 'Reads the wikis; can write nothing',
        execution: reader,
        door: files.readerDoor,
        environment: { PAGETREE_READ_ONLY: 'true' },
        provisioned: 0,
      }),
    };
    scaleReadyEnvironments(functions.writer.live, provisionedConcurrency);
    new Maintenance(this, 'Maintenance', functions.writer);
    const policies = new AccessPolicies(this, 'Access', functions);
    const alarms = new Alarms(this, 'Alarms', { configuration, functions, files, failures });
    const dashboard = new Dashboard(this, 'Watch', { configuration, functions, files, alarms });
    this.outputs({
      Function: [functions.writer.liveArn, 'Reads and writes the wikis: PAGETREE_FUNCTION'],
      ReaderFunction: [functions.reader.liveArn, 'Reads the wikis: PAGETREE_FUNCTION for readers'],
      WriterPolicy: [policies.writer.managedPolicyArn, 'Attach it to whoever may write'],
      ReaderPolicy: [policies.reader.managedPolicyArn, 'Attach it to whoever may only read'],
      FileSystemId: [files.fileSystem.fileSystemId, 'Where the wikis lie'],
      Dashboard: [dashboard.url, 'Is it well, is it fast, what does it cost'],
      ClientSnippet: [clientSnippet(functions.writer.liveArn), 'For the configuration of an MCP client'],
    });
  }

  private failures(): Queue {
    const queue = new Queue(this, 'Failures', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'The queue is itself where failed calls end; nothing takes messages from it but a person.',
    });
    return queue;
  }

  private outputs(outputs: Readonly<Record<string, readonly [value: string, description: string]>>): void {
    for (const [name, [value, description]] of Object.entries(outputs))
      new CfnOutput(this, `${name}Output`, { value, description }).overrideLogicalId(name);
  }
}

function clientSnippet(functionArn: string): string {
  return JSON.stringify({
    mcpServers: {
      pagetree: {
        command: 'npx',
        args: ['-y', 'pnpm@12', '-C', '/path/to/pagetree', 'mcp'],
        env: { PAGETREE_FUNCTION: functionArn },
      },
    },
  });
}
