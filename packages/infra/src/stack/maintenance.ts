import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { callerOnSchedule } from './caller-on-schedule.ts';
import type { WikiFunction } from './wiki-function.ts';

/** A call in the clients' form: the envelope of the contract. Each continues where the last one stopped. */
const CALL = {
  pagetree: 1,
  operation: 'maintain_wiki',
  input: { mode: 'tidy', all: true, once_a_night: true },
  caller: { author: { name: 'Pagetree', email: '' }, agent: 'schedule' },
};

/**
 * Tidies all wikis once a day. Writers do most of that work in passing; this does the rest. One call takes no
 * longer than the function may run, so there are 36 of them a night; those after the last wiki end at once.
 */
export class Maintenance extends Construct {
  constructor(scope: Construct, id: string, { lambda }: WikiFunction) {
    super(scope, id);
    const target = `${lambda.functionArn}:maintenance`;
    const role = callerOnSchedule(this, 'Role', target);
    new CfnSchedule(this, 'Nightly', {
      description: 'Tidies all wikis up',
      scheduleExpression: 'cron(2/5 2-4 * * ? *)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: target,
        roleArn: role.roleArn,
        input: JSON.stringify(CALL),
        retryPolicy: { maximumRetryAttempts: 2, maximumEventAgeInSeconds: 3600 },
      },
    });
  }
}
