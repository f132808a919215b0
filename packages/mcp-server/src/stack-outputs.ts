import { WikiError } from '@pagetree/wiki/contract';
import { requireRegion } from './require-region.ts';

/** The writer function's alias in the outputs of a deployed stack, as an ARN. Throws what the SDK throws, or WikiError. */
export async function functionOfStack(stack: string): Promise<string> {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const client = new CloudFormationClient({});
  try {
    await requireRegion(client, {
      place: `the stack ${stack}`,
      next: 'Set AWS_REGION in the settings of this server, or AWS_PROFILE to a profile that has a region.',
    });
    const { Stacks: stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    const output = stacks[0]?.Outputs?.find(({ OutputKey: key }) => key === 'Function');
    if (output?.OutputValue !== undefined) return output.OutputValue;
  } catch (error) {
    throw explainStackFailure(error, stack);
  } finally {
    client.destroy();
  }
  throw new WikiError('backend_unavailable', {
    happened: `The stack ${JSON.stringify(stack)} has no output named Function, so it is no stack of Pagetree's.`,
    now: 'Nothing was read or changed.',
    next: 'Give --connect the name of the stack that `pnpm deploy:aws` made.',
  });
}

/** What other calls to AWS fail with too is left as it is, for `explainFailure`. */
function explainStackFailure(error: unknown, stack: string): unknown {
  const { name } = (error ?? {}) as { name?: unknown };
  if (name === 'ValidationError') {
    return new WikiError('backend_unavailable', {
      happened: `There is no stack ${JSON.stringify(stack)} in this account and region.`,
      now: 'Nothing was read or changed.',
      next: 'Check the name after --connect, and AWS_REGION and AWS_PROFILE in the settings of this server.',
    });
  }
  if (name === 'AccessDenied' || name === 'AccessDeniedException') {
    return new WikiError('forbidden', {
      happened: `Your AWS identity may not do cloudformation:DescribeStacks on the stack ${JSON.stringify(stack)}.`,
      now: 'Nothing was read or changed.',
      next: 'Set PAGETREE_FUNCTION to the function itself in place of --connect, or ask for that permission.',
    });
  }
  return error;
}
