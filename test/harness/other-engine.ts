/** Engines that nobody here wrote, in place of the embedded ones: the integration tests must find the same answers on them. */
import type { Engine } from '#local/engine';
import { startDynamoDbLocal } from '#test/harness/dynamodb-local';
import { startEmulator } from '#test/harness/emulator';

/** Whether the tests run on it. */
export const ON_DYNAMODB_LOCAL = process.env.TEST_ENGINE === 'dynamodb-local';
export const ON_EMULATOR = process.env.TEST_ENGINE === 'emulator';

/**
 * The engine that `TEST_ENGINE` names, or undefined for the embedded one.
 * @param folder of DynamoDB Local's database, to keep it over a restart; in memory by default
 */
export async function startOtherEngine(folder?: string): Promise<Engine | undefined> {
  if (ON_DYNAMODB_LOCAL) return startDynamoDbLocal(folder);
  return ON_EMULATOR ? startEmulator() : undefined;
}
