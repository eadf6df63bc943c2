/** Builds the dependencies of whoever looks for what is to be alerted of. */
import { createAlertStore } from '#functions/data/alerts/alert-store';
import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createClaimStore } from '#functions/data/claims/claim-store';
import { createDeliveryRepository } from '#functions/data/deliveries/delivery-store';
import { createNoticeStore } from '#functions/data/deliveries/notice-store';
import { createPoolStore } from '#functions/data/distribution/pool-store';
import { createRetentionStore } from '#functions/data/leads/retention-store';
import { createOrderCache } from '#functions/data/orders/order-cache';
import { createReplacementStore } from '#functions/data/orders/replacement-store';
import { createSourceStore } from '#functions/data/sources/source-store';
import { createStatisticsStore } from '#functions/data/statistics/statistics-store';
import type { Table } from '#functions/data/table/table';
import type { AlertDeps } from '#functions/domain/alerts/alerts';
import type { Runtime } from '#functions/runtime';

export function createAlerts(table: Table, runtime: Runtime): Omit<AlertDeps, 'texts'> {
  return {
    table,
    alerts: createAlertStore(table),
    notices: createNoticeStore(table),
    pool: createPoolStore(table),
    orderCache: createOrderCache(table, runtime.now),
    statistics: createStatisticsStore(table),
    sources: createSourceStore(table),
    retention: createRetentionStore(table),
    claims: createClaimStore(table),
    deliveries: createDeliveryRepository(table),
    buyers: createBuyerStore(table),
    replacements: createReplacementStore(table),
    runtime,
  };
}
