/** Builds the dependencies of whoever takes in many leads at once. */
import type * as z from 'zod/mini';
import type { Table } from '#functions/data/table/table';
import { createDistribution } from '#functions/distribution';
import type { TakeInManyDeps } from '#functions/domain/distribution/take-in-many';
import type { queueEnvironment, verificationEnvironment } from '#functions/environment';
import { createLateQueue } from '#functions/queues/late';
import type { Proof } from '#functions/readiness';
import type { Runtime } from '#functions/runtime';

type QueueEnvironment = z.output<typeof queueEnvironment>;

export function createIntake(
  environment: QueueEnvironment & z.output<typeof verificationEnvironment>,
  runtime: Runtime,
  table: Table,
  distributeQueueUrl: string,
): TakeInManyDeps {
  return {
    ...createDistribution(environment, runtime, table),
    distributeQueue: createLateQueue(environment, runtime, distributeQueueUrl),
  };
}

/** That the queue of the batches is there. */
export const intakeProof =
  (environment: QueueEnvironment, runtime: Runtime): Proof =>
  async () => {
    const { queueProof } = await import('#functions/queues/readiness');
    await queueProof(environment, runtime, environment.DISTRIBUTE_QUEUE_URL)();
  };
