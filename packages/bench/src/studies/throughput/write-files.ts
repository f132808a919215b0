import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ThroughputRecord, ThroughputRequest } from './record.ts';
import { TokenBucket } from './token-bucket.ts';

const MIB = 2 ** 20;

/** Writes the files that are asked for below `directory`, removes them, and reports how long the writing took. */
export async function writeFiles(
  directory: string,
  instance: string,
  { bytes, files, bucket }: ThroughputRequest,
): Promise<ThroughputRecord> {
  const place = await mkdtemp(join(directory, 'throughput-'));
  const model = bucket && new TokenBucket(bucket, { now: () => performance.now(), sleep });
  // One content for all: nothing between here and the disk compresses or compares.
  const content = Buffer.alloc(Math.min(bytes, MIB), 'throughput');
  try {
    const time = new Date().toISOString();
    let duration = 0;
    for (let number = 0; number < files; number += 1) {
      const path = join(place, `${number}.bin`);
      const started = performance.now();
      await writeFile(path, content, bytes, model);
      duration += performance.now() - started;
    }
    return {
      time,
      bytes,
      files,
      duration_ms: duration,
      instance,
      ...(model && { credits_mib: model.credits_mib }),
    };
  } finally {
    await rm(place, { recursive: true });
  }
}

/** On NFS closing a file waits until the server has it all. */
async function writeFile(path: string, content: Buffer, bytes: number, model: TokenBucket | undefined) {
  const file = await open(path, 'w');
  try {
    for (let written = 0; written < bytes; ) {
      const { bytesWritten } = await file.write(content, 0, Math.min(content.byteLength, bytes - written));
      written += bytesWritten;
      model?.take(bytesWritten / MIB);
    }
  } finally {
    await file.close();
  }
  await model?.allowed();
}
