/** Stores files in S3 and signs links to them. */
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type * as z from 'zod/mini';
import type { exportEnvironment } from '#functions/environment';
import type { ExportFile } from '#functions/exports/file-store';

/**
 * @param seconds how long the link is valid
 * @returns the signed link
 * @throws Error when S3 does not accept the file
 */
export async function keepInS3(
  environment: z.output<typeof exportEnvironment>,
  key: string,
  { filename, contentType, content }: ExportFile,
  seconds: number,
): Promise<string> {
  const endpoint = environment.S3_ENDPOINT;
  const client = new S3Client(
    endpoint === undefined
      ? {}
      : {
          endpoint,
          region: 'eu-central-1',
          credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
          forcePathStyle: true,
        },
  );
  try {
    const object = { Bucket: environment.EXPORT_BUCKET, Key: key };
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`;
    await client.send(
      new PutObjectCommand({
        ...object,
        Body: content,
        ContentType: contentType,
        ContentDisposition: disposition,
      }),
    );
    return await getSignedUrl(client, new GetObjectCommand(object), { expiresIn: seconds });
  } finally {
    client.destroy();
  }
}
