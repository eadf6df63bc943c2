/** Keeps heads of the audit trail's chain where nobody who can write the table can change them. */
import { appendFile } from 'node:fs/promises';
import type * as z from 'zod/mini';
import type { headEnvironment } from '#functions/platform/environment';

/** Keeps a line under a name. @throws Error when it could not be kept */
export type KeepLine = (name: string, line: string) => Promise<void>;

/** In the bucket; outside of the cloud in a file; undefined where there is neither. */
export function createHeadFile({
  AUDIT_HEADS_BUCKET: bucket,
  AUDIT_HEADS_FILE: file,
}: z.output<typeof headEnvironment>): KeepLine | undefined {
  if (bucket !== undefined)
    return async (name, line) => {
      // Imported on demand, because it is needed once a day.
      const { keepInBucket } = await import('#functions/operator/bucket');
      await keepInBucket(bucket, name, line);
    };
  // Only its owner may read it.
  return file === undefined ? undefined : (_, line) => appendFile(file, `${line}\n`, { mode: 0o600 });
}
