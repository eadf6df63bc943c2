import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type * as z from 'zod/mini';
import type { ExportFile } from '#functions/exports/file-store';
import type { exportEnvironment } from '#functions/platform/environment';

type Environment = z.output<typeof exportEnvironment>;

/** @param seconds how long the link is valid @throws Error if S3 does not accept the file */
export async function keepInS3(
  environment: Environment,
  key: string,
  { filename, contentType, content }: ExportFile,
  seconds: number,
): Promise<string> {
  return withS3(environment, async (client) => {
    const object = { Bucket: environment.EXPORT_BUCKET, Key: key };
    const ContentDisposition = `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`;
    const stored = { ...object, Body: content, ContentType: contentType, ContentDisposition };
    await client.send(new PutObjectCommand(stored));
    return getSignedUrl(client, new GetObjectCommand(object), { expiresIn: seconds });
  });
}

export function namesInS3(environment: Environment, folder: string): Promise<string[]> {
  return withS3(environment, (client) => namesOf(client, environment.EXPORT_BUCKET, folder));
}

export function removeFromS3(environment: Environment, folder: string): Promise<void> {
  const Bucket = environment.EXPORT_BUCKET;
  return withS3(environment, async (client) => {
    for (const Key of await namesOf(client, Bucket, folder))
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
  });
}

export function writeToS3(
  environment: Pick<Environment, 'S3_ENDPOINT'>,
  { bucket, key, text }: { readonly bucket: string; readonly key: string; readonly text: string },
): Promise<void> {
  return withS3(environment, async (client) => {
    const object = { Bucket: bucket, Key: key, Body: text, ContentType: 'application/json' };
    await client.send(new PutObjectCommand(object));
  });
}

async function namesOf(client: S3Client, Bucket: string, Prefix: string): Promise<string[]> {
  const names: string[] = [];
  let ContinuationToken: string | undefined;
  do {
    const page: ListObjectsV2CommandOutput = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }),
    );
    names.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
  return names;
}

async function withS3<Result>(
  { S3_ENDPOINT: endpoint }: Pick<Environment, 'S3_ENDPOINT'>,
  work: (client: S3Client) => Promise<Result>,
): Promise<Result> {
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
    return await work(client);
  } finally {
    client.destroy();
  }
}
