import { randomBytes } from 'node:crypto';
import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { z } from 'zod';
import { probeConfig } from '../../studies/jitter/probe-config.ts';
import { fileOf, stores } from '../../studies/jitter/record.ts';

const MIB = 2 ** 20;

const seedRequest = z.object({ store: z.enum(stores), size_mib: z.int().positive() });
export type SeedRequest = z.infer<typeof seedRequest>;

/** The Lambda function that makes one file where it is to be read, of random bytes: nothing is sent from elsewhere. */
export async function handler(event: unknown): Promise<SeedRequest> {
  const request = seedRequest.parse(event);
  const { store, size_mib: sizeMib } = request;
  const { directory, bucket } = probeConfig();
  if (store === 'efs') await makeFile(join(directory, fileOf(sizeMib)), sizeMib);
  else await makeObject(bucket, fileOf(sizeMib), sizeMib);
  return request;
}

/** Under its name only when it is whole; one that is there already is kept. */
async function makeFile(path: string, sizeMib: number): Promise<void> {
  if (await isThere(path, sizeMib)) return;
  const temporary = `${path}.part`;
  const file = await open(temporary, 'w');
  try {
    for (let written = 0; written < sizeMib; written += 1) await file.write(randomBytes(MIB));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

async function isThere(path: string, sizeMib: number): Promise<boolean> {
  try {
    return (await stat(path)).size === sizeMib * MIB;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** From memory, of which the function has ten times as much: what failed is sent again without being made again. */
async function makeObject(bucket: string, key: string, sizeMib: number): Promise<void> {
  const body = Buffer.allocUnsafe(sizeMib * MIB);
  for (let filled = 0; filled < sizeMib; filled += 1) randomBytes(MIB).copy(body, filled * MIB);
  const client = new S3Client({});
  try {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }));
  } finally {
    client.destroy();
  }
}
