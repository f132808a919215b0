import { hostname } from 'node:os';

/** The function's environment variables. THROUGHPUT_DIRECTORY: where on the file system it writes. */
export function functionConfig(): { directory: string; instance: string } {
  return {
    directory: process.env.THROUGHPUT_DIRECTORY ?? '/mnt/efs',
    instance: process.env.AWS_LAMBDA_LOG_STREAM_NAME ?? `${hostname()}-${process.pid}`,
  };
}
