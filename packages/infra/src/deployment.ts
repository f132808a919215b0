import { CloudFormationClient, SetStackPolicyCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { SSMClient } from '@aws-sdk/client-ssm';
import { type Access, parseAccess } from '@pagetree/access/parse-access';
import { storeRulesInTable } from '@pagetree/web/rules-in-table';
import type { Configuration } from './configuration/configuration.ts';
import { type Confirmed, objection, readRegion, STACK_POLICY } from './deployed-stack.ts';
import { parameterNames, recordsTableOf } from './web/parameter-names.ts';
import { deployedGrantKey, type PreparedWeb, prepareWeb } from './web/prepare-web.ts';
import { deleteParameters } from './web/web-keys.ts';

/** The context that is passed on to the app. */
export type Context = Readonly<Record<string, string>>;

/** A command that looks at what is deployed. */
export interface Deployment {
  configuration: Configuration;
  confirmed: Confirmed;
  /** `--profile` among them counts here too. */
  cdkOptions: readonly string[];
}

/**
 * Examines the deployed stack before anything is changed.
 *
 * @returns The context, or a string that says why nothing can be deployed.
 */
export async function examineDeployed({
  configuration,
  confirmed,
  cdkOptions,
}: Deployment): Promise<Context | string> {
  const client = new CloudFormationClient(place(configuration, cdkOptions));
  try {
    const region = await readRegion(client, configuration.stackName);
    const reason = objection(configuration, region, confirmed);
    if (reason !== null) return reason;
    const newDirectory =
      region.stack === null ? configuration.fileSystem.directory : region.stack.newDirectory;
    return {
      ...(newDirectory !== null && { newDirectory }),
      ...(confirmed.restored && { restored: 'true' }),
      ...(region.webAddress !== null && { webAddress: region.webAddress }),
    };
  } catch (error) {
    return `What is deployed in ${configuration.region} could not be read: ${messageOf(error)}
A deployment first makes sure that it replaces no wikis. It needs credentials that may do cloudformation:DescribeStacks and cloudformation:GetTemplate.`;
  } finally {
    client.destroy();
  }
}

/**
 * Reads the keys of the pages, and for a deployment makes those that are missing.
 *
 * @param change The secret of the client for a deployment, or null; 'none' if nothing may be changed.
 * @returns The context, or a string that says why nothing can be deployed.
 */
export async function keysOfWeb(
  { configuration, cdkOptions }: Deployment,
  change: { clientSecret: string | null } | 'none',
): Promise<Context | string> {
  const client = new SSMClient(place(configuration, cdkOptions));
  try {
    const web: PreparedWeb =
      change === 'none'
        ? { kind: 'ready', grantKey: await deployedGrantKey(configuration, client) }
        : await prepareWeb(configuration, client, change.clientSecret);
    if (web.kind === 'mistake') return web.sentence;
    return web.grantKey === null ? {} : { grantKey: web.grantKey };
  } catch (error) {
    return `The keys of the pages could not be read or made: ${messageOf(error)}
It needs credentials that may do ssm:GetParameter and ssm:PutParameter.`;
  } finally {
    client.destroy();
  }
}

/**
 * Sets the stack policy, by which CloudFormation refuses to replace the file system. @returns A failure, if
 * any.
 */
export async function protectFileSystem({ configuration, cdkOptions }: Deployment): Promise<string | null> {
  const { stackName } = configuration;
  const client = new CloudFormationClient(place(configuration, cdkOptions));
  try {
    const StackPolicyBody = JSON.stringify(STACK_POLICY);
    await client.send(new SetStackPolicyCommand({ StackName: stackName, StackPolicyBody }));
    return null;
  } catch (error) {
    return `The stack ${stackName} is deployed, but its stack policy could not be set: ${messageOf(error)}
Nothing keeps an update from replacing the file system but this command's own check. Deploy again with credentials that may do cloudformation:SetStackPolicy.\n`;
  } finally {
    client.destroy();
  }
}

/** Puts the rules of the configuration into force at the deployed pages. @returns A failure, if any. */
export async function putRulesInForce({ configuration, cdkOptions }: Deployment): Promise<string | null> {
  const { stackName, region, web } = configuration;
  if (web === undefined) return null;
  const client = new DynamoDBClient(place(configuration, cdkOptions));
  try {
    await storeRulesInTable(client, recordsTableOf(stackName), accessOf(web.access));
    return null;
  } catch (error) {
    const next =
      error instanceof ResourceNotFoundException
        ? `The stack ${stackName} in ${region} has no pages yet. Deploy them with \`pnpm deploy:aws\`.`
        : `It needs credentials that may do dynamodb:PutItem with the table ${recordsTableOf(stackName)}.`;
    return `The rules of web.access could not be put into force; those of an earlier deployment still are, if there was one: ${messageOf(error)}\n${next}\n`;
  } finally {
    client.destroy();
  }
}

/** As people are compared with it. The configuration has been checked. */
function accessOf(rules: NonNullable<Configuration['web']>['access']): Access {
  const parsed = parseAccess(JSON.stringify(rules));
  if (parsed.kind === 'mistake') throw new Error(parsed.sentence);
  return parsed.access;
}

/** Deletes the keys of the pages of a stack that is gone. @returns A failure, if any. */
export async function deleteKeysOfWeb({ configuration, cdkOptions }: Deployment): Promise<string | null> {
  const names = parameterNames(configuration.stackName);
  const client = new SSMClient(place(configuration, cdkOptions));
  try {
    await deleteParameters(client, names);
    return null;
  } catch (error) {
    // Without pages there are probably none, and it may be that nobody gave the right to look.
    if (configuration.web === undefined) return null;
    return `The stack ${configuration.stackName} is deleted, but not the keys of its pages, if it had any: ${messageOf(error)}
Delete what there is of ${Object.values(names).join(', ')} in Systems Manager, with credentials that may do ssm:DeleteParameters.\n`;
  } finally {
    client.destroy();
  }
}

function place({ region }: Configuration, cdkOptions: readonly string[]) {
  const at = cdkOptions.findIndex((option) => option === '--profile' || option.startsWith('--profile='));
  const profile = at < 0 ? undefined : (cdkOptions[at]?.split('=')[1] ?? cdkOptions[at + 1]);
  return { region, ...(profile === undefined ? {} : { profile }) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
