/** The functions of the API, without HTTP. */

import { createAuditStore } from '#functions/data/administration/audit-store';
import { createSettingStore } from '#functions/data/administration/settings-store';
import { createTemplateStore } from '#functions/data/administration/template-store';
import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createClaimStore } from '#functions/data/claims/claim-store';
import { createDeliveryRepository } from '#functions/data/deliveries/delivery-store';
import { createNoticeStore } from '#functions/data/deliveries/notice-store';
import { createIntakeKeyStore } from '#functions/data/leads/idempotency-key-store';
import type { Person } from '#functions/data/leads/lead';
import { createReplacementStore } from '#functions/data/orders/replacement-store';
import { createCallbackStore } from '#functions/data/sources/callback-store';
import { createEndpointStore } from '#functions/data/sources/endpoints';
import { createSourceStore } from '#functions/data/sources/source-store';
import { openTable } from '#functions/data/table/open-table';
import { createDistribution } from '#functions/distribution';
import type { Environment } from '#functions/environment';
import { createCipher } from '#functions/keys/cipher';
import type { DistributeMessage } from '#functions/queues/messages';
import { createQueue, openQueues } from '#functions/queues/sqs';
import type { Runtime } from '#functions/runtime';

const CIPHER = createCipher([{ id: '1', key: Buffer.alloc(32, 7) }]);

export type Api = ReturnType<typeof createApiProcess>;

/** All that the functions of the API have, over one table. */
export function createApiProcess(environment: Environment, runtime: Runtime) {
  const table = openTable(environment, runtime);
  return {
    ...createDistribution(environment, runtime, table),
    table,
    buyers: createBuyerStore(table),
    intakeKeys: createIntakeKeyStore(table),
    settings: createSettingStore(table),
    audit: createAuditStore(table),
    templates: createTemplateStore(table),
    claims: createClaimStore(table),
    replacements: createReplacementStore(table),
    notices: createNoticeStore(table),
    deliveries: createDeliveryRepository(table),
    sources: createSourceStore(table),
    endpoints: createEndpointStore(table),
    callbacks: createCallbackStore(table),
    marksOf: async ({ telefon, email }: Person) => [`phone ${telefon}`, `email ${email}`],
    cipher: async () => CIPHER,
    distributeQueue: createQueue<DistributeMessage>(
      openQueues(environment, runtime),
      environment.DISTRIBUTE_QUEUE_URL,
      runtime.log,
    ),
  };
}
