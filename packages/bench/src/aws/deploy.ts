import { publishedPlan } from '../studies/jitter/entry.ts';
import type { Aws } from './aws.ts';
import { type BuiltBundles, buildBundles } from './bundles.ts';
import { monthOf } from './collect.ts';
import { describeEstimate } from './estimate.ts';
import { type Month, monthFrom } from './month.ts';
import { listObjects, putObject } from './objects.ts';
import { requireQuotas } from './quotas.ts';
import { seedFiles } from './seed.ts';
import { GROUND_STACK, STACK } from './stack/names.ts';
import { PROBE_MIB, TASK_VCPU } from './stack/sizes.ts';
import { bringStack } from './stacks.ts';
import type { Talk } from './talk.ts';

/** Each read has one function or task to itself, but for the tasks of a burst. */
const NEEDS = { functionMib: PROBE_MIB, tasks: publishedPlan.bursts.tasks, vcpuOfTask: TASK_VCPU };

export interface DeployChoices {
  /** The files to be read, in MiB. */
  sizesMib: readonly number[];
  /** True if reads are scheduled for thirty days. */
  month: boolean;
  now: Date;
}

/** Tells what it is going to make and what that costs, asks, and makes it. @returns what there is now. */
export async function deploy(aws: Aws, choices: DeployChoices, talk: Talk): Promise<string> {
  const { sizesMib } = choices;
  const { synthesize } = await import('./stack/synthesize.ts');
  const bundles = await buildBundles();
  const month = choices.month ? ((await presentMonth(aws, choices.now)) ?? monthFrom(choices.now)) : null;
  const templates = synthesize({ bundles, sizesMib, month });
  const question = [
    `This makes, in account ${aws.account}, region ${aws.region}:`,
    ...contentsOf(GROUND_STACK, templates.ground),
    ...contentsOf(STACK, templates.studies),
    `  files of ${sizesMib.join(', ')} MiB, on EFS and on S3`,
    ...(month ? [`  96 reads a day, from ${month.from} to ${month.to}`] : []),
    '',
    describeEstimate({ sizesMib, month: choices.month }),
    'It costs so much until `pnpm bench destroy` has removed it.',
    '',
  ].join('\n');
  if (!(await talk.agree(question))) return 'Nothing was made.';
  await requireQuotas(aws, NEEDS, talk);
  talk.say(`Making the stack ${GROUND_STACK}: bucket and network.`);
  await bringStack(aws, GROUND_STACK, templates.ground);
  await upload(aws, bundles);
  talk.say(`Making the stack ${STACK}: functions, task and file systems. That takes some minutes.`);
  await bringStack(aws, STACK, templates.studies);
  await seedFiles(aws, sizesMib, talk);
  return [
    'All is made. `pnpm bench jitter --target aws` and `pnpm bench throughput --target aws` measure,',
    '`pnpm bench status` shows how things stand, `pnpm bench destroy` removes everything.',
  ].join('\n');
}

/** A month that is not over is not begun anew by another deployment. */
async function presentMonth(aws: Aws, now: Date): Promise<Month | null> {
  const month = await monthOf(aws);
  return month !== null && now.getTime() < Date.parse(month.to) ? month : null;
}

async function upload(aws: Aws, bundles: BuiltBundles): Promise<void> {
  const there = new Set((await listObjects(aws, 'bundles/')).map(({ key }) => key));
  for (const { key, content, zipKey, zip } of Object.values(bundles)) {
    if (content !== undefined && !there.has(key)) await putObject(aws, key, content);
    if (!there.has(zipKey)) await putObject(aws, zipKey, await zip());
  }
}

/** Kinds that cost something or let somebody do something, by their number. */
const TOLD: Readonly<Record<string, string>> = {
  'AWS::S3::Bucket': 'bucket',
  'AWS::EC2::VPC': 'network',
  'AWS::EC2::VPCEndpoint': 'endpoint of S3',
  'AWS::EC2::NatGateway': 'NAT gateway',
  'AWS::EFS::FileSystem': 'file system',
  'AWS::Lambda::Function': 'function',
  'AWS::ECS::Cluster': 'cluster without machines',
  'AWS::ECS::TaskDefinition': 'task',
  'AWS::IAM::Role': 'role',
  'AWS::Logs::LogGroup': 'log group',
  'AWS::Scheduler::Schedule': 'schedule',
};

function contentsOf(stack: string, template: string): string[] {
  const { Resources } = JSON.parse(template) as { Resources: Record<string, { Type: string }> };
  const types = Object.values(Resources).map(({ Type }) => Type);
  const counts = Object.entries(TOLD).flatMap(([type, name]) => {
    const count = types.filter((each) => each === type).length;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`];
  });
  return [`  the stack ${stack}: ${counts.join(', ')}`];
}
