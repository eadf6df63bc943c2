/** Engines that nobody here wrote, in place of the embedded ones: the integration tests must find the same answers on them. */
import type { Engine } from '#local/engine';
import { type Queues, startQueues } from '#local/queues';
import { startDynamoDbLocal } from '#test/harness/dynamodb-local';
import { startEmulator } from '#test/harness/emulator';
import { createEmulatorQueues } from '#test/harness/emulator-queues';

/** Whether the tests run on it. */
export const ON_DYNAMODB_LOCAL = process.env.TEST_ENGINE === 'dynamodb-local';
export const ON_EMULATOR = process.env.TEST_ENGINE === 'emulator';
export const ON_OTHER_ENGINE = ON_DYNAMODB_LOCAL || ON_EMULATOR;

/**
 * An upper limit of write units, which DynamoDB Local counts wrongly: for a transaction it counts four units
 * for each kilobyte of one of its items.
 */
export const mostWritten = (units: number): number => (ON_DYNAMODB_LOCAL ? Number.POSITIVE_INFINITY : units);

/** The emulator keeps tables in memory, so over a restart of the product it goes on. */
const kept = new Map<string, Engine>();

/**
 * The engine that `TEST_ENGINE` names, or undefined for the embedded one.
 * @param folder whose tables are kept over a restart; in memory by default
 */
export async function startOtherEngine(folder?: string): Promise<Engine | undefined> {
  if (ON_DYNAMODB_LOCAL) return startDynamoDbLocal(folder);
  if (!ON_EMULATOR) return undefined;
  if (folder === undefined) return startEmulator();
  const engine = kept.get(folder) ?? (await startEmulator());
  kept.set(folder, engine);
  return { ...engine, stop: async () => undefined };
}

/** The queues of the engine that `TEST_ENGINE` names, or the embedded ones. */
export async function startTestQueues(): Promise<Queues> {
  if (!ON_EMULATOR) return startQueues();
  const emulator = await startEmulator();
  const queues = await createEmulatorQueues(emulator.endpoint);
  return {
    ...queues,
    async stop() {
      await queues.stop();
      await emulator.stop();
    },
  };
}
