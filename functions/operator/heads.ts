/** Keeps audit checkpoints where nobody who can write the table can change them. */
import { appendFile } from 'node:fs/promises';
import type * as z from 'zod/mini';
import type { headEnvironment } from '#functions/platform/environment';

/** @throws Error if it could not be kept */
export type KeepLine = (name: string, line: string) => Promise<void>;

export function createHeadFile({
  AUDIT_HEADS_BUCKET: bucket,
  AUDIT_HEADS_FILE: file,
}: z.output<typeof headEnvironment>): KeepLine | undefined {
  if (bucket !== undefined)
    return async (name, line) => {
      const { keepInBucket } = await import('#functions/operator/bucket');
      await keepInBucket(bucket, name, line);
    };
  return file === undefined ? undefined : (_, line) => appendFile(file, `${line}\n`, { mode: 0o600 });
}
