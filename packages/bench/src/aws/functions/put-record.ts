import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { JitterRecord } from '../../studies/jitter/record.ts';

/** After the read, over a connection of its own: it has no part in what is measured. */
export async function putRecord(bucket: string, key: string, record: JitterRecord): Promise<void> {
  const client = new S3Client({});
  try {
    await client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: JSON.stringify(record),
        ContentType: 'application/json',
      }),
    );
  } finally {
    client.destroy();
  }
}
