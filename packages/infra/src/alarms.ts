import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IAlarm,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Configuration } from './configuration.ts';
import { fileMetric, operationMetric } from './metrics.ts';
import type { WikiFileSystem } from './wiki-file-system.ts';
import type { WikiFunction } from './wiki-function.ts';

const PERIOD = Duration.minutes(5);

export interface AlarmsProps {
  configuration: Configuration;
  functions: Readonly<Record<'writer' | 'reader', WikiFunction>>;
  files: WikiFileSystem;
  failures: Queue;
}

/** What somebody has to hear of. Each alarm watches one metric, as ten of these are free in an account. */
export class Alarms extends Construct {
  readonly all: IAlarm[] = [];
  private readonly topic: Topic | null;

  constructor(scope: Construct, id: string, { configuration, functions, files, failures }: AlarmsProps) {
    super(scope, id);
    this.topic = configuration.alarmAddress === undefined ? null : this.letters(configuration.alarmAddress);
    const timeout = Duration.seconds(configuration.function.timeoutSeconds);
    for (const [name, { live }] of Object.entries(functions)) {
      const called = `The ${name}'s function`;
      this.above(
        `${name}Errors`,
        live.metricErrors({ period: PERIOD }),
        0,
        `${called} failed. Look in its log.`,
      );
      this.above(
        `${name}Throttles`,
        live.metricThrottles({ period: PERIOD }),
        0,
        `${called} was called more often at once than the account allows. Clients try again; if it goes on, ask AWS for more concurrency.`,
      );
      this.above(
        `${name}Duration`,
        live.metricDuration({ period: PERIOD, statistic: 'Maximum' }),
        timeout.toMilliseconds() * 0.8,
        `${called} took more than 80 % of its time limit. Give it more memory or a longer timeoutSeconds.`,
      );
    }
    for (const effect of ['read', 'write'] as const)
      this.above(
        `writerFaultsIn${effect === 'read' ? 'Reading' : 'Writing'}`,
        operationMetric(functions.writer, effect, 'faults', { period: PERIOD }),
        0,
        `An operation that ${effect}s failed inside the wiki. Look for its line in the log, and at its cause.`,
      );
    this.above(
      'FailedAsynchronously',
      failures.metricApproximateNumberOfMessagesVisible({ period: PERIOD }),
      0,
      'An asynchronous call failed for good and lies in the queue. Read it there, then delete it.',
    );
    this.above(
      'FileInputOutput',
      fileMetric(files, 'PercentIOLimit', { period: PERIOD, statistic: 'Maximum' }),
      95,
      'The file system is close to the operations that it can do at a time.',
    );
    if (configuration.fileSystem.throughput.mode === 'bursting') this.burstCredits(files);
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
    props: { threshold: number; comparisonOperator: ComparisonOperator; alarmDescription: string },
  ): void {
    // Named, as the name is what a letter says first.
    const alarmName = `${Stack.of(this).stackName}-${id}`;
    const alarm = new Alarm(this, id, {
      ...props,
      alarmName,
      metric,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
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
    return topic;
  }
}
