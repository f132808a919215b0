import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { searchPath } from '../path-config.ts';
import { taskVariables } from './probe-config.ts';
import { type JitterRecord, type JitterRequest, jitterRecord } from './record.ts';

/** The place of the files, from the probe's variables. */
export interface ProbePlaces {
  readonly directory: string;
  readonly bucket: string;
  readonly s3Endpoint: string;
}

/** The variables of the probe, for a function and a task alike. */
export function probeVariables(
  { directory, bucket, s3Endpoint }: ProbePlaces,
  credentials: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    PROBE_DIRECTORY: directory,
    PROBE_BUCKET: bucket,
    AWS_ENDPOINT_URL_S3: s3Endpoint,
    ...credentials,
  };
}

/**
 * Runs the probe as Fargate does: a process of its own, asked by variables, whose log has the record.
 * @param command words before the command that starts it.
 */
export async function runProbe(
  command: readonly string[],
  bundle: string,
  variables: Readonly<Record<string, string>>,
  request: JitterRequest,
): Promise<JitterRecord> {
  const [program = '', ...parameters] = [...command, process.execPath, bundle];
  const { stdout } = await promisify(execFile)(program, parameters, {
    env: { PATH: searchPath(), ...variables, ...taskVariables(request) },
  });
  return jitterRecord.parse(JSON.parse(stdout));
}
