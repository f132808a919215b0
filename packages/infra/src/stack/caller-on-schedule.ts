import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** The role by which a schedule of this account calls one function, and does nothing else. */
export function callerOnSchedule(scope: Construct, id: string, target: string): Role {
  const { account } = Stack.of(scope);
  const call = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [target] });
  return new Role(scope, id, {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': account } },
    }),
    // In the role itself, as a schedule is refused while its role may not yet call what it names.
    inlinePolicies: { Call: new PolicyDocument({ statements: [call] }) },
  });
}
