import { invoke } from '../../studies/invoke.ts';
import { throughputRecord } from '../../studies/throughput/record.ts';
import type { ThroughputTarget } from '../../studies/throughput/target.ts';
import { type Aws, attempt } from '../aws.ts';
import { FUNCTIONS } from '../stack/names.ts';
import { studiesOutputs } from './jitter.ts';

/** The throughput study on the deployed stack: two functions that differ in their file system alone. */
export async function openAwsThroughput(aws: Aws): Promise<ThroughputTarget> {
  await studiesOutputs(aws);
  return {
    modelled: false,
    write: (mode, request) =>
      attempt(`write to the ${mode} file system`, async () => {
        const { answer } = await invoke(aws.lambda, FUNCTIONS[mode], request);
        return throughputRecord.parse(answer);
      }),
    close: async () => aws.close(),
  };
}
