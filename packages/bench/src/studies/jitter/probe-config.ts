import { hostname } from 'node:os';
import { type JitterRequest, jitterRequest, type Service } from './record.ts';

/**
 * The probe's environment variables. PROBE_DIRECTORY: of the files on the file system; PROBE_BUCKET: of the same
 * files on S3. The task is asked by variables too: PROBE_STORE (efs or s3) and PROBE_SIZES_MIB (as `1,10,100`).
 */
export function probeConfig(): { service: Service; instance: string; directory: string; bucket: string } {
  const stream = process.env.AWS_LAMBDA_LOG_STREAM_NAME;
  return {
    service: stream === undefined ? 'fargate' : 'lambda',
    instance: stream ?? taskOf(process.env.ECS_CONTAINER_METADATA_URI_V4) ?? `${hostname()}-${process.pid}`,
    directory: process.env.PROBE_DIRECTORY ?? '/mnt/efs',
    bucket: process.env.PROBE_BUCKET ?? '',
  };
}

/** What the task is asked. */
export function taskRequest(): JitterRequest {
  const { PROBE_STORE: store, PROBE_SIZES_MIB: sizes = '' } = process.env;
  return jitterRequest.parse({ store, sizes_mib: sizes.split(',').map(Number) });
}

/** The container's id in its task, the end of the address that Fargate tells it. */
function taskOf(metadataAddress: string | undefined): string | undefined {
  return metadataAddress?.split('/').at(-1);
}
