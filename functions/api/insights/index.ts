import { hundredths } from '#functions/api/common/hundredths';
import {
  auditRow,
  buyerStatisticsAnswer,
  dashboardAnswer,
  latenciesAnswer,
  searchAnswer,
  silentSourcesAnswer,
  simulationAnswer,
  sourceStatisticsAnswer,
  statusAnswer,
} from '#functions/api/insights/answers';
import type { FunctionEnvironment } from '#functions/api/insights/environment';
import { createAuditStore } from '#functions/data/administration/audit-store';
import { createSettingStore } from '#functions/data/administration/settings-store';
import { createTemplateStore } from '#functions/data/administration/template-store';
import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createClaimStore } from '#functions/data/claims/claim-store';
import { createAddressStore } from '#functions/data/deliveries/address-store';
import { createDeliveryRepository } from '#functions/data/deliveries/delivery-store';
import { createPoolStore } from '#functions/data/distribution/pool-store';
import { createLeadStore } from '#functions/data/leads/lead-store';
import { createSearchIndex } from '#functions/data/leads/search-index';
import { createOrderCache } from '#functions/data/orders/order-cache';
import { createOrderStore } from '#functions/data/orders/order-store';
import { createReplacementStore } from '#functions/data/orders/replacement-store';
import { createSourceStore } from '#functions/data/sources/source-store';
import { createStatisticsStore } from '#functions/data/statistics/statistics-store';
import { openTable } from '#functions/data/table/open-table';
import { listAudit } from '#functions/domain/common/audit';
import { notFound } from '#functions/domain/common/errors';
import type { BuyerStatisticsQuery } from '#functions/domain/statistics/buyer-statistics';
import { dashboardStats, isFirstLeadDelivered } from '#functions/domain/statistics/dashboard';
import { createS3FileStore } from '#functions/exports/s3-file-store';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiDeps } from '#functions/http/deps';
import type { Runtime } from '#functions/runtime';
import type { Parsed } from '#shared/contract/schemas';
import { insightSchemas } from '#shared/contract/schemas/insights';

/** Loaded by the calls that need them, as what only one call needs: the library of the sketches, files, and statements. */
const latency = () => import('#functions/domain/statistics/latency');
const sourceFigures = () => import('#functions/domain/statistics/source-statistics');
const exporting = () => import('#functions/api/insights/exports');
const buyerFigures = () => import('#functions/domain/statistics/buyer-statistics');
const statement = () => import('#functions/api/common/statement');

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const table = openTable(environment, runtime);
  const api = createApiDeps(environment, runtime, table);
  const files = createS3FileStore(environment, runtime);
  const statistics = createStatisticsStore(table);
  const deps = {
    table,
    audit: createAuditStore(table),
    buyers: createBuyerStore(table),
    addresses: createAddressStore(table, async () => (await api.keys()).person),
    claims: createClaimStore(table),
    deliveries: createDeliveryRepository(table),
    leads: createLeadStore(table),
    orders: createOrderStore(table),
    orderCache: createOrderCache(table, runtime.now),
    pool: createPoolStore(table),
    settings: createSettingStore(table),
    templates: createTemplateStore(table),
    searchIndex: createSearchIndex(table),
    statistics,
    latencies: statistics.latencies,
    accounts: statistics.accounts,
    replacements: createReplacementStore(table),
    publicFigures: {},
    firstDelivery: { known: false },
    sources: createSourceStore(table),
    runtime,
  };

  /** Deleted buyers have one, too. */
  const statementOf = async (buyerId: string) => {
    const buyer = await deps.buyers.byId(buyerId);
    if (buyer === undefined) throw notFound('Buyer');
    const account = await import('#functions/domain/orders/statement');
    return account.statementOf(deps, buyer);
  };

  const dashboard = async () => {
    const [stats, delivered] = await Promise.all([dashboardStats(deps), isFirstLeadDelivered(deps)]);
    return dashboardAnswer(stats, delivered);
  };

  return createApi('insights', insightSchemas, api, {
    getDashboardStats: dashboard,

    getDashboardInitialData: async () => {
      const { initialData } = await import('#functions/api/insights/initial-data');
      const now = runtime.now();
      return initialData({ ...deps, keys: api.keys }, environment.PUBLIC_BASE_URL, now, dashboard());
    },

    getBuyerStats: async ({ query }) => {
      const { buyerStatistics } = await buyerFigures();
      return buyerStatisticsAnswer(
        await buyerStatistics(deps, { ...statisticsQuery(query), compare: query.compare === 'previous' }),
      );
    },

    exportBuyerStats: async ({ params, query }) => {
      const { exportStatistics } = await exporting();
      const { buyerStatistics } = await buyerFigures();
      const figures = await buyerStatistics(deps, statisticsQuery(query));
      return exportStatistics({ files }, { ...figures, format: params.format });
    },

    getSourceStats: async ({ query: { time_range, from, to } }) => {
      const { sourceStatistics } = await sourceFigures();
      return sourceStatisticsAnswer(await sourceStatistics(deps, { days: time_range, from, to }));
    },

    getLatencies: async () => {
      const { latencyRanges } = await latency();
      return latenciesAnswer(await latencyRanges(deps));
    },

    getStatus: async () => {
      const { publicLatencies } = await latency();
      return statusAnswer(await publicLatencies(deps));
    },

    getChecklist: async ({ params }) => {
      const { checklistAnswer } = await import('#functions/api/insights/checklist');
      return checklistAnswer(deps, table, params.buyerId);
    },

    listSilentSources: async () => {
      const { silentSources } = await sourceFigures();
      return silentSourcesAnswer(await silentSources(deps));
    },

    exportAccounting: async ({ params, query }) => {
      const { exportAccounting } = await exporting();
      const { accountingLines } = await import('#functions/domain/statistics/accounting');
      const rows = await accountingLines(deps, query);
      return exportAccounting({ files }, { ...query, rows, format: params.format });
    },

    simulate: async ({ body }) => {
      const { simulate } = await import('#functions/domain/statistics/simulation');
      return simulationAnswer(
        await simulate(deps, {
          days: body.days,
          buyers: body.buyers.map((changed) => ({
            buyerId: changed.buyer_id,
            weight: hundredths(changed.probability),
            minimum: hundredths(changed.min_investment),
            limit: changed.lead_limit,
          })),
        }),
      );
    },

    listAudit: async ({ query }) => {
      const { entries, nextCursor } = await listAudit(deps, {
        looks: query.kind === 'looks',
        entity: query.entity,
        entityId: query.entity_id,
        limit: query.limit,
        cursor: query.cursor,
      });
      return { entries: entries.map(auditRow), next_cursor: nextCursor };
    },

    getStatement: async ({ params: { buyerId } }) => {
      const { statementAnswer } = await statement();
      return statementAnswer(await statementOf(buyerId), runtime.now());
    },

    downloadStatement: async ({ params: { buyerId, format } }) => {
      const { exportStatement } = await statement();
      return exportStatement({ files }, await statementOf(buyerId), format, runtime.now());
    },

    search: async ({ query }) => {
      const { search } = await import('#functions/domain/leads/search');
      return searchAnswer(await search(deps, query.q));
    },
  });
}

function statisticsQuery({
  time_range,
  from,
  to,
  buyer_id,
}: Parsed<'exportBuyerStats', 'query'>): BuyerStatisticsQuery {
  return { days: time_range, from, to, buyerId: buyer_id };
}
