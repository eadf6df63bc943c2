import { hundredths, hundredthsOrNull } from '#functions/api/common/hundredths';
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
import * as auditChainStore from '#functions/data/administration/audit-chain-store';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import { createOrderCache } from '#functions/data/orders/order-cache';
import { createAccessRecorder } from '#functions/domain/common/access-entries';
import { listAudit } from '#functions/domain/common/audit';
import { notFound } from '#functions/domain/common/errors';
import { dashboardStats, isFirstLeadDelivered } from '#functions/domain/statistics/dashboard';
import { createS3FileStore } from '#functions/exports/s3-file-store';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiContext } from '#functions/http/context';
import type { Runtime } from '#functions/platform/runtime';
import type { Parsed } from '#shared/contract/schemas';
import { insightSchemas } from '#shared/contract/schemas/insights';

/** Loaded on demand, because few calls need them. */
const latency = () => import('#functions/domain/statistics/latency');
const sourceFigures = () => import('#functions/domain/statistics/source-statistics');
const exporting = () => import('#functions/api/insights/exports');
const buyerFigures = () => import('#functions/domain/statistics/buyer-statistics');
const leadList = () => import('#functions/api/insights/lead-list');
const statement = () => import('#functions/api/common/statement');

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const api = createApiContext(environment, runtime);
  const recordAccess = createAccessRecorder(api);
  const files = createS3FileStore(environment, runtime);
  const context = {
    ...api,
    orderCache: createOrderCache(api.table, runtime.now),
    publicFigures: {},
    firstDelivery: { known: false },
  };

  /** Also for deleted buyers. */
  const statementOf = async (buyerId: string) => {
    const buyer = await buyerStore.byId(context, buyerId);
    if (buyer === undefined) throw notFound('Buyer');
    const account = await import('#functions/domain/orders/statement');
    return account.statementOf(context, buyer);
  };

  const dashboard = async () => {
    const [stats, delivered] = await Promise.all([dashboardStats(context), isFirstLeadDelivered(context)]);
    return dashboardAnswer(stats, delivered);
  };

  return createApi('insights', insightSchemas, api, {
    getDashboardStats: dashboard,

    getDashboardInitialData: async () => {
      const { initialData } = await import('#functions/api/insights/initial-data');
      const now = runtime.now();
      return initialData({ ...context, keys: api.keys }, environment.PUBLIC_BASE_URL, now, dashboard());
    },

    getBuyerStats: async ({ query }) => {
      const { buyerStatistics } = await buyerFigures();
      return buyerStatisticsAnswer(
        await buyerStatistics(context, { ...statisticsQuery(query), compare: query.compare === 'previous' }),
      );
    },

    exportBuyerStats: async ({ params, query }) => {
      const { exportStatistics } = await exporting();
      const { buyerStatistics } = await buyerFigures();
      const figures = await buyerStatistics(context, statisticsQuery(query));
      return exportStatistics({ files }, { ...figures, format: params.format });
    },

    getSourceStats: async ({ query }) => {
      const { sourceStatistics } = await sourceFigures();
      return sourceStatisticsAnswer(await sourceStatistics(context, rangeQuery(query)));
    },

    getLatencies: async ({ query }) => {
      const { latencies } = await latency();
      return latenciesAnswer(await latencies(context, rangeQuery(query)));
    },

    exportLatencies: async ({ params, query }) => {
      const { exportLatencies } = await exporting();
      const { latencies } = await latency();
      return exportLatencies({ files }, await latencies(context, rangeQuery(query)), params.format);
    },

    getStatus: async () => {
      const { publicLatencies } = await latency();
      return statusAnswer(await publicLatencies(context));
    },

    listConsentCheckpoints: async ({ query }) => {
      const [{ proofSigner }, found] = await Promise.all([
        api.keys(),
        auditChainStore.published(context, query.before),
      ]);
      return {
        keys: [...new Set([proofSigner().key, ...found.map(({ key }) => key)])],
        checkpoints: found.map(({ link, hash, sealed_at }) => ({ link, hash, sealed_at })),
      };
    },

    getChecklist: async ({ params }) => {
      const { checklistAnswer } = await import('#functions/api/insights/checklist');
      return checklistAnswer(context, params.buyerId);
    },

    listSilentSources: async () => {
      const { silentSources } = await sourceFigures();
      return silentSourcesAnswer(await silentSources(context));
    },

    exportAccounting: async ({ params, query }) => {
      const { exportAccounting } = await exporting();
      const { accountingLines } = await import('#functions/domain/statistics/accounting');
      const { sourceMonths } = await sourceFigures();
      const [buyers, sources] = await Promise.all([
        accountingLines(context, query),
        sourceMonths(context, query),
      ]);
      return exportAccounting({ files }, { ...query, buyers, sources, format: params.format });
    },

    simulate: async ({ body }) => {
      const { simulate } = await import('#functions/domain/statistics/simulation');
      return simulationAnswer(
        await simulate(context, {
          days: body.days,
          buyers: body.buyers.map((changed) => ({
            buyerId: changed.buyer_id,
            weight: hundredths(changed.probability),
            minimum: hundredths(changed.min_investment),
            maximum: hundredthsOrNull(changed.max_investment),
            minTerm: changed.min_term,
            maxTerm: changed.max_term,
            allowed: changed.sources_allowed,
            excluded: changed.sources_excluded,
            limit: changed.lead_limit,
            consent: changed.requires_consent,
          })),
        }),
      );
    },

    listAudit: async ({ query }) => {
      const { entries, nextCursor } = await listAudit(context, {
        accesses: query.kind === 'accesses',
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

    listLeads: async ({ query }) => {
      const { listedLeads } = await leadList();
      return listedLeads(context, query);
    },

    exportLeadRows: async ({ query, who }) => {
      const { exportedLeads } = await leadList();
      await recordAccess({ who, action: 'exported', entity: 'lead', entityId: 'list' });
      return exportedLeads(context, query);
    },

    search: async ({ query }) => {
      const { search } = await import('#functions/domain/leads/search');
      return searchAnswer(await search(context, query.q));
    },
  });
}

const rangeQuery = ({ time_range, from, to }: Parsed<'getLatencies', 'query'>) => ({
  days: time_range,
  from,
  to,
});

const statisticsQuery = ({ buyer_id, ...range }: Parsed<'exportBuyerStats', 'query'>) => ({
  ...rangeQuery(range),
  buyerId: buyer_id,
});
