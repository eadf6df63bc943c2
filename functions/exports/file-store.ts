/** Where files wait that are too large for an answer. */

export interface ExportFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

export interface FileStore {
  /** Keeps a file for a short time. @returns a link by which whoever has it can fetch the file for that time */
  keep(file: ExportFile): Promise<string>;
}
