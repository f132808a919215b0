import { Aws, CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import { ThroughputMode } from 'aws-cdk-lib/aws-efs';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { Bucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { Month } from '../month.ts';
import type { GroundStack } from './ground-stack.ts';
import { bucketName, FUNCTIONS, type FunctionKey, RESULTS, STACK } from './names.ts';
import { ProbeTask } from './probe-task.ts';
import { Schedules } from './schedules.ts';
import { PROBE_MIB } from './sizes.ts';
import { MOUNT, StudyFiles } from './study-files.ts';
import { StudyFunction } from './study-function.ts';

/** The code of functions and tasks: its place in the bucket, by its hash. */
export interface StudyBundle {
  readonly sha256: string;
  /** The bundle itself, which a task fetches. */
  readonly key: string;
  /** The same in a zip, which functions are made of. */
  readonly zipKey: string;
}

export type BundleName = 'probe' | 'seed' | 'throughput' | 'dulwich' | 'empty';

export interface StudiesStackProps {
  ground: GroundStack;
  bundles: Readonly<Record<BundleName, StudyBundle>>;
  /** The sizes that a scheduled read chooses from, in MiB. */
  sizesMib: readonly number[];
  /** Null if nothing is scheduled. */
  month: Month | null;
}

/** The files to be read from S3, as `fileOf` names them. */
const FILES = '*-MiB.bin';

const MEMORY: Readonly<Record<BundleName, number>> = {
  probe: PROBE_MIB,
  seed: PROBE_MIB,
  // One whole processor of Lambda's.
  throughput: 1_769,
  // As in the published run, and by default the wiki's.
  dulwich: 512,
  empty: 512,
};

/** The resources with which the studies measure. Phase 0 also measures the stack of a wiki. */
export class StudiesStack extends Stack {
  readonly #props: StudiesStackProps;
  readonly #bucket: IBucket;

  constructor(scope: Construct, props: StudiesStackProps) {
    super(scope, STACK, {
      stackName: STACK,
      description: 'Pagetree: functions, task and file systems of the three studies',
    });
    this.#props = props;
    this.#bucket = Bucket.fromBucketName(this, 'Bucket', bucketName(Aws.ACCOUNT_ID, Aws.REGION));
    const { ground, bundles } = props;
    const { network } = ground;
    const files = new StudyFiles(this, 'Jitter', network, ThroughputMode.ELASTIC);
    const environment = { PROBE_DIRECTORY: MOUNT, PROBE_BUCKET: this.#bucket.bucketName };
    const probe = this.function('probe', 'probe', files, environment);
    const seed = this.function('seed', 'seed', files, environment);
    const task = new ProbeTask(this, 'Task', {
      bucket: this.#bucket,
      bundleKey: bundles.probe.key,
      bundleSha256: bundles.probe.sha256,
      environment,
      network,
      files,
    });
    for (const role of [probe.lambda.role, task.definition.taskRole]) {
      this.admit(role, 's3:GetObject', FILES);
      this.admit(role, 's3:PutObject', `${RESULTS}*`);
    }
    this.admit(seed.lambda.role, 's3:PutObject', FILES);
    for (const [mode, throughputMode] of [
      ['elastic', ThroughputMode.ELASTIC],
      ['bursting', ThroughputMode.BURSTING],
    ] as const) {
      const own = new StudyFiles(this, `${mode}Files`, network, throughputMode);
      this.function(mode, 'throughput', own, { THROUGHPUT_DIRECTORY: MOUNT });
    }
    // Phase 0's: beside the wiki's own function, with its memory and on a file system of its default kind.
    const repositories = new StudyFiles(this, 'Dulwich', network, ThroughputMode.ELASTIC);
    this.function('dulwich', 'dulwich', repositories, { DULWICH_DIRECTORY: `${MOUNT}/dulwich` });
    this.function('empty', 'empty', repositories, {});
    if (props.month !== null)
      new Schedules(this, 'Month', {
        month: props.month,
        sizesMib: props.sizesMib,
        probe,
        probeEnvironment: environment,
        task,
        network,
      });
    new CfnOutput(this, 'ProbeOutput', {
      value: bundles.probe.sha256,
      description: 'Hash of the probe that functions and tasks run',
    }).overrideLogicalId('Probe');
    new CfnOutput(this, 'TaskDefinitionOutput', {
      value: task.definition.taskDefinitionArn,
    }).overrideLogicalId('TaskDefinition');
    this.acknowledge();
  }

  private function(
    key: FunctionKey,
    bundle: BundleName,
    files: StudyFiles,
    environment: Record<string, string>,
  ): StudyFunction {
    const { bundles, ground } = this.#props;
    return new StudyFunction(this, `${key}Function`, {
      functionName: FUNCTIONS[key],
      description: `The studies: ${bundle}, bundle ${bundles[bundle].sha256.slice(0, 12)}`,
      memoryMib: MEMORY[bundle],
      ...(bundle === 'dulwich' && { runtime: Runtime.PYTHON_3_15 }),
      environment,
      bucket: this.#bucket,
      bundleKey: bundles[bundle].zipKey,
      network: ground.network,
      files,
    });
  }

  /** Lets a role do one thing with some of the bucket's objects. */
  private admit(role: IRole | undefined, action: string, keys: string): void {
    if (role === undefined) throw new TypeError('Everything here is made with a role.');
    const resources = [this.#bucket.arnForObjects(keys)];
    role.addToPrincipalPolicy(new PolicyStatement({ actions: [action], resources }));
  }

  private acknowledge(): void {
    const objects = 'arn:<AWS::Partition>:s3:::pagetree-studies-<AWS::AccountId>-<AWS::Region>';
    for (const keys of [FILES, `${RESULTS}*`])
      Validations.of(this).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${objects}/${keys}]`,
        reason:
          'Objects get their names when they are made; a role reaches those of one kind, in one bucket.',
      });
  }
}
