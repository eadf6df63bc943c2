import type { FunctionEnvironment } from '#functions/api/insights/environment';
import { createAuditStore } from '#functions/data/audit';
import { createBuyerStore } from '#functions/data/buyers';
import { createClaimStore } from '#functions/data/claims';
import { createDeliveryRepository } from '#functions/data/deliveries';
import { createLeadStore } from '#functions/data/leads';
import { createOrderBook } from '#functions/data/order-book';
import { createOrderStore } from '#functions/data/orders';
import { createPoolStore } from '#functions/data/pool';
import { createSettingStore } from '#functions/data/settings';
import { createStatisticsStore } from '#functions/data/statistics';
import { listAudit } from '#functions/domain/audit';
import { listBuyerRows } from '#functions/domain/buyer-rows';
import { buyerStatistics } from '#functions/domain/buyer-statistics';
import { dashboardStats } from '#functions/domain/dashboard';
import { listPending } from '#functions/domain/pending-leads';
import { search } from '#functions/domain/search';
import { listCredentials } from '#functions/domain/settings';
import { simulate } from '#functions/domain/simulation';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiDeps, createTable } from '#functions/http/deps';
import type { Runtime } from '#functions/runtime';
import { PENDING_LEADS_LIMIT } from '#shared/contract/constants';
import { insightSchemas } from '#shared/contract/schemas/insights';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const table = createTable(environment);
  const api = createApiDeps(environment, runtime, table);
  const deps = {
    table,
    audit: createAuditStore(table),
    buyers: createBuyerStore(table),
    claims: createClaimStore(table),
    deliveries: createDeliveryRepository(table),
    leads: createLeadStore(table),
    orders: createOrderStore(table),
    book: createOrderBook(table, runtime.now),
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
