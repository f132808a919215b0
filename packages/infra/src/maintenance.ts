import { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { WikiFunction } from './wiki-function.ts';

/** A call as clients make it: the envelope of the contract. Without `wiki` it is for the wiki that is meant by default. */
const CALL = {
  pagetree: 1,
  operation: 'maintain_wiki',
  input: { mode: 'tidy' },
  caller: { author: { name: 'Pagetree', email: '' }, agent: 'schedule' },
};

/** Tidies the wiki up once a day, in the night of UTC. Writers do the most of it in passing; this does what is left. */
export class Maintenance extends Construct {
  constructor(scope: Construct, id: string, writer: WikiFunction) {
    super(scope, id);
    new Rule(this, 'Nightly', {
      description: 'Tidies the wiki up',
      schedule: Schedule.cron({ minute: '17', hour: '2' }),
      targets: [
        // CDK's types are not made for exactOptionalPropertyTypes: an Alias is an IFunction but for `role?: IRole`.
        new LambdaFunction(writer.live as IFunction, {
          event: RuleTargetInput.fromObject(CALL),
          retryAttempts: 2,
          maxEventAge: Duration.hours(1),
        }),
      ],
    });
  }
}
