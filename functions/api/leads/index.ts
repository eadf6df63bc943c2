import { proofFile } from '#functions/api/common/consent-proofs';
import { editOf, personOf } from '#functions/api/common/person';
import { detailsAnswer } from '#functions/api/leads/answers';
import type { FunctionEnvironment } from '#functions/api/leads/environment';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as consentStore from '#functions/data/leads/consent';
import { displayId } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import { createAccessRecorder } from '#functions/domain/common/access-entries';
import { conflict, notFound, personErased } from '#functions/domain/common/errors';
import { requireConsent } from '#functions/domain/distribution/consent';
import { ingest } from '#functions/domain/distribution/distribution';
import { ingestOnce } from '#functions/domain/distribution/intake';
import { leadDetails } from '#functions/domain/leads/lead-details';
import { deleteLead, editLead } from '#functions/domain/leads/leads';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiContext } from '#functions/http/context';
import { answered } from '#functions/http/message';
import { createDistribution } from '#functions/platform/distribution';
import { createFingerprints } from '#functions/platform/fingerprints';
import { linkOf } from '#functions/platform/links';
import type { Runtime } from '#functions/platform/runtime';
import { leadSchemas } from '#shared/contract/schemas/leads';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const baseUrl = environment.PUBLIC_BASE_URL;
  const api = createApiContext(environment, runtime);
  const context = {
    ...api,
    ...createDistribution(environment, runtime, api.table, createFingerprints(api.personKey)),
  };
  const recordAccess = createAccessRecorder(api);

  return createApi('leads', leadSchemas, api, {
    createLead: async ({ body, idempotencyKey: key }) => {
      const began = runtime.now().getTime();
      const person = personOf(body);
      const consent = body.consent && requireConsent(body.consent, runtime.now());
      const result = await (key === undefined
        ? ingest(context, person, body.buyer_id, { lead_id: runtime.newId(), consent })
        : ingestOnce(context, key, person, body.buyer_id, consent));
      runtime.metrics.record('IntakeMilliseconds', runtime.now().getTime() - began, {});
      switch (result.status) {
        case 'assigned':
          return {
            lead_id: result.lead_id,
            status: 'assigned' as const,
            message: `Lead assigned to ${result.buyer_id}`,
            buyer: result.buyer_id,
            excel_link: linkOf(baseUrl, result.order),
            display_id: displayId({ order_id: result.order.order_id, sequence: result.sequence }),
          };
        case 'pending':
          return {
            lead_id: result.lead_id,
            status: 'ineligible' as const,
            message: 'Lead marked as ineligible',
            reason: result.reason,
          };
        case 'overtaken':
          throw conflict('taken_over', 'Lead stored, distribution in progress');
      }
    },

    getLead: async ({ params: { leadId }, who }) => {
      const details = await leadDetails(context, leadId);
      await recordAccess({ who, action: 'opened', entity: 'lead', entityId: leadId });
      return { lead: detailsAnswer(baseUrl, details) };
    },

    downloadConsentProof: async ({ params: { leadId, format }, who }) => {
      const [lead, item] = await Promise.all([leadStore.get(api, leadId), consentStore.get(api, leadId)]);
      if (lead === undefined) throw notFound('Lead');
      if (lead.erased_at !== undefined) throw personErased();
      if (lead.consent === undefined || item === undefined) throw notFound('Consent');
      await recordAccess({ who, action: 'exported', entity: 'lead', entityId: leadId });
      const buyer = lead.buyer === undefined ? undefined : await buyerStore.get(api, lead.buyer);
      return proofFile(api, { lead, item, buyer }, format);
    },

    updateLead: async ({ params, body, who }) => {
      const { expected, ...change } = body;
      await editLead(context, who, params.leadId, editOf(change), expected && editOf(expected));
      return { message: 'Lead saved' };
    },

    deleteLead: ({ params, who }) => answered('Lead deleted', deleteLead(context, who, params.leadId)),
  });
}
