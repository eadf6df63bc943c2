/** A file store in S3. Its client is imported with the first file, because most processes never store one. */
import type * as z from 'zod/mini';
import type { exportEnvironment } from '#functions/environment';
import type { FileStore } from '#functions/exports/file-store';
import type { Runtime } from '#functions/runtime';

/** Long enough to follow a redirect over a slow connection, too short to share the link. */
const LINK_SECONDS = 300;

export function createS3FileStore(
  environment: z.output<typeof exportEnvironment>,
  runtime: Pick<Runtime, 'newToken'>,
): FileStore {
  return {
    async keep(file) {
      const { keepInS3 } = await import('#functions/exports/s3');
      return keepInS3(environment, `exports/${runtime.newToken()}`, file, LINK_SECONDS);
    },
  };
}
