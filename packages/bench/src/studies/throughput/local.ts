import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ThroughputTarget } from './target.ts';
import { writeFiles } from './write-files.ts';

/** Writes in this process, on a folder for each mode below `directory`. */
export async function openLocalThroughput(directory: string): Promise<ThroughputTarget> {
  const place = await mkdtemp(join(directory, 'throughput-study-'));
  return {
    modelled: true,
    write: async (mode, request) => {
      const own = join(place, mode);
      await mkdir(own, { recursive: true });
      return writeFiles(own, `local-${mode}`, request);
    },
    close: () => rm(place, { recursive: true }),
  };
}
