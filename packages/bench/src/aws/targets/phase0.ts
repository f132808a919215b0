import { randomUUID } from 'node:crypto';
import {
  DeleteFunctionCommand,
  GetFunctionConfigurationCommand,
  PublishVersionCommand,
  paginateListVersionsByFunction,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
  waitUntilPublishedVersionActive,
} from '@aws-sdk/client-lambda';
import type { Phase0Target } from '../../studies/phase0/target.ts';
import { wikiCalls } from '../../studies/phase0/wiki-calls.ts';
import { callsOfFunction } from '../../studies/phase0/wiki-function.ts';
import { type Aws, attempt } from '../aws.ts';
import { AwsFailure } from '../aws-failure.ts';
import { findStack, outputsOf } from '../stacks.ts';
import { partsOfTrace } from './trace.ts';

/** The environment variable that versions of this study differ in. */
const VARIABLE = 'PHASE0_ROUND';

/**
 * Phase 0 on a deployed wiki stack. Each cold start is that of a version of its own, published with another value of
 * an environment variable; callers that use the wiki by its alias notice nothing. Closing removes the versions and the
 * variable. The repositories that are written stay in the file system.
 * @throws AwsFailure `not_deployed` if there is no such stack.
 */
export async function openAwsPhase0(aws: Aws, stackName: string): Promise<Phase0Target> {
  const name = await functionOf(aws, stackName);
  const versions = new Versions(aws, name);
  await versions.removeAll();
  await versions.publish();
  const { prepare, ...calls } = wikiCalls((operation, input) =>
    attempt(`call ${operation} of the function ${name}`, () =>
      callsOfFunction(aws.lambda, `${name}:${versions.newest}`, {
        start: (id) => partsOfTrace(aws, id),
      })(operation, input),
    ),
  );
  await prepare();
  return {
    ...calls,
    forceCold: () => versions.publish(),
    close: async () => {
      await versions.removeAll();
      aws.close();
    },
  };
}

async function functionOf(aws: Aws, stackName: string): Promise<string> {
  const stack = await findStack(aws, stackName);
  const [, name] =
    /:function:([\w-]+):live$/.exec(stack === null ? '' : (outputsOf(stack).Function ?? '')) ?? [];
  if (name !== undefined) return name;
  throw new AwsFailure(
    'not_deployed',
    `There is no wiki stack ${stackName} in account ${aws.account}, region ${aws.region}.`,
    'Deploy one with `pnpm deploy:aws --new-wikis`, and name it with --stack.',
  );
}

class Versions {
  readonly #aws: Aws;
  readonly #name: string;
  #newest = '$LATEST';

  constructor(aws: Aws, name: string) {
    this.#aws = aws;
    this.#name = name;
  }

  get newest(): string {
    return this.#newest;
  }

  /** A version that nothing has run in yet. */
  async publish(): Promise<void> {
    const { lambda } = this.#aws;
    const FunctionName = this.#name;
    await attempt(`publish a version of the function ${FunctionName}`, async () => {
      await this.#setVariable(randomUUID());
      const { Version } = await lambda.send(
        new PublishVersionCommand({ FunctionName, Description: VARIABLE }),
      );
      await waitUntilPublishedVersionActive(
        { client: lambda, maxWaitTime: 300, minDelay: 1 },
        { FunctionName, Qualifier: Version },
      );
      this.#newest = Version ?? '$LATEST';
    });
  }

  /** Those of an earlier run that was broken off as well. */
  async removeAll(): Promise<void> {
    const { lambda } = this.#aws;
    const FunctionName = this.#name;
    await attempt(`remove the study's versions of the function ${FunctionName}`, async () => {
      for (const version of await this.#ofThisStudy())
        await lambda.send(new DeleteFunctionCommand({ FunctionName, Qualifier: version }));
      await this.#setVariable(undefined);
    });
  }

  async #ofThisStudy(): Promise<string[]> {
    const pages = paginateListVersionsByFunction({ client: this.#aws.lambda }, { FunctionName: this.#name });
    const found: string[] = [];
    for await (const { Versions: versions = [] } of pages)
      for (const { Version, Description } of versions)
        if (Description === VARIABLE && Version !== undefined) found.push(Version);
    return found;
  }

  async #setVariable(value: string | undefined): Promise<void> {
    const { lambda } = this.#aws;
    const FunctionName = this.#name;
    const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    const { [VARIABLE]: present, ...others } = Environment?.Variables ?? {};
    if (present === value) return;
    const Variables = { ...others, ...(value !== undefined && { [VARIABLE]: value }) };
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
    await waitUntilFunctionUpdatedV2({ client: lambda, maxWaitTime: 300, minDelay: 1 }, { FunctionName });
  }
}
