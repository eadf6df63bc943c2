import type { FunctionEnvironment } from '#functions/api/insights/environment';
import { createAuditStore } from '#functions/data/administration/audit-store';
import { createSettingStore } from '#functions/data/administration/settings-store';
import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createClaimStore } from '#functions/data/claims/claim-store';
import { createDeliveryRepository } from '#functions/data/deliveries/delivery-store';
import { createPoolStore } from '#functions/data/distribution/pool-store';
import { createLeadStore } from '#functions/data/leads/lead-store';
import { createOrderCache } from '#functions/data/orders/order-cache';
import { createOrderStore } from '#functions/data/orders/order-store';
import { createStatisticsStore } from '#functions/data/statistics/statistics-store';
import { openTable } from '#functions/data/table/open-table';
import { listCredentials } from '#functions/domain/administration/settings';
import { listBuyerRows } from '#functions/domain/buyers/buyer-rows';
import { listAudit } from '#functions/domain/common/audit';
import { listPending } from '#functions/domain/leads/pending-leads';
import { search } from '#functions/domain/leads/search';
import { buyerStatistics } from '#functions/domain/statistics/buyer-statistics';
import { dashboardStats } from '#functions/domain/statistics/dashboard';
import { simulate } from '#functions/domain/statistics/simulation';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiDeps } from '#functions/http/deps';
import type { Runtime } from '#functions/runtime';
import { PENDING_LEADS_LIMIT } from '#shared/contract/constants';
import { insightSchemas } from '#shared/contract/schemas/insights';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const table = openTable(environment);
  const api = createApiDeps(environment, runtime, table);
  const deps = {
    table,
    audit: createAuditStore(table),
    buyers: createBuyerStore(table),
    claims: createClaimStore(table),
    deliveries: createDeliveryRepository(table),
    leads: createLeadStore(table),
    orders: createOrderStore(table),
    orderCache: createOrderCache(table, runtime.now),
    pool: createPoolStore(table),
    settings: createSettingStore(table),
    statistics: createStatisticsStore(table),
    cipher: async () => (await api.keys()).cipher,
    publicBaseUrl: environment.PUBLIC_BASE_URL,
    runtime,
  };

  return createApi('insights', insightSchemas, api, {
    getDashboardStats: () => dashboardStats(deps),

    getDashboardInitialData: async () => {
      const [buyers, pending, credentials, stats] = await Promise.all([
        listBuyerRows(deps),
        listPending(deps, PENDING_LEADS_LIMIT),
        listCredentials(deps),
        dashboardStats(deps),
      ]);
      return {
        buyers,
        buyer_balances: Object.fromEntries(buyers.map((row) => [row.buyer_id, row.balance_count])),
        ineligible_leads: pending.ineligible_leads,
        pushover_creds: credentials,
        stats,
      };
    },

    getBuyerStats: ({ query }) => buyerStatistics(deps, { days: query.time_range, buyerId: query.buyer_id }),

    simulate: ({ body }) => simulate(deps, body),

    listAudit: ({ query }) =>
      listAudit(deps, {
        entity: query.entity,
        entityId: query.entity_id,
        limit: query.limit,
        cursor: query.cursor,
      }),

    search: ({ query }) => search(deps, query.q),
  });
}
