import { Stack, Validations } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { WikiFunction } from './wiki-function.ts';

/**
 * The policies to attach to the people and machines that use the wiki. Each allows the actions it names, and
 * nothing else.
 */
export class AccessPolicies extends Construct {
  readonly writer: ManagedPolicy;
  readonly reader: ManagedPolicy;

  constructor(scope: Construct, id: string, functions: { writer: WikiFunction; reader: WikiFunction }) {
    super(scope, id);
    this.writer = this.policy('Writer', 'Reads and writes the wikis', [functions.writer, functions.reader]);
    this.reader = this.policy('Reader', 'Reads the wikis', [functions.reader]);
    const { partition, region, stackName } = Stack.of(this);
    Validations.of(this).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:${partition}:cloudformation:${region}:<AWS::AccountId>:stack/${stackName}/*]`,
      reason:
        'Who calls a stack by its name does not know its id, and AWS then asks for the right to any id.',
    });
  }

  private policy(id: string, purpose: string, functions: WikiFunction[]): ManagedPolicy {
    const stack = Stack.of(this);
    return new ManagedPolicy(this, id, {
      // IAM is not regional: without the region, a second stack of this name elsewhere would collide.
      managedPolicyName: `${stack.stackName}-${stack.region}-${id.toLowerCase()}`,
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
          // A call by name is authorised against any id.
          resources: [
            stack.formatArn({
              service: 'cloudformation',
              resource: 'stack',
              resourceName: `${stack.stackName}/*`,
            }),
          ],
        }),
      ],
    });
  }
}
