/** The functions of the API, without HTTP. */

import { openTable } from '#functions/data/table/open-table';
import { createCipher } from '#functions/keys/cipher';
import { createKeyLoader } from '#functions/keys/keys';
import { createDistribution } from '#functions/platform/distribution';
import type { Environment } from '#functions/platform/environment';
import { createFingerprints } from '#functions/platform/fingerprints';
import type { Runtime } from '#functions/platform/runtime';
import type { DistributeMessage } from '#functions/queues/messages';
import { createQueue, openQueues } from '#functions/queues/sqs';

const CIPHER = createCipher([{ id: '1', key: Buffer.alloc(32, 7) }]);

export type Api = ReturnType<typeof createApiProcess>;

/** The contexts of all API functions, on one table. */
export function createApiProcess(environment: Environment, runtime: Runtime) {
  const table = openTable(environment, runtime);
  const loadKeys = createKeyLoader(environment);
  return {
    ...createDistribution(environment, runtime, table),
    table,
    fingerprintsOf: createFingerprints(async () => (await loadKeys()).person),
    cipher: async () => CIPHER,
    personKey: async () => (await loadKeys()).person,
    distributeQueue: createQueue<DistributeMessage>(
      openQueues(environment, runtime),
      environment.DISTRIBUTE_QUEUE_URL,
      runtime.log,
    ),
  };
}
