/** The life of a process that runs the product: signals, failures and an orderly end. */
import { StartError } from '#local/start-error';

export interface Life {
  /** What is to be stopped before the process ends. */
  owns(part: { stop(): Promise<void> }): void;
  /** Says why and ends the process with 1. */
  readonly fail: (error: unknown) => void;
  /** Ends the process in good order; asked again it ends at once. */
  stop(code?: number): Promise<void>;
}

/** Runs what `start` starts until the process is told to stop. */
export async function runUntilStopped(start: (life: Life) => Promise<void>): Promise<void> {
  let owned: { stop(): Promise<void> } | undefined;
  let stopping: Promise<void> | undefined;
  const life: Life = {
    owns(part) {
      owned = part;
    },
    fail(error) {
      console.error(error instanceof StartError ? error.message : error);
      void life.stop(1);
    },
    async stop(code = 0) {
      if (stopping !== undefined) process.exit(1);
      stopping = owned?.stop() ?? Promise.resolve();
      await stopping.catch((error: unknown) => console.error(error));
      process.exit(code);
    },
  };
  // What is printed may go to a closed pipe or a file on a full disk.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void life.stop());
  process.on('uncaughtException', life.fail);
  process.on('unhandledRejection', life.fail);
  try {
    await start(life);
  } catch (error) {
    life.fail(error);
  }
}
