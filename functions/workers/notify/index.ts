/** Tells people: pushes to admins, and a letter to the buyer whose claim was decided. */

import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createPartnerGuard } from '#functions/channels/channels';
import { createPushover } from '#functions/channels/pushover';
import { sendOverSmtp } from '#functions/channels/smtp';
import { createSettingStore } from '#functions/data/administration/settings-store';
import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createClaimStore } from '#functions/data/claims/claim-store';
import { createDedupMarkers } from '#functions/data/deliveries/dedup-markers';
import { createPayloadLoader } from '#functions/data/deliveries/payloads';
import { createLeadStore } from '#functions/data/leads/lead-store';
import { createOrderStore } from '#functions/data/orders/order-store';
import { openTable } from '#functions/data/table/open-table';
import { type NotifyDeps, notify } from '#functions/domain/deliveries/notifications';
import { createKeyLoader } from '#functions/keys/keys';
import { createHttp } from '#functions/net/http';
import { createOperator } from '#functions/operator/operator';
import { notifyMessage } from '#functions/queues/messages';
import { forEachMessage } from '#functions/queues/worker';
import type { Runtime } from '#functions/runtime';
import type { FunctionEnvironment } from '#functions/workers/notify/environment';
import { createTexts } from '#functions/workers/notify/texts';

export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

/** Pushover allows two at once for everything; two workers at most run at the same time. */
const CONNECTIONS = 1;
/** Milliseconds for a letter. */
const MAIL_TIME = 30_000;

export function create(environment: FunctionEnvironment, runtime: Runtime): QueueHandler {
  const table = openTable(environment);
  const loadKeys = createKeyLoader(environment);
  const guard = createPartnerGuard(environment);
  const unlocked = {
    leads: createLeadStore(table),
    buyers: createBuyerStore(table),
    claims: createClaimStore(table),
    orders: createOrderStore(table),
    settings: createSettingStore(table),
    payloads: createPayloadLoader(table),
    dedupMarkers: createDedupMarkers(table),
    push: createPushover({
      http: createHttp(guard, { connections: CONNECTIONS }),
      baseUrl: environment.PUSHOVER_API_URL.replace(/\/+$/, ''),
      now: runtime.now,
    }),
    tellOperator: createOperator(environment, runtime.log),
    texts: createTexts(environment.PUBLIC_BASE_URL),
    runtime,
  };

  return async (event) => {
    const { cipher } = await loadKeys();
    const deps: NotifyDeps = {
      ...unlocked,
      cipher,
      mail: (template, message) =>
        sendOverSmtp({ guard, cipher }, template, message, AbortSignal.timeout(MAIL_TIME)),
    };
    return forEachMessage(event, notifyMessage, runtime.log, (message) => notify(deps, message));
  };
}
