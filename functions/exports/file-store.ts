/** Where files wait that are too large for an answer. */
import type * as z from 'zod/mini';
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
    async keep(file) {
      // Loaded only for the rare large file.
      const { keepInS3 } = await import('#functions/exports/s3');
      return keepInS3(environment, `exports/${runtime.newToken()}`, file, LINK_SECONDS);
    },
  };
}
