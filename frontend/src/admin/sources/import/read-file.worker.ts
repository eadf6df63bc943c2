/** Reads a file in a worker, so that the page stays responsive. */
import { type FileTable, readTable } from './read-table';

export type ReadAnswer = { readonly table: FileTable } | { readonly problem: string };

async function answer(file: File): Promise<ReadAnswer> {
  try {
    return { table: await readTable(new Uint8Array(await file.arrayBuffer())) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'The file could not be read.' };
  }
}

addEventListener('message', ({ data }: MessageEvent<File>) => {
  void answer(data).then((read) => postMessage(read));
});
