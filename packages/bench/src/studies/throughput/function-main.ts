import { functionConfig } from './function-config.ts';
import { type ThroughputRecord, throughputRequest } from './record.ts';
import { writeFiles } from './write-files.ts';

/** The Lambda function: writes one set of files, answers with the record and logs it as one line of JSON. */
export async function handler(event: unknown): Promise<ThroughputRecord> {
  const { directory, instance } = functionConfig();
  const record = await writeFiles(directory, instance, throughputRequest.parse(event));
  process.stdout.write(`${JSON.stringify(record)}\n`);
  return record;
}
