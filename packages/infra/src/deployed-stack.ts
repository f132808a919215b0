import {
  type CloudFormationClient,
  GetTemplateCommand,
  paginateDescribeStacks,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import type { Configuration } from './configuration/configuration.ts';

/** The description of all our stacks, by which they are found in a region. */
export const STACK_DESCRIPTION = 'Pagetree: a git wiki for AI agents, on Lambda and EFS';

/** The zone of a file system whose template takes the first zone that the region has. */
export const FIRST_ZONE = 'the first zone of the region';

/** The facts about a deployed stack that decide where the wikis lie. */
export interface DeployedStack {
  /** The zone of a One Zone file system, by its name or as FIRST_ZONE; null for a regional one. */
  zone: string | null;
  /** The directory of the wikis in the file system. */
  directory: string;
  /** The directory that may still be empty, because the stack was made with it; null if unknown. */
  newDirectory: string | null;
}

/**
 * The stacks in a region. `stack` is null if there is no stack of the configured name, or none with files.
 */
export interface Region {
  stack: DeployedStack | null;
  /** Names of other stacks of ours. */
  others: string[];
  /** The address of the pages, as the stack puts it out; null if it has none. */
  webAddress: string | null;
}

/** The confirmations of a person on the command line. */
export interface Confirmed {
  /** A new stack, with wikis of its own. */
  newWikis: boolean;
  /** True if the directory holds a restored copy. */
  restored: boolean;
}

/** @throws The SDK's errors. */
export async function readRegion(client: CloudFormationClient, stackName: string): Promise<Region> {
  const ours: Stack[] = [];
  for await (const { Stacks: stacks = [] } of paginateDescribeStacks({ client }, {}))
    ours.push(...stacks.filter(isStanding).filter((stack) => stack.Description === STACK_DESCRIPTION));
  const others = ours.flatMap(({ StackName: name }) => (name && name !== stackName ? [name] : []));
  const own = ours.find(({ StackName: name }) => name === stackName);
  if (own === undefined) return { stack: null, others, webAddress: null };
  const web = own.Outputs?.find(({ OutputKey: key }) => key === 'Web')?.OutputValue;
  const { TemplateBody: body } = await client.send(new GetTemplateCommand({ StackName: stackName }));
  return { stack: deployedStack(body), others, webAddress: web ?? null };
}

/**
 * The reason why this configuration must not be deployed, in plain words; null if it may. A deployment must
 * not replace a full wiki by an empty one or an older copy.
 */
export function objection(
  { stackName, region, zones, fileSystem }: Configuration,
  { stack, others }: Pick<Region, 'stack' | 'others'>,
  { newWikis, restored }: Confirmed,
): string | null {
  if (stack === null) {
    if (newWikis) return null;
    const renamed =
      others.length === 0
        ? ''
        : `\n${others.join(', ')} is there. Was the stack renamed? Set stackName back to the old name.`;
    return `There is no stack ${stackName} in ${region}. A deployment would make one, with a new file system, without wikis.${renamed}
Are there wikis in another region or account? Set region back, or check AWS_PROFILE. A stack cannot be renamed or moved; docs/deploy.md says how wikis move to another one.
Is it the first stack, or one with wikis of its own? Deploy with --new-wikis.`;
  }
  const zone = fileSystem.availability === 'one-zone' ? (zones?.[0] ?? FIRST_ZONE) : null;
  if (zone !== stack.zone)
    return `The file system of ${stackName} is ${availabilityOf(stack.zone)}, and the settings say ${availabilityOf(zone)}. AWS would make a new, empty file system in its place.
To keep the wikis where they are: ${settingsOf(stack.zone)}.
To move them: deploy a second stack, then follow "Move wikis to another stack" in docs/deploy.md.`;
  if (fileSystem.directory !== stack.directory && !restored)
    return `The wikis of ${stackName} lie in ${stack.directory}, and the settings say ${fileSystem.directory}. The functions would serve what is there instead.
Is it a slip? Set fileSystem.directory to ${JSON.stringify(stack.directory)}.
Is it where a backup was restored? Deploy with --restored.`;
  return null;
}

/** The stack policy: CloudFormation itself refuses an update that would replace or delete the file system. */
export const STACK_POLICY = {
  Statement: [
    { Effect: 'Allow', Action: 'Update:*', Principal: '*', Resource: '*' },
    {
      Effect: 'Deny',
      Action: ['Update:Replace', 'Update:Delete'],
      Principal: '*',
      Resource: '*',
      Condition: { StringEquals: { ResourceType: ['AWS::EFS::FileSystem'] } },
    },
  ],
};

/** A stack whose creation failed has no file system, nor has one that is only being prepared. */
function isStanding({ StackStatus: status }: Stack): boolean {
  return !WITHOUT_FILES.has(String(status));
}

const WITHOUT_FILES = new Set([
  'REVIEW_IN_PROGRESS',
  'ROLLBACK_COMPLETE',
  'CREATE_FAILED',
  'DELETE_COMPLETE',
]);

interface Template {
  Metadata?: { Pagetree?: { newDirectory?: string } };
  Resources?: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
}

function deployedStack(body: string | undefined): DeployedStack | null {
  const { Metadata: metadata, Resources: resources = {} } = JSON.parse(body ?? '{}') as Template;
  const ofType = (type: string) => Object.values(resources).find((each) => each.Type === type)?.Properties;
  const files = ofType('AWS::EFS::FileSystem');
  const root = ofType('AWS::EFS::AccessPoint')?.RootDirectory as { Path?: string } | undefined;
  if (files === undefined || root?.Path === undefined) return null;
  const { AvailabilityZoneName: zone } = files;
  return {
    zone: zone === undefined ? null : typeof zone === 'string' ? zone : FIRST_ZONE,
    directory: root.Path,
    newDirectory: metadata?.Pagetree?.newDirectory ?? null,
  };
}

function availabilityOf(zone: string | null): string {
  if (zone === null) return 'regional';
  return zone === FIRST_ZONE ? `in ${zone} alone` : `in the one zone ${zone}`;
}

function settingsOf(zone: string | null): string {
  if (zone === null) return 'set fileSystem.availability to "regional"';
  const zones = zone === FIRST_ZONE ? 'take zones out' : `zones to ["${zone}"]`;
  return `set fileSystem.availability to "one-zone" and ${zones}`;
}
