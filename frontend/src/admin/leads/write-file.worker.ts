/** Writes a file in a worker, so that the page stays responsive: a spreadsheet of 100,000 leads takes seconds. */
import type { ExportFormat } from '#shared/rules/constants';
import type { ExportedLead } from '../data/lead-list';
import { leadFile } from './lead-file';

export interface FileOrder {
  readonly leads: readonly ExportedLead[];
  readonly format: ExportFormat;
}

/** Undefined if it failed. */
export type WrittenFile = Uint8Array<ArrayBuffer> | undefined;

addEventListener('message', ({ data: { leads, format } }: MessageEvent<FileOrder>) => {
  void leadFile(leads, format)
    .catch(() => undefined)
    .then((file) => postMessage(file));
});
