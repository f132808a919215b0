import { readOnce } from '../../studies/jitter/probe.ts';
import { probeConfig, taskRequest } from '../../studies/jitter/probe-config.ts';
import { type JitterRecord, type JitterRequest, jitterRequest } from '../../studies/jitter/record.ts';
import { putRecord } from './put-record.ts';
import { keyOfEvent, keyOfTask } from './result-key-config.ts';

/*
 * The probe as it is deployed, in one bundle: a Lambda function by `handler`, a Fargate task when it is run. The record
 * goes to the log as one line of JSON, and into the bucket.
 */

let cold = true;

export async function handler(event: unknown): Promise<JitterRecord> {
  return probe(jitterRequest.parse(event), keyOfEvent(event));
}

async function probe(request: JitterRequest, key: string): Promise<JitterRecord> {
  const wasCold = cold;
  cold = false;
  const config = probeConfig();
  const record = await readOnce({ ...config, random: Math.random }, request, wasCold);
  process.stdout.write(`${JSON.stringify(record)}\n`);
  await putRecord(config.bucket, key, record);
  return record;
}

if (import.meta.main) await probe(taskRequest(), keyOfTask());
