/** Storage for downloads that are too large for an answer. */

export interface ExportFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

export interface FileStore {
  /** @returns a download link that is valid for a short time, without a login */
  keep(file: ExportFile): Promise<string>;
}

export interface StoredFiles {
  count(): Promise<number>;
  clear(): Promise<void>;
}
