import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IAlarm,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Configuration } from '../configuration/configuration.ts';
import { fileMetric, maintenanceMetric, operationMetric } from './metrics.ts';
import type { SyncFunction } from './sync-function.ts';
import type { Web } from './web/web.ts';
import type { WikiFileSystem } from './wiki-file-system.ts';
import type { WikiFunction } from './wiki-function.ts';

const PERIOD = Duration.minutes(5);
const DAY = Duration.days(1);

export interface AlarmsProps {
  configuration: Configuration;
  functions: Readonly<Record<'writer' | 'reader', WikiFunction>>;
  /** The pages; null if the stack has none. */
  web: Web | null;
  /** The function that syncs with git remotes; null if the stack has none. */
  sync: SyncFunction | null;
  files: WikiFileSystem;
  failures: Queue;
}

/** The alarms of the stack. Each watches one metric; ten of these are free in an account. */
export class Alarms extends Construct {
  readonly all: IAlarm[] = [];
  private readonly topic: Topic | null;

  constructor(
    scope: Construct,
    id: string,
    { configuration, functions, web, sync, files, failures }: AlarmsProps,
  ) {
    super(scope, id);
    this.topic = configuration.alarmAddress === undefined ? null : this.letters(configuration.alarmAddress);
    const timeout = Duration.seconds(configuration.function.timeoutSeconds);
    const called = [
      ...Object.entries(functions).map(([name, { live }]) => ({
        name,
        live,
        timeout,
        what: `The ${name}'s function`,
      })),
      ...(web === null
        ? []
        : [
            { name: 'people', live: web.people.live, timeout, what: "The wiki's function for people" },
            {
              name: 'web',
              live: web.pages.live,
              timeout: web.pages.timeout,
              what: 'The function of the pages',
            },
          ]),
    ];
    for (const { name, live, timeout, what } of called) {
      this.above(
        `${name}Errors`,
        live.metricErrors({ period: PERIOD }),
        0,
        `${what} failed. Look in its log.`,
      );
      this.above(
        `${name}Throttles`,
        live.metricThrottles({ period: PERIOD }),
        0,
        `${what} was called more often at once than the account allows. Clients try again; if it goes on, ask AWS for more concurrency.`,
      );
      this.above(
        `${name}Duration`,
        live.metricDuration({ period: PERIOD, statistic: 'Maximum' }),
        timeout.toMilliseconds() * 0.8,
        `${what} took more than 80 % of its time limit. Give it more memory or a longer timeoutSeconds.`,
      );
    }
    for (const [name, lambda, effect] of [
      ['writerFaultsInReading', functions.writer, 'read'],
      ['writerFaultsInWriting', functions.writer, 'write'],
      ['readerFaults', functions.reader, 'read'],
      ...(web === null
        ? []
        : ([
            ['peopleFaultsInReading', web.people, 'read'],
            ['peopleFaultsInWriting', web.people, 'write'],
          ] as const)),
    ] as const)
      this.above(
        name,
        operationMetric(lambda, effect, 'faults', { period: PERIOD }),
        0,
        `An operation that ${effect}s failed inside the wiki. Look for its line in the log, and at its cause.`,
      );
    this.above(
      'MaintenanceOrBackupFailed',
      failures.metricApproximateNumberOfMessagesVisible({ period: PERIOD }),
      0,
      'The nightly maintenance or a backup failed. The message in the queue of failures says which and why: read it there, then delete it.',
    );
    this.maintenance(functions.writer);
    if (sync !== null) this.sync(sync);
    this.above(
      'FileInputOutput',
      fileMetric(files, 'PercentIOLimit', { period: PERIOD, statistic: 'Maximum' }),
      95,
      'The file system is close to the operations that it can do at a time.',
    );
    if (configuration.fileSystem.throughput.mode === 'bursting') this.burstCredits(files);
  }

