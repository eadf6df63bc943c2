import type { ReadAnswer } from './read-file.worker';
import type { FileTable } from './read-table';

/** @throws Error with a text for users */
export async function readFile(file: File): Promise<FileTable> {
  const worker = new Worker(new URL('./read-file.worker.ts', import.meta.url), { type: 'module' });
  try {
    const read = await new Promise<ReadAnswer>((resolve) => {
      worker.addEventListener('message', ({ data }: MessageEvent<ReadAnswer>) => resolve(data));
      worker.addEventListener('error', () => resolve({ problem: 'The file reader stopped. Try again.' }));
      worker.postMessage(file, []);
    });
    if ('problem' in read) throw new Error(read.problem);
    return read.table;
  } finally {
    worker.terminate();
  }
}
