/** The S3 client is imported on demand, because most processes never store a file. */
import type * as z from 'zod/mini';
import type { FileStore, StoredFiles } from '#functions/exports/file-store';
import type { exportEnvironment } from '#functions/platform/environment';
import type { Runtime } from '#functions/platform/runtime';

/** Long enough to follow a redirect over a slow connection, too short to share the link. */
const LINK_SECONDS = 300;

const FOLDER = 'exports/';

export function createStoredFiles(environment: z.output<typeof exportEnvironment>): StoredFiles {
  return {
    async count() {
      const { namesInS3 } = await import('#functions/exports/s3');
      return (await namesInS3(environment, FOLDER)).length;
    },
    async clear() {
      const { removeFromS3 } = await import('#functions/exports/s3');
      await removeFromS3(environment, FOLDER);
    },
  };
}

export function createS3FileStore(
  environment: z.output<typeof exportEnvironment>,
  runtime: Pick<Runtime, 'newToken'>,
): FileStore {
  return {
    async keep(file) {
      const { keepInS3 } = await import('#functions/exports/s3');
      return keepInS3(environment, `${FOLDER}${runtime.newToken()}`, file, LINK_SECONDS);
    },
  };
}
