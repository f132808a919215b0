import { CloudFormationClient, SetStackPolicyCommand } from '@aws-sdk/client-cloudformation';
import type { Configuration } from './configuration/configuration.ts';
import { type Confirmed, objection, readRegion, STACK_POLICY } from './deployed-stack.ts';

/** The context that is passed on to the app, each entry as `name=value`. */
export interface Deployment {
  context: string[];
}

/**
 * Examines the deployed stack before anything is changed.
 *
 * @param cdkOptions of which `--profile` counts here too.
 * @returns The context, or a string that says why nothing can be deployed.
 */
export async function prepareDeployment(
  configuration: Configuration,
  confirmed: Confirmed,
  cdkOptions: readonly string[],
): Promise<Deployment | string> {
  const client = clientFor(configuration, cdkOptions);
  try {
    const region = await readRegion(client, configuration.stackName);
    const reason = objection(configuration, region, confirmed);
    if (reason !== null) return reason;
    const newDirectory =
      region.stack === null ? configuration.fileSystem.directory : region.stack.newDirectory;
    return {
      context: [
        ...(newDirectory === null ? [] : [`newDirectory=${newDirectory}`]),
        ...(confirmed.restored ? ['restored=true'] : []),
      ],
    };
  } catch (error) {
    return `What is deployed in ${configuration.region} could not be read: ${messageOf(error)}
A deployment first makes sure that it replaces no wikis. It needs credentials that may do cloudformation:DescribeStacks and cloudformation:GetTemplate.`;
  } finally {
    client.destroy();
  }
}

/**
 * Sets the stack policy, by which CloudFormation refuses to replace the file system. @returns A failure, if
 * any.
 */
export async function protectFileSystem(
  configuration: Configuration,
  cdkOptions: readonly string[],
): Promise<string | null> {
  const { stackName } = configuration;
  const client = clientFor(configuration, cdkOptions);
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

function clientFor({ region }: Configuration, cdkOptions: readonly string[]): CloudFormationClient {
  const at = cdkOptions.findIndex((option) => option === '--profile' || option.startsWith('--profile='));
  const profile = at < 0 ? undefined : (cdkOptions[at]?.split('=')[1] ?? cdkOptions[at + 1]);
  return new CloudFormationClient({ region, ...(profile === undefined ? {} : { profile }) });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
