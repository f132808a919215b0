import { readFileSync } from 'node:fs';
import { Aws, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  Cluster,
  ContainerImage,
  ContainerInsights,
  CpuArchitecture,
  FargateTaskDefinition,
  LogDriver,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { CLUSTER, CONTAINER, TASK_FAMILY, TASK_LOG_GROUP } from './names.ts';
import { TASK_GIB, TASK_VCPU } from './sizes.ts';
import { MOUNT, type StudyFiles } from './study-files.ts';
import type { StudyNetwork } from './study-network.ts';

/**
 * AWS's own image of the runtime that the function has: Node 24 on Amazon Linux 2023, for arm64 among others. By its
 * tag, which AWS moves on as it does with the runtime: each record names the system that it was measured on.
 */
const IMAGE = 'public.ecr.aws/lambda/nodejs:24';

const MEMORY_MIB = TASK_GIB * 1024;

export interface ProbeTaskProps {
  bucket: IBucket;
  bundleKey: string;
  bundleSha256: string;
  environment: Record<string, string>;
  network: StudyNetwork;
  files: StudyFiles;
}

/** The probe in Fargate: a public image, and in it the bundle that it fetches when it starts. */
export class ProbeTask extends Construct {
  readonly cluster: Cluster;
  readonly definition: FargateTaskDefinition;

  constructor(scope: Construct, id: string, props: ProbeTaskProps) {
    super(scope, id);
    this.cluster = this.makeCluster(props.network);
    this.definition = this.makeDefinition(props.files);
    const address = `https://${props.bucket.bucketRegionalDomainName}/${props.bundleKey}`;
    const start = readFileSync(new URL('./start-bundle.mjs', import.meta.url), 'utf8');
    this.definition
      .addContainer(CONTAINER, {
        image: ContainerImage.fromRegistry(IMAGE),
        entryPoint: ['node'],
        command: ['--input-type=module', '--eval', start, '--', address, props.bundleSha256],
        // A function has it from Lambda.
        environment: { ...props.environment, AWS_REGION: Aws.REGION },
        memoryLimitMiB: MEMORY_MIB,
        logging: LogDriver.awsLogs({
          streamPrefix: CONTAINER,
          logGroup: new LogGroup(this, 'Logs', {
            logGroupName: TASK_LOG_GROUP,
            retention: RetentionDays.THREE_MONTHS,
            removalPolicy: RemovalPolicy.DESTROY,
          }),
        }),
      })
      .addMountPoints({ containerPath: MOUNT, sourceVolume: 'study', readOnly: true });
    props.files.admit(this.definition.taskRole);
  }

  private makeCluster(network: StudyNetwork): Cluster {
    const cluster = new Cluster(this, 'Cluster', {
      clusterName: CLUSTER,
      vpc: network.vpc,
      containerInsightsV2: ContainerInsights.DISABLED,
    });
    Validations.of(cluster).acknowledge({
      id: 'AwsSolutions-ECS4',
      reason:
        'Tasks run for a minute and report what they measured; the insights would cost more than the tasks.',
    });
    return cluster;
  }

  private makeDefinition(files: StudyFiles): FargateTaskDefinition {
    const definition = new FargateTaskDefinition(this, 'Task', {
      family: TASK_FAMILY,
      cpu: TASK_VCPU * 1024,
      memoryLimitMiB: MEMORY_MIB,
      runtimePlatform: {
        cpuArchitecture: CpuArchitecture.ARM64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
      volumes: [
        {
          name: 'study',
          efsVolumeConfiguration: {
            fileSystemId: files.fileSystem.fileSystemId,
            transitEncryption: 'ENABLED',
            authorizationConfig: { accessPointId: files.accessPoint.accessPointId, iam: 'ENABLED' },
          },
        },
      ],
    });
    Validations.of(definition).acknowledge({
      id: 'AwsSolutions-ECS2',
      reason: 'The variables say where the files and the bundle lie; none is a secret.',
    });
    return definition;
  }
}
