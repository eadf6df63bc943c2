import { StartError } from '#local/start-error';

export interface Life {
  owns(part: { stop(): Promise<void> }): void;
  readonly fail: (error: unknown) => void;
  /** A second call exits immediately. */
  stop(code?: number): Promise<void>;
}

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
  // Output may go to a closed pipe or a full disk.
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
