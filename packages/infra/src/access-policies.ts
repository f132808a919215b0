import { Stack } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { WikiFunction } from './wiki-function.ts';

/** What to attach to the people and the machines that use the wiki. Each allows what it says, and nothing else. */
export class AccessPolicies extends Construct {
  readonly writer: ManagedPolicy;
  readonly reader: ManagedPolicy;

  constructor(scope: Construct, id: string, functions: { writer: WikiFunction; reader: WikiFunction }) {
    super(scope, id);
    this.writer = this.policy('Writer', 'Reads and writes the wikis', [functions.writer, functions.reader]);
    this.reader = this.policy('Reader', 'Reads the wikis', [functions.reader]);
  }

  private policy(id: string, purpose: string, functions: WikiFunction[]): ManagedPolicy {
    const stack = Stack.of(this);
    return new ManagedPolicy(this, id, {
      managedPolicyName: `${stack.stackName}-${id.toLowerCase()}`,
      description: `${purpose} of the stack ${stack.stackName}`,
      statements: [
        new PolicyStatement({
          sid: 'CallTheWiki',
          actions: ['lambda:InvokeFunction'],
          resources: functions.map((each) => each.liveArn),
        }),
        new PolicyStatement({
          sid: 'FindTheWiki',
          actions: ['cloudformation:DescribeStacks'],
          resources: [stack.stackId],
        }),
      ],
    });
  }
}
