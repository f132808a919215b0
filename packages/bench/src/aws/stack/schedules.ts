import { Aws, CfnOutput } from 'aws-cdk-lib';
import type { FargateTaskDefinition } from 'aws-cdk-lib/aws-ecs';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { type Month, type Slot, scheduledKey, slots } from '../month.ts';
import { CONTAINER, STACK } from './names.ts';
import type { ProbeTask } from './probe-task.ts';
import type { StudyFunction } from './study-function.ts';
import type { StudyNetwork } from './study-network.ts';

export interface SchedulesProps {
  month: Month;
  /** The sizes to choose from, in MiB. */
  sizesMib: readonly number[];
  probe: StudyFunction;
  probeEnvironment: Readonly<Record<string, string>>;
  task: ProbeTask;
  network: StudyNetwork;
}

/** EventBridge writes the time that it was to call at in place of this, however late it calls. */
const SCHEDULED = '<aws.scheduler.scheduled-time>';
const EXECUTION = '<aws.scheduler.execution-id>';
/** Between the change of the function and its call. */
const MINUTES_TO_CHANGE = 3;

/** A month of reads, one an hour for each service and store. Each writes its record to the key of its time. */
export class Schedules extends Construct {
  readonly #props: SchedulesProps;
  readonly #role: Role;

  constructor(scope: Construct, id: string, props: SchedulesProps) {
    super(scope, id);
    this.#props = props;
    this.#role = this.caller();
    for (const slot of slots) {
      const name = `${slot.service}-${slot.store}`;
      if (slot.service === 'lambda') {
        this.schedule(`${name}-cold`, (slot.minute + 60 - MINUTES_TO_CHANGE) % 60, this.change());
        this.schedule(name, slot.minute, this.invocation(slot));
      } else {
        this.schedule(name, slot.minute, this.run(slot));
      }
    }
    new CfnOutput(this, 'FromOutput', { value: props.month.from }).overrideLogicalId('ScheduledFrom');
    new CfnOutput(this, 'ToOutput', { value: props.month.to }).overrideLogicalId('ScheduledTo');
  }

  private schedule(name: string, minute: number, target: Omit<CfnSchedule.TargetProperty, 'roleArn'>): void {
    const { from, to } = this.#props.month;
    new CfnSchedule(this, name, {
      name: `${STACK}-${name}`,
      scheduleExpression: `cron(${minute} * * * ? *)`,
      startDate: from,
      endDate: to,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        ...target,
        roleArn: this.#role.roleArn,
        // An older event belongs to a missed round, and is reported as one.
        retryPolicy: { maximumEventAgeInSeconds: 600, maximumRetryAttempts: 5 },
      },
    });
  }

  /** A change of an environment variable has the next call meet a new environment. */
  private change() {
    return {
      arn: `arn:${Aws.PARTITION}:scheduler:::aws-sdk:lambda:updateFunctionConfiguration`,
      input: JSON.stringify({
        FunctionName: this.#props.probe.lambda.functionName,
        Environment: { Variables: { ...this.#props.probeEnvironment, ROUND: EXECUTION } },
      }),
    };
  }

  private invocation({ service, store }: Slot) {
    const { probe, sizesMib } = this.#props;
    const event = { store, sizes_mib: sizesMib, key: scheduledKey(service, store, SCHEDULED) };
    return { arn: probe.lambda.functionArn, input: JSON.stringify(event) };
  }

  private run({ service, store }: Slot) {
    const { task, network, sizesMib } = this.#props;
    const environment = [
      { name: 'PROBE_STORE', value: store },
      { name: 'PROBE_SIZES_MIB', value: sizesMib.join(',') },
      { name: 'PROBE_RESULT_KEY', value: scheduledKey(service, store, SCHEDULED) },
    ];
    return {
      arn: task.cluster.clusterArn,
      input: JSON.stringify({ containerOverrides: [{ name: CONTAINER, environment }] }),
      ecsParameters: {
        taskDefinitionArn: task.definition.taskDefinitionArn,
        launchType: 'FARGATE',
        networkConfiguration: {
          awsvpcConfiguration: {
            subnets: network.vpc.selectSubnets(network.taskSubnets).subnetIds,
            securityGroups: [network.taskGroup.securityGroupId],
            assignPublicIp: 'ENABLED',
          },
        },
      },
    };
  }

  private caller(): Role {
    const { probe, task } = this.#props;
    const role = new Role(this, 'Caller', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com') });
    const allow = (actions: string[], resources: string[], conditions = {}) =>
      role.addToPolicy(new PolicyStatement({ actions, resources, conditions }));
    allow(['lambda:InvokeFunction', 'lambda:UpdateFunctionConfiguration'], [probe.lambda.functionArn]);
    allow(['ecs:RunTask'], [task.definition.taskDefinitionArn]);
    allow(['iam:PassRole'], rolesOf(task.definition), {
      StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' },
    });
    return role;
  }
}

function rolesOf(definition: FargateTaskDefinition): string[] {
  return [definition.taskRole.roleArn, definition.obtainExecutionRole().roleArn];
}
