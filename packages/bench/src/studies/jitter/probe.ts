import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { fileOf, type JitterRecord, type JitterRequest, type Service } from './record.ts';

export interface Probe {
  readonly service: Service;
  readonly instance: string;
  /** The operating system and Node. */
  readonly system: string;
  /** The directory of the files on the file system. */
  readonly directory: string;
  readonly bucket: string;
  /** As `Math.random`. */
  readonly random: () => number;
}

const MIB = 2 ** 20;
/** The size of one read from the file system: as much as four of the largest requests of NFS. */
const CHUNK_BYTES = 4 * MIB;

/** Reads one file, chosen at random, to its end, and reports how long only that took. */
export async function readOnce(probe: Probe, request: JitterRequest, cold: boolean): Promise<JitterRecord> {
  const { service, instance, system } = probe;
  const { store, sizes_mib: sizes, burst } = request;
  const sizeMib = sizes[Math.floor(probe.random() * sizes.length)];
  if (sizeMib === undefined) throw new Error('The probe was given no size to choose.');
  const name = fileOf(sizeMib);
  const read =
    store === 'efs' ? readerOfFile(join(probe.directory, name)) : readerOfObject(probe.bucket, name);
  const time = new Date().toISOString();
  const started = performance.now();
  const bytes = await read();
  const duration = performance.now() - started;
  if (bytes !== sizeMib * MIB) throw new Error(`${name} has ${bytes} bytes, not ${sizeMib * MIB}.`);
  return {
    time,
    service,
    store,
    size_mib: sizeMib,
    duration_ms: rounded(duration),
    mib_per_s: rounded(sizeMib / (duration / 1000)),
    cold,
    instance,
    system,
    ...(burst && { burst }),
  };
}

/** Reads into one buffer over and over: no memory is measured. */
function readerOfFile(path: string): () => Promise<number> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  return async () => {
    const file = await open(path);
    try {
      let bytes = 0;
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, buffer.byteLength, null);
        if (bytesRead === 0) return bytes;
        bytes += bytesRead;
      }
    } finally {
      await file.close();
    }
  };
}

/** The client is made before the clock starts; its first connection is part of the transfer, as on a cold start. */
function readerOfObject(bucket: string, key: string): () => Promise<number> {
  const client = new S3Client({});
  return async () => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    let bytes = 0;
    for await (const chunk of Body as AsyncIterable<Uint8Array>) bytes += chunk.byteLength;
    client.destroy();
    return bytes;
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
