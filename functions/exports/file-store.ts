/** Storage for downloads that are too large for an answer. */

export interface ExportFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

export interface FileStore {
  /** Stores a file. @returns a link from which the file can be downloaded for a short time, without a login */
  keep(file: ExportFile): Promise<string>;
}