  private maintenance(writer: WikiFunction): void {
    if (writer.maintenance === null) return;
    this.add('MaintenanceDidNotRun', writer.maintenance.metricInvocations({ period: DAY }), {
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      // A deleted schedule calls nothing, and a function without calls has no metric.
      treatMissingData: TreatMissingData.BREACHING,
      alarmDescription:
        'The nightly maintenance was not called for a day. Look at the schedule in EventBridge Scheduler. Before the first night after a deployment it is only not due yet.',
    });
    this.above(
      'MaintenanceFailedInAWiki',
      maintenanceMetric(writer, 'failures', { period: PERIOD }),
      0,
      'The nightly maintenance could not tidy a wiki. `failed_wikis` in the lines of maintain_wiki in the log of that night says which and why.',
    );
    // The last call of a round that ends reports 0. A round may take more than one night, but not three.
    this.add(
      'MaintenanceDidNotFinish',
      maintenanceMetric(writer, 'wikis_left', { period: DAY, statistic: 'Minimum' }),
      {
        threshold: 0,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        evaluationPeriods: 3,
        alarmDescription:
          'The nightly maintenance did not get through all wikis in three nights. Give the function more memory, which is also more processor.',
      },
    );
    this.add('MaintenanceDidNotFinishAWiki', maintenanceMetric(writer, 'wikis_unfinished', { period: DAY }), {
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      // Only a complete round reports it. Until the next one is complete, nothing is known to be better.
      treatMissingData: TreatMissingData.IGNORE,
      alarmDescription:
        'The nightly maintenance worked on a wiki in many calls and did not finish it; the next round goes on with it. `unfinished_wikis` in the lines of maintain_wiki in the log names it. If it happens again, give the function more memory, which is also more processor.',
    });
    // The function compares whole rounds: metric math knows days alone, and a round may take several.
    this.add('MaintenanceDebtGrows', maintenanceMetric(writer, 'debt_growth_rounds', { period: DAY }), {
      threshold: 3,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.IGNORE,
      alarmDescription:
        'Three rounds of the nightly maintenance in a row each left more undone than the one before, and reads will cost more. Look at `debt_bytes` in the log of the nightly maintenance; if it goes on, give the function more memory, which is also more processor.',
    });
  }

  /** A remote that fails is no alarm: `wiki_status` of its wiki says so. */
  private sync({ lambda }: SyncFunction): void {
    this.above(
      'syncErrors',
      lambda.metricErrors({ period: PERIOD }),
      0,
      'The function that syncs with git remotes failed. Look in its log.',
    );
    this.add('SyncDidNotRun', lambda.metricInvocations({ period: Duration.hours(1) }), {
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      // A deleted schedule calls nothing, and a function without calls has no metric.
      treatMissingData: TreatMissingData.BREACHING,
      alarmDescription:
        'The function that syncs with git remotes was not called for an hour. Look at the schedule in EventBridge Scheduler.',
    });
  }

  private burstCredits(files: WikiFileSystem): void {
    // A new file system starts with 2.1 TiB of credits; below a tenth of that it may soon be slow.
    this.add(
      'BurstCredits',
      fileMetric(files, 'BurstCreditBalance', { period: PERIOD, statistic: 'Minimum' }),
      {
        threshold: 0.21 * 2 ** 40,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        alarmDescription:
          'The file system has used most of its burst credits. Choose the throughput mode elastic.',
      },
    );
  }

  private above(id: string, metric: IMetric, threshold: number, alarmDescription: string): void {
    const comparisonOperator = ComparisonOperator.GREATER_THAN_THRESHOLD;
    this.add(id, metric, { threshold, comparisonOperator, alarmDescription });
  }

  private add(
    id: string,
    metric: IMetric,
    props: Omit<AlarmProps, 'metric' | 'alarmName' | 'evaluationPeriods'> & { evaluationPeriods?: number },
  ): void {
    // Named, as a notification begins with the name.
    const alarmName = `${Stack.of(this).stackName}-${id}`;
    const alarm = new Alarm(this, id, {
      treatMissingData: TreatMissingData.NOT_BREACHING,
      evaluationPeriods: 1,
      ...props,
      alarmName,
      metric,
    });
    if (this.topic) {
      alarm.addAlarmAction(new SnsAction(this.topic));
      alarm.addOkAction(new SnsAction(this.topic));
    }
    this.all.push(Alarm.fromAlarmName(this, `${id}Named`, alarmName));
  }

  private letters(address: string): Topic {
    const topic = new Topic(this, 'Letters', { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(address));
    const stack = Stack.of(this);
    const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
    const resourceName = `${stack.stackName}-*`;
    const alarms = stack.formatArn({ service: 'cloudwatch', resource: 'alarm', resourceName, arnFormat });
    // The policy that demands TLS takes the place of SNS's own, by which alarms of the account may publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { ArnLike: { 'aws:SourceArn': alarms } },
      }),
    );
    return topic;
  }
}
