import { proofFile, proofsFile } from '#functions/api/common/consent-proofs';
import { consentRow } from '#functions/api/common/consent-row';
import { exportLeads } from '#functions/api/common/exports';
import { exportStatement, statementAnswer } from '#functions/api/common/statement';
import { shareAnswer, viewAnswer } from '#functions/api/leads-view/answers';
import type { FunctionEnvironment } from '#functions/api/leads-view/environment';
import type { Session } from '#functions/data/administration/admin';
import { companyDetails } from '#functions/data/administration/company';
import { consentItemsOf, consentWithWording } from '#functions/data/leads/consent';
import * as leadLists from '#functions/data/leads/lead-lists';
import { createAccessRecorder } from '#functions/domain/common/access-entries';
import { notFound } from '#functions/domain/common/errors';
import { listedConsent, openOrderOf, viewLeads } from '#functions/domain/leads/leads-view';
import { digest, parseTag, tagText } from '#functions/domain/leads/list-tag';
import { statementOf } from '#functions/domain/orders/statement';
import { buyerShare } from '#functions/domain/statistics/share';
import { createS3FileStore } from '#functions/exports/s3-file-store';
import { type ApiHandler, createApi, type Request, WithTag } from '#functions/http/api';
import { createApiContext } from '#functions/http/context';
import type { Runtime } from '#functions/platform/runtime';
import { leadsViewSchemas } from '#shared/contract/schemas/leads-view';
import type { ExportFormat, LeadType } from '#shared/rules/constants';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const context = createApiContext(environment, runtime);
  const files = createS3FileStore(environment, runtime);

  const record = createAccessRecorder(context);
  const recordAccess = async (session: Session | null, action: string, entityId: number) => {
    if (session !== null) await record({ who: session.username, action, entity: 'order', entityId });
  };

  const download = async (
    { session, visitor }: Pick<Request<'exportLeads'>, 'session' | 'visitor'>,
    { token, format, part }: { token: string; format: ExportFormat; part?: LeadType },
  ) => {
    const { order } = await openOrderOf(context, token, visitor);
    await recordAccess(session, 'exported', order.order_id);
    const leads = await leadLists.ofOrder(context, order.order_id, order.last_sequence);
    const consents = await consentItemsOf(context, leads);
    return exportLeads({ files }, { number: order.buyer_order_number, leads, format, part, consents });
  };

  return createApi('leads-view', leadsViewSchemas, context, {
    getCompany: () => companyDetails(context),
    viewLeads: async ({ params: { token }, query: { newest }, session, visitor, ifNoneMatch }) => {
      const admin = session !== null;
      const known = parseTag(ifNoneMatch);
      const { orderId, view, tag } = await viewLeads(context, token, visitor, { known, newest });
      await recordAccess(session, 'link_opened', orderId);
      return new WithTag(view && viewAnswer(view, admin, runtime.now()), tag && tagText(tag));
    },
    viewLeadConsent: async ({ params: { token, leadId }, session, visitor }) => {
      const { lead, item } = await listedConsent(context, token, visitor, leadId);
      await recordAccess(session, 'link_opened', lead.order_id);
      const consent = await consentWithWording(context, leadId, item);
      if (consent === undefined) throw notFound('Consent');
      return consentRow(consent);
    },
    exportConsentProof: async ({ params: { token, leadId, format }, session, visitor }) => {
      const found = await listedConsent(context, token, visitor, leadId);
      await recordAccess(session, 'exported', found.lead.order_id);
      return proofFile(context, found, format);
    },
    exportConsentProofs: async ({ params: { token, part }, session, visitor }) => {
      const { order } = await openOrderOf(context, token, visitor);
      await recordAccess(session, 'exported', order.order_id);
      return proofsFile({ ...context, files }, order, part);
    },
    exportLeads: (request) => download(request, request.params),
    exportLeadsPart: (request) => download(request, request.params),
    viewShare: async ({ params, visitor, ifNoneMatch }) => {
      const { order, buyer } = await openOrderOf(context, params.token, visitor);
      return unlessKnown(shareAnswer(await buyerShare(context, buyer, order, runtime.now())), ifNoneMatch);
    },
    viewStatement: async ({ params, visitor, ifNoneMatch }) => {
      const { buyer } = await openOrderOf(context, params.token, visitor);
      return unlessKnown(statementAnswer(await statementOf(context, buyer), runtime.now()), ifNoneMatch);
    },
    exportStatement: async ({ params: { token, format }, session, visitor }) => {
      const { order, buyer } = await openOrderOf(context, token, visitor);
      await recordAccess(session, 'exported', order.order_id);
      return exportStatement({ files }, await statementOf(context, buyer), format, runtime.now());
    },
  });
}

/** Empty if the caller has this content already. */
function unlessKnown<Answer>(answer: Answer, known: string | undefined): WithTag<Answer> {
  const tag = `"${digest(answer)}"`;
  return new WithTag(known?.includes(tag) ? undefined : answer, tag);
}
