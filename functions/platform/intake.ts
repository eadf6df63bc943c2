import type * as z from 'zod/mini';
import type { Table } from '#functions/data/table/table';
import type { IngestManyContext } from '#functions/domain/distribution/ingest-many';
import { createDistribution } from '#functions/platform/distribution';
import type { queueEnvironment, verificationEnvironment } from '#functions/platform/environment';
import type { Runtime } from '#functions/platform/runtime';
import { createLateQueue } from '#functions/queues/late';

type QueueEnvironment = Pick<z.output<typeof queueEnvironment>, 'DISTRIBUTE_QUEUE_URL' | 'SQS_ENDPOINT'>;

export function createIntake(
  environment: QueueEnvironment & z.output<typeof verificationEnvironment>,
  runtime: Runtime,
  table: Table,
): IngestManyContext {
  return {
    ...createDistribution(environment, runtime, table),
    distributeQueue: createLateQueue(environment, runtime, environment.DISTRIBUTE_QUEUE_URL),
  };
}

export async function healthCheckIntake(environment: QueueEnvironment, runtime: Runtime): Promise<void> {
  const { healthCheckQueue } = await import('#functions/queues/readiness');
  await healthCheckQueue(environment, runtime, environment.DISTRIBUTE_QUEUE_URL);
}
