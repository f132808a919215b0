import { Stack } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

/** What to attach to the people and the machines that use the wiki. Each allows what it says, and nothing else. */
export class AccessPolicies extends Construct {
  readonly writer: ManagedPolicy;
  readonly reader: ManagedPolicy;

  constructor(scope: Construct, id: string, live: { writer: Alias; reader: Alias }) {
    super(scope, id);
    this.writer = this.policy('Writer', 'Reads and writes the wikis', [live.writer, live.reader]);
    this.reader = this.policy('Reader', 'Reads the wikis', [live.reader]);
  }

  private policy(id: string, purpose: string, aliases: Alias[]): ManagedPolicy {
    const stack = Stack.of(this);
    return new ManagedPolicy(this, id, {
      managedPolicyName: `${stack.stackName}-${id.toLowerCase()}`,
      description: `${purpose} of the stack ${stack.stackName}`,
      statements: [
        new PolicyStatement({
          sid: 'CallTheWiki',
          actions: ['lambda:InvokeFunction'],
          resources: aliases.map((alias) => alias.functionArn),
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
