/** Objects that are written once and kept: the bucket's rule locks every version of them. */
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

export async function keepInBucket(bucket: string, name: string, text: string): Promise<void> {
  const client = new S3Client({ maxAttempts: 3 });
  try {
    const object = { Bucket: bucket, Key: name, Body: text, ContentType: 'text/plain' };
    await client.send(new PutObjectCommand(object));
  } finally {
    client.destroy();
  }
}
