import { cureByPerson, WikiError } from '@pagetree/wiki/contract';
import { requireRegion } from './require-region.ts';

/** The functions of a deployed stack, as ARNs of their aliases. A stack of an early version has no reader. */
export interface StackFunctions {
  writer: string;
  reader: string | null;
}

/** Reads the outputs of a stack. Throws the SDK's errors, or WikiError. */
export async function functionsOfStack(stack: string): Promise<StackFunctions> {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const client = new CloudFormationClient({});
  try {
    await requireRegion(client, {
      place: `the stack ${stack}`,
      cure: 'Set AWS_REGION in the settings of this server, or AWS_PROFILE to a profile that has a region.',
    });
    const { Stacks: stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    const output = (name: string) =>
      stacks[0]?.Outputs?.find(({ OutputKey: key }) => key === name)?.OutputValue ?? null;
    const writer = output('Function');
    if (writer !== null) return { writer, reader: output('ReaderFunction') };
  } catch (error) {
    throw explainStackFailure(error, stack);
  } finally {
    client.destroy();
  }
  throw new WikiError('backend_unavailable', {
    happened: `The stack ${JSON.stringify(stack)} has no output named Function, so it is no stack of Pagetree's.`,
    now: 'Nothing was read or changed.',
    ...cureByPerson('Give --connect the name of the stack that `pnpm deploy:aws` made.'),
  });
}

/** Leaves errors that other AWS calls have too for `explainFailure`. */
function explainStackFailure(error: unknown, stack: string): unknown {
  const { name, message } = (error ?? {}) as { name?: unknown; message?: unknown };
  if (/sts:AssumeRole/.test(String(message))) return error;
  if (name === 'ValidationError') {
    return new WikiError('backend_unavailable', {
      happened: `There is no stack ${JSON.stringify(stack)} in this account and region.`,
      now: 'Nothing was read or changed.',
      ...cureByPerson(
        'Check the name after --connect, and AWS_REGION and AWS_PROFILE in the settings of this server. To name a function, add its alias, as NAME:live, or give its ARN.',
      ),
    });
  }
  if (name === 'AccessDenied' || name === 'AccessDeniedException') {
    return new WikiError('forbidden', {
      happened: `Your AWS identity may not do cloudformation:DescribeStacks on the stack ${JSON.stringify(stack)}.`,
      now: 'Nothing was read or changed.',
      ...cureByPerson(
        'Set PAGETREE_FUNCTION to the function itself in place of --connect, or ask for that permission.',
      ),
    });
  }
  return error;
}
