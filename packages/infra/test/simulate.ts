import { equal } from 'node:assert/strict';
import { runSimulation } from '@cloud-copilot/iam-simulate';
import { ACCOUNT, arnOf, resolved, resourcesOf } from './look-into.ts';
import type { Template } from './synthesize.ts';

/** A principal with its attached policies. */
export interface Identity {
  principal: string;
  arn: string;
  policies: unknown[];
}

export interface Request {
  action: string;
  resource: string;
  context?: Record<string, string>;
  resourcePolicy?: unknown;
}

/** A principal whose own policy allows everything. */
export const administrator: Identity = {
  principal: `arn:aws:iam::${ACCOUNT}:user/grace`,
  arn: `arn:aws:iam::${ACCOUNT}:user/grace`,
  policies: [{ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] }],
};

/** True if AWS would allow it, as an evaluator of IAM policies says. */
export async function allowed(
  who: Identity,
  { action, resource, context = {}, resourcePolicy }: Request,
): Promise<boolean> {
  const result = await runSimulation(
    {
      request: {
        principal: who.principal,
        action,
        resource: { resource, accountId: ACCOUNT },
        contextVariables: { 'aws:PrincipalArn': who.arn, ...context },
      },
      identityPolicies: who.policies.map((policy, index) => ({ name: `policy${index}`, policy })),
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      resourcePolicy,
    },
    {},
  );
  if (result.resultType === 'error') throw new Error(JSON.stringify(result.errors));
  return result.overallResult === 'Allowed';
}

/** The logical name of the one resource of a type whose name contains `part`. */
export function nameOf(template: Template, type: string, part = ''): string {
  const names = resourcesOf(template, type).flatMap(([name]) => (name.includes(part) ? [name] : []));
  equal(names.length, 1, `${type} ${part}: ${names.join(', ')}`);
  return String(names[0]);
}

/** A role of the template in use, by its logical name. */
export function roleOf(template: Template, role: string): Identity {
  const policies = resourcesOf(template, 'AWS::IAM::Policy')
    .map(([, { Properties }]) => Properties)
    .filter(({ Roles }) => JSON.stringify(Roles) === JSON.stringify([{ Ref: role }]))
    .map(({ PolicyDocument }) => resolved(template, PolicyDocument));
  const inline = (template.Resources[role]?.Properties.Policies ?? []) as { PolicyDocument: unknown }[];
  return {
    principal: `arn:aws:sts::${ACCOUNT}:assumed-role/${role}/Pagetree`,
    arn: arnOf(template, role),
    policies: [...policies, ...inline.map(({ PolicyDocument }) => resolved(template, PolicyDocument))],
  };
}

/** A person to whom one of the policies of the template is attached, or none. */
export function personWith(template: Template, policy: 'Writer' | 'Reader' | null): Identity {
  const attached = policy === null ? [] : [nameOf(template, 'AWS::IAM::ManagedPolicy', policy)];
  return {
    principal: `arn:aws:iam::${ACCOUNT}:user/ada`,
    arn: `arn:aws:iam::${ACCOUNT}:user/ada`,
    policies: attached.map((name) => resolved(template, template.Resources[name]?.Properties.PolicyDocument)),
  };
}

/** A call of a function, by its name and alias. */
export function call(functionName: string): Request {
  return {
    action: 'lambda:InvokeFunction',
    resource: `arn:aws:lambda:us-east-2:${ACCOUNT}:function:${functionName}`,
  };
}
