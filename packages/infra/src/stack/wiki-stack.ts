import { CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Configuration } from '../configuration/configuration.ts';
import { STACK_DESCRIPTION } from '../deployed-stack.ts';
import { AccessPolicies } from './access-policies.ts';
import { Alarms } from './alarms.ts';
import { BreakGlass } from './break-glass.ts';
import { Dashboard } from './dashboard.ts';
import { ExecutionRole } from './execution-role.ts';
import { FailedBackups } from './failed-backups.ts';
import { Maintenance } from './maintenance.ts';
import { Network } from './network.ts';
import { scaleReadyEnvironments } from './ready-environments.ts';
import { SyncFunction } from './sync-function.ts';
import { type DeployedWeb, Web } from './web/web.ts';
import { WikiFileSystem } from './wiki-file-system.ts';
import { WikiFunction } from './wiki-function.ts';

export interface WikiStackProps {
  configuration: Configuration;
  /**
   * The directory that was new when the stack was made: only there may the functions find no wikis. Null for
   * none.
   */
  newDirectory: string | null;
  /** True if the directory holds a restored copy, which the functions may take over. */
  restored: boolean;
  /** The directories of the bundles of the functions. */
  bundles: { wiki: string; web: string; sync: string };
  /** The facts that `pnpm deploy:aws` knows of the deployed pages; each is null if it does not know it. */
  deployedWeb: DeployedWeb;
}

/** Everything that serves wikis to a team, and the outputs that say how to reach it. */
export class WikiStack extends Stack {
  constructor(
    scope: Construct,
    { configuration, newDirectory, restored, bundles, deployedWeb }: WikiStackProps,
  ) {
    const { stackName, region, zones, fileSystem } = configuration;
    super(scope, stackName, {
      stackName,
      description: STACK_DESCRIPTION,
      env: { region },
    });
    // `pnpm deploy:aws` reads it from the deployed template and passes it on: it outlives the first deployment.
    if (newDirectory !== null) this.templateOptions.metadata = { Pagetree: { newDirectory } };
    const network = new Network(this, 'Network', zones ?? (fileSystem.availability === 'regional' ? 2 : 1));
    const names = { writer: stackName, reader: `${stackName}-reader`, people: `${stackName}-people` };
    const writer = new ExecutionRole(this, 'WriterRole', names.writer);
    const reader = new ExecutionRole(this, 'ReaderRole', names.reader);
    const { web } = configuration;
    const people = web === undefined ? null : new ExecutionRole(this, 'PeopleRole', names.people);
    const breakGlass = new BreakGlass(this, 'BreakGlass');
    const files = new WikiFileSystem(this, 'FileSystem', fileSystem, network, {
      writers: people === null ? [writer.role] : [writer.role, people.role],
      reader: reader.role,
      breakGlass: breakGlass.role,
    });
    writer.mount(files.fileSystem, files.writerAccessPoint, true);
    reader.mount(files.fileSystem, files.readerAccessPoint, false);
    people?.mount(files.fileSystem, files.writerAccessPoint, true);
    breakGlass.mount(files.fileSystem, files.writerAccessPoint);
    const failures = this.failures();
    new FailedBackups(this, 'FailedBackups', files.fileSystem, failures);
    const { directory } = fileSystem;
    const place = {
      PAGETREE_PLACE: `${files.fileSystem.fileSystemId}:${directory}`,
      ...(directory === newDirectory ? { PAGETREE_MAY_BE_EMPTY: 'true' } : {}),
      ...(restored ? { PAGETREE_RESTORED: 'true' } : {}),
    };
    const common = {
      ...{ bundle: bundles.wiki, configuration, network, files, failures },
      capacity: configuration.function,
    };
    const { provisionedConcurrency } = configuration.function;
    const functions = {
      writer: new WikiFunction(this, 'Writer', {
        ...common,
        functionName: names.writer,
        description: 'Reads and writes the wikis',
        execution: writer,
        accessPoint: files.writerAccessPoint,
        environment: place,
        provisioned: provisionedConcurrency.environments,
        maintained: true,
      }),
      reader: new WikiFunction(this, 'Reader', {
        ...common,
        functionName: names.reader,
        description: 'Reads the wikis; can write nothing',
        execution: reader,
        accessPoint: files.readerAccessPoint,
        environment: { ...place, PAGETREE_READ_ONLY: 'true' },
        provisioned: 0,
        maintained: false,
      }),
    };
    scaleReadyEnvironments(functions.writer.live, provisionedConcurrency);
    new Maintenance(this, 'Maintenance', functions.writer);
    const policies = new AccessPolicies(this, 'Access', functions);
    const pages =
      web === undefined || people === null
        ? null
        : new Web(this, 'Web', {
            settings: web,
            wiki: {
              ...common,
              functionName: names.people,
              execution: people,
              accessPoint: files.writerAccessPoint,
              environment: place,
            },
            direct: [functions.writer, functions.reader],
            bundle: bundles.web,
            deployed: deployedWeb,
          });
    const sync = configuration.sync
      ? new SyncFunction(this, 'Sync', { configuration, bundle: bundles.sync, writer: functions.writer })
      : null;
    const watched = { configuration, functions, web: pages, sync, files };
    const alarms = new Alarms(this, 'Alarms', { ...watched, failures });
    const dashboard = new Dashboard(this, 'Watch', { ...watched, alarms });
    this.outputs({
      Function: [functions.writer.liveArn, 'Reads and writes the wikis: PAGETREE_FUNCTION'],
      ReaderFunction: [functions.reader.liveArn, 'Reads the wikis: PAGETREE_FUNCTION for readers'],
      WriterPolicy: [policies.writer.managedPolicyArn, 'Attach it to users and roles that may write'],
      ReaderPolicy: [policies.reader.managedPolicyArn, 'Attach it to users and roles that may only read'],
      BreakGlassProfile: [
        breakGlass.profile.instanceProfileName,
        'Instance profile of a machine that mounts the wikis by hand (docs/deploy.md)',
      ],
      MountGroup: [network.functionGroup.securityGroupId, 'Security group that reaches the file system'],
      WriterAccessPoint: [files.writerAccessPoint.accessPointId, 'Access point to mount by hand'],
      FileSystemId: [files.fileSystem.fileSystemId, 'Where the wikis lie'],
      Dashboard: [dashboard.address, 'Is it well, is it fast, what does it cost'],
      ClientSnippet: [clientSnippet(functions.writer.liveArn), 'For the configuration of an MCP client'],
      ...pages?.outputs,
      ...sync?.outputs,
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
