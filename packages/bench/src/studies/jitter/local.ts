import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { s3Credentials } from '../../../../../labs/s3-server.ts';
import { bundle } from '../bundles.ts';
import { makeFiles } from './files.ts';
import { serveFilesAsS3 } from './local-s3.ts';
import { probeVariables, runProbe } from './probe-process.ts';
import type { JitterTarget } from './target.ts';

const BUCKET = 'files';

/** The probe as a process for each read, on files below `directory`. */
export async function openLocalJitter(directory: string, sizesMib: readonly number[]): Promise<JitterTarget> {
  const place = await mkdtemp(join(directory, 'jitter-'));
  const files = join(place, BUCKET);
  await mkdir(files);
  await makeFiles(files, sizesMib);
  const { file } = await bundle('probe');
  const s3 = await serveFilesAsS3(place);
  const places = { directory: files, bucket: BUCKET, s3Endpoint: s3.endpoint };
  const variables = probeVariables(places, s3Credentials);
  let starts = 0;
  return {
    read: (service, request) => {
      starts += 1;
      // By this variable the probe knows that it is a function.
      const asFunction = service === 'lambda' && { AWS_LAMBDA_LOG_STREAM_NAME: `local-${starts}` };
      return runProbe([], file, { ...variables, ...asFunction }, request);
    },
    close: async () => {
      s3.close();
      await rm(place, { recursive: true });
    },
  };
}
