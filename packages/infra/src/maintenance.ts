import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import type { WikiFunction } from './wiki-function.ts';

/** A call as clients make it: the envelope of the contract. What one night's time does not suffice for the next goes on with. */
const CALL = {
  pagetree: 1,
  operation: 'maintain_wiki',
  input: { mode: 'tidy', all: true },
  caller: { author: { name: 'Pagetree', email: '' }, agent: 'schedule' },
};

/** Tidies all wikis up once a day. Writers do the most of it in passing; this does what is left. */
export class Maintenance extends Construct {
  constructor(scope: Construct, id: string, { liveArn }: WikiFunction) {
    super(scope, id);
    const { account } = Stack.of(this);
    const call = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [liveArn] });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': account } },
      }),
      // In the role itself, as a schedule is refused while its role may not yet call what it names.
      inlinePolicies: { Call: new PolicyDocument({ statements: [call] }) },
    });
    new CfnSchedule(this, 'Nightly', {
      description: 'Tidies all wikis up',
      scheduleExpression: 'cron(17 2 * * ? *)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: liveArn,
        roleArn: role.roleArn,
        input: JSON.stringify(CALL),
        retryPolicy: { maximumRetryAttempts: 2, maximumEventAgeInSeconds: 3600 },
      },
    });
  }
}
