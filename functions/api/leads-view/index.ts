import { exportLeads } from '#functions/api/common/exports';
import { exportStatement, statementAnswer } from '#functions/api/common/statement';
import { shareAnswer, viewAnswer } from '#functions/api/leads-view/answers';
import type { FunctionEnvironment } from '#functions/api/leads-view/environment';
import type { Session } from '#functions/data/administration/admin';
import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createPoolStore } from '#functions/data/distribution/pool-store';
import { createLeadStore } from '#functions/data/leads/lead-store';
import { createListViewStore } from '#functions/data/orders/list-view-store';
import { createOrderStore } from '#functions/data/orders/order-store';
import { createReplacementStore } from '#functions/data/orders/replacement-store';
import { createAccountStore } from '#functions/data/statistics/accounts';
import { createStatisticsStore } from '#functions/data/statistics/statistics-store';
import { openTable } from '#functions/data/table/open-table';
import { createLookRecorder } from '#functions/domain/common/looks';
import { openOrderOf, viewLeads } from '#functions/domain/leads/leads-view';
import { digest, parseTag, tagText } from '#functions/domain/leads/list-tag';
import { statementOf } from '#functions/domain/orders/statement';
import { buyerShare } from '#functions/domain/statistics/share';
import { createS3FileStore } from '#functions/exports/s3-file-store';
import { type ApiHandler, createApi, type Request, WithTag } from '#functions/http/api';
import { createApiDeps } from '#functions/http/deps';
import { linkVisitor } from '#functions/http/link-cookie';
import type { Runtime } from '#functions/runtime';
import { leadsViewSchemas } from '#shared/contract/schemas/leads-view';
import type { ExportFormat, LeadType } from '#shared/rules/constants';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const table = openTable(environment, runtime);
  const deps = {
    leads: createLeadStore(table),
    orders: createOrderStore(table),
    listViews: createListViewStore(table),
    buyers: createBuyerStore(table),
    pool: createPoolStore(table),
    statistics: createStatisticsStore(table),
    accounts: createAccountStore(table),
    replacements: createReplacementStore(table),
    table,
    runtime,
  };
  const files = createS3FileStore(environment, runtime);
  const api = createApiDeps(environment, runtime, table);
  const visitor = (session: Session | null, cookies: ReadonlyMap<string, string>) =>
    linkVisitor(api.keys, { session, cookies }, runtime.now());

  const record = createLookRecorder(deps);
  const recordLook = async (session: Session | null, action: string, entityId: number) => {
    if (session !== null) await record({ who: session.username, action, entity: 'order', entityId });
  };

  const download = async (
    { session, cookies }: Pick<Request<'exportLeads'>, 'session' | 'cookies'>,
    { token, format, part }: { token: string; format: ExportFormat; part?: LeadType },
  ) => {
    const { order } = await openOrderOf(deps, token, visitor(session, cookies));
    await recordLook(session, 'exported', order.order_id);
    const leads = await deps.leads.ofOrder(order.order_id, order.last_sequence);
    return exportLeads({ files }, { number: order.buyer_order_number, leads, format, part });
  };

  return createApi('leads-view', leadsViewSchemas, api, {
    viewLeads: async ({ params, query: { newest }, session, cookies, ifNoneMatch }) => {
      const admin = session !== null;
      const known = parseTag(ifNoneMatch);
      const { orderId, view, tag } = await viewLeads(deps, params.token, visitor(session, cookies), {
        known,
        newest,
      });
      await recordLook(session, 'link_opened', orderId);
      return new WithTag(view && viewAnswer(view, admin, runtime.now()), tag && tagText(tag));
    },
    exportLeads: (request) => download(request, request.params),
    exportLeadsPart: (request) => download(request, request.params),
    viewShare: async ({ params, session, cookies, ifNoneMatch }) => {
      const { order, buyer } = await openOrderOf(deps, params.token, visitor(session, cookies));
      return unlessKnown(shareAnswer(await buyerShare(deps, buyer, order, runtime.now())), ifNoneMatch);
    },
    viewStatement: async ({ params, session, cookies, ifNoneMatch }) => {
      const { buyer } = await openOrderOf(deps, params.token, visitor(session, cookies));
      return unlessKnown(statementAnswer(await statementOf(deps, buyer), runtime.now()), ifNoneMatch);
    },
    exportStatement: async ({ params: { token, format }, session, cookies }) => {
      const { order, buyer } = await openOrderOf(deps, token, visitor(session, cookies));
      await recordLook(session, 'exported', order.order_id);
      return exportStatement({ files }, await statementOf(deps, buyer), format, runtime.now());
    },
  });
}

/** An answer with a tag of its content; none where the caller has it already. */
function unlessKnown<Answer>(answer: Answer, known: string | undefined): WithTag<Answer> {
  const tag = `"${digest(answer)}"`;
  return new WithTag(known?.includes(tag) ? undefined : answer, tag);
}
