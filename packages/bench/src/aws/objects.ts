import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { type Aws, attempt } from './aws.ts';

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
}

/** All objects of the studies' bucket whose keys begin so. */
export async function listObjects({ s3, bucket }: Aws, prefix: string): Promise<StoredObject[]> {
  return attempt(`list what is in the bucket ${bucket}`, async () => {
    const found: StoredObject[] = [];
    let token: string | undefined;
    do {
      const page = await s3.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }),
      );
      for (const { Key = '', Size = 0 } of page.Contents ?? []) found.push({ key: Key, bytes: Size });
      token = page.NextContinuationToken;
    } while (token !== undefined);
    return found;
  });
}

/** @returns null if there is no such object. */
export async function readObject({ s3, bucket }: Aws, key: string): Promise<string | null> {
  return attempt(`read ${key} from the bucket ${bucket}`, async () => {
    try {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      return (await Body?.transformToString()) ?? '';
    } catch (error) {
      if (error instanceof Error && error.name === 'NoSuchKey') return null;
      throw error;
    }
  });
}

export async function putObject({ s3, bucket }: Aws, key: string, body: Uint8Array): Promise<void> {
  await attempt(`put ${key} into the bucket ${bucket}`, () =>
    s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body })),
  );
}

export async function bucketExists({ s3, bucket }: Aws): Promise<boolean> {
  return attempt(`look for the bucket ${bucket}`, async () => {
    try {
      await s3.send(new HeadBucketCommand({ Bucket: bucket }));
      return true;
    } catch (error) {
      if (error instanceof Error && error.name === 'NotFound') return false;
      throw error;
    }
  });
}

/** @returns how many objects were deleted. */
export async function emptyBucket(aws: Aws): Promise<number> {
  const { s3, bucket } = aws;
  const objects = await listObjects(aws, '');
  // S3 takes a thousand at a time.
  for (let first = 0; first < objects.length; first += 1000) {
    const Objects = objects.slice(first, first + 1000).map(({ key }) => ({ Key: key }));
    await attempt(`empty the bucket ${bucket}`, () =>
      s3.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } })),
    );
  }
  return objects.length;
}
