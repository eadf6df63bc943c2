/** Where files wait that are too large for an answer. */
import type * as z from 'zod';
import type { exportEnvironment } from '#functions/environment';
import type { Runtime } from '#functions/runtime';

export interface ExportFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

export interface FileStore {
  /** Keeps a file for a short time. @returns a link by which whoever has it can fetch the file for `LINK_SECONDS` */
  keep(file: ExportFile): Promise<string>;
}

/** Long enough to follow a redirect on a bad line, too short to be passed around. */
export const LINK_SECONDS = 300;

export function createFileStore(
  environment: z.output<typeof exportEnvironment>,
  runtime: Pick<Runtime, 'newToken'>,
): FileStore {
  return {
    async keep({ filename, contentType, content }) {
      // Loaded only for the rare large file.
      const [{ GetObjectCommand, PutObjectCommand, S3Client }, { getSignedUrl }] = await Promise.all([
        import('@aws-sdk/client-s3'),
        import('@aws-sdk/s3-request-presigner'),
      ]);
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
        const object = { Bucket: environment.EXPORT_BUCKET, Key: `exports/${runtime.newToken()}` };
        const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`;
        await client.send(
          new PutObjectCommand({
            ...object,
            Body: content,
            ContentType: contentType,
            ContentDisposition: disposition,
          }),
        );
        return await getSignedUrl(client, new GetObjectCommand(object), { expiresIn: LINK_SECONDS });
      } finally {
        client.destroy();
      }
    },
  };
}
