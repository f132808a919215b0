import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { type JitterRequest, jitterRequest, type Service } from './record.ts';

/**
 * The probe's environment variables. PROBE_DIRECTORY: of the files on the file system; PROBE_BUCKET: of the same
 * files on S3. The task is asked by variables too: PROBE_STORE (efs or s3), PROBE_SIZES_MIB (as `1,10,100`), and in a
 * burst PROBE_BURST (its id) and PROBE_BURST_TASKS.
 */
export function probeConfig(): {
  service: Service;
  instance: string;
  system: string;
  directory: string;
  bucket: string;
} {
  const stream = process.env.AWS_LAMBDA_LOG_STREAM_NAME;
  return {
    service: stream === undefined ? 'fargate' : 'lambda',
    instance: stream ?? taskOf(process.env.ECS_CONTAINER_METADATA_URI_V4) ?? `${hostname()}-${process.pid}`,
    system: `${distribution()}, Node ${process.version}`,
    directory: process.env.PROBE_DIRECTORY ?? '/mnt/efs',
    bucket: process.env.PROBE_BUCKET ?? '',
  };
}

/** The request to the task. */
export function taskRequest(): JitterRequest {
  const {
    PROBE_STORE: store,
    PROBE_SIZES_MIB: sizes = '',
    PROBE_BURST: id,
    PROBE_BURST_TASKS: tasks,
  } = process.env;
  const burst = id === undefined ? {} : { burst: { id, tasks: Number(tasks) } };
  return jitterRequest.parse({ store, sizes_mib: sizes.split(',').map(Number), ...burst });
}

/** The environment variables by which a task is asked, the reverse of `taskRequest`. */
export function taskVariables({ store, sizes_mib: sizes, burst }: JitterRequest): Record<string, string> {
  return {
    PROBE_STORE: store,
    PROBE_SIZES_MIB: sizes.join(','),
    ...(burst && { PROBE_BURST: burst.id, PROBE_BURST_TASKS: String(burst.tasks) }),
  };
}

/** As Linux names itself, such as Amazon Linux 2023. */
function distribution(): string {
  try {
    return /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'Linux';
  } catch {
    return process.platform;
  }
}

/** The container's id in its task, the end of the address that Fargate passes to it. */
function taskOf(metadataAddress: string | undefined): string | undefined {
  return metadataAddress?.split('/').at(-1);
}
