import type * as z from 'zod/mini';
import type { Table } from '#functions/data/table/table';
import type { TakeInManyContext } from '#functions/domain/distribution/take-in-many';
import { createDistribution } from '#functions/platform/distribution';
import type { queueEnvironment, verificationEnvironment } from '#functions/platform/environment';
import type { Proof } from '#functions/platform/readiness';
import type { Runtime } from '#functions/platform/runtime';
import { createLateQueue } from '#functions/queues/late';

type QueueEnvironment = z.output<typeof queueEnvironment>;

export function createIntake(
  environment: QueueEnvironment & z.output<typeof verificationEnvironment>,
  runtime: Runtime,
  table: Table,
  distributeQueueUrl: string,
): TakeInManyContext {
  return {
    ...createDistribution(environment, runtime, table),
    distributeQueue: createLateQueue(environment, runtime, distributeQueueUrl),
  };
}

export const intakeProof =
  (environment: QueueEnvironment, runtime: Runtime): Proof =>
  async () => {
    const { queueProof } = await import('#functions/queues/readiness');
    await queueProof(environment, runtime, environment.DISTRIBUTE_QUEUE_URL)();
  };
