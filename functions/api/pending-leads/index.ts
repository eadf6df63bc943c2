import { exportPending } from '#functions/api/common/exports';
import { pendingLeadRow } from '#functions/api/common/pending-lead-row';
import { editOf } from '#functions/api/common/person';
import type { FunctionEnvironment } from '#functions/api/pending-leads/environment';
import { consentItemsOf } from '#functions/data/leads/consent';
import { displayId } from '#functions/data/leads/lead';
import { createAccessRecorder } from '#functions/domain/common/access-entries';
import { assignByHand, distributeAgain } from '#functions/domain/distribution/distribution';
import { resendConfirmation } from '#functions/domain/leads/confirmation';
import { discardLead } from '#functions/domain/leads/leads';
import { allPending, listPending } from '#functions/domain/leads/pending-leads';
import { createS3FileStore } from '#functions/exports/s3-file-store';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiContext } from '#functions/http/context';
import { answered } from '#functions/http/message';
import { createDistribution } from '#functions/platform/distribution';
import { createFingerprints } from '#functions/platform/fingerprints';
import { linkOf } from '#functions/platform/links';
import type { Runtime } from '#functions/platform/runtime';
import { pendingLeadSchemas } from '#shared/contract/schemas/pending-leads';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const api = createApiContext(environment, runtime);
  const context = createDistribution(environment, runtime, api.table, createFingerprints(api.personKey));
  const files = createS3FileStore(environment, runtime);
  const recordAccess = createAccessRecorder(api);

  return createApi('pending-leads', pendingLeadSchemas, api, {
    listPendingLeads: async ({ query }) => {
      const { leads, total } = await listPending(context, query.limit);
      return { ineligible_leads: leads.map(pendingLeadRow), total };
    },

    discardPendingLead: ({ params, who }) =>
      answered('Lead discarded', discardLead({ ...context, ...api }, who, params.leadId)),

    assignPendingLead: async ({ params, body, who }) => {
      const { buyer_id, expected, ...person } = body;
      const result = await assignByHand(context, who, params.leadId, {
        person: editOf(person),
        expected: expected && editOf(expected),
        buyerId: buyer_id,
      });
      return {
        message: `Lead assigned to ${result.buyer_id}`,
        buyer: result.buyer_id,
        excel_link: linkOf(environment.PUBLIC_BASE_URL, result.order),
        display_id: displayId({ order_id: result.order.order_id, sequence: result.sequence }),
      };
    },

    distributePendingLead: async ({ params, who }) => {
      const result = await distributeAgain(context, who, params.leadId);
      return result.status === 'assigned'
        ? {
            status: 'assigned' as const,
            message: `Lead assigned to ${result.buyer_id}`,
            buyer: result.buyer_id,
            display_id: displayId({ order_id: result.order.order_id, sequence: result.sequence }),
          }
        : { status: 'ineligible' as const, message: 'Lead is still pending', reason: result.reason };
    },

    resendConfirmation: ({ params, who }) =>
      answered('E-mail queued again', resendConfirmation(context, who, params.leadId)),

    exportPendingLeads: async ({ params, who }) => {
      const pending = await allPending(context);
      await recordAccess({ who, action: 'exported', entity: 'lead', entityId: 'pending' });
      const consents = await consentItemsOf(context, pending.leads);
      return exportPending({ files }, { ...pending, consents, format: params.format });
    },
  });
}
