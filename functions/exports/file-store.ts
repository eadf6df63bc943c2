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

/** The files that are stored at the moment. */
export interface StoredFiles {
  count(): Promise<number>;
  /** Removes all of them; whoever still wants one asks for it again. */
  clear(): Promise<void>;
}
