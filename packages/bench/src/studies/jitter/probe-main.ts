import { readOnce } from './probe.ts';
import { probeConfig, taskRequest } from './probe-config.ts';
import { type JitterRecord, jitterRequest } from './record.ts';

/*
 * The probe in one bundle: a Lambda function by `handler`, a Fargate task when it is run. Either way its log has the
 * record as one line of JSON.
 */

let cold = true;

export async function handler(event: unknown): Promise<JitterRecord> {
  return probe(jitterRequest.parse(event));
}

async function probe(request: Parameters<typeof readOnce>[1]): Promise<JitterRecord> {
  const wasCold = cold;
  cold = false;
  const record = await readOnce({ ...probeConfig(), random: Math.random }, request, wasCold);
  process.stdout.write(`${JSON.stringify(record)}\n`);
  return record;
}

if (import.meta.main) await probe(taskRequest());
