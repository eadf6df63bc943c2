import { editOf, personOf } from '#functions/api/common/person';
import { detailsAnswer } from '#functions/api/leads/answers';
import type { FunctionEnvironment } from '#functions/api/leads/environment';
import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createClaimStore } from '#functions/data/claims/claim-store';
import { createAddressStore } from '#functions/data/deliveries/address-store';
import { createIntakeKeyStore } from '#functions/data/leads/idempotency-key-store';
import { displayId } from '#functions/data/leads/lead';
import { createListViewStore } from '#functions/data/orders/list-view-store';
import { createReplacementStore } from '#functions/data/orders/replacement-store';
import { openTable } from '#functions/data/table/open-table';
import { createDistribution } from '#functions/distribution';
import { conflict } from '#functions/domain/common/errors';
import { createLookRecorder } from '#functions/domain/common/looks';
import { takeIn } from '#functions/domain/distribution/distribution';
import { takeInOnce } from '#functions/domain/distribution/intake';
import { leadDetails } from '#functions/domain/leads/lead-details';
import { deleteLead, editLead } from '#functions/domain/leads/leads';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiDeps } from '#functions/http/deps';
import { linkOf } from '#functions/links';
import type { Runtime } from '#functions/runtime';
import { leadSchemas } from '#shared/contract/schemas/leads';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const table = openTable(environment, runtime);
  const baseUrl = environment.PUBLIC_BASE_URL;
  const distribution = createDistribution(environment, runtime, table);
  const api = createApiDeps(environment, runtime, table);
  const deps = {
    ...distribution,
    buyers: createBuyerStore(table),
    intakeKeys: createIntakeKeyStore(table),
    claims: createClaimStore(table),
    listViews: createListViewStore(table),
    replacements: createReplacementStore(table),
    addresses: createAddressStore(table, async () => (await api.keys()).person),
  };
  const recordLook = createLookRecorder({ table, runtime });

  return createApi('leads', leadSchemas, api, {
    createLead: async ({ body, idempotencyKey: key }) => {
      const began = runtime.now().getTime();
      const person = personOf(body);
      const result = await (key === undefined
        ? takeIn(distribution, person, body.buyer_id)
        : takeInOnce(deps, key, person, body.buyer_id));
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
          throw conflict('taken_over', 'The lead was stored and is being distributed');
      }
    },

    getLead: async ({ params: { leadId }, session }) => {
      const details = await leadDetails(deps, leadId);
      await recordLook({ who: session.username, action: 'opened', entity: 'lead', entityId: leadId });
      return { lead: detailsAnswer(baseUrl, details) };
    },

    updateLead: async ({ params, body, session }) => {
      const { seen, ...change } = body;
      await editLead(deps, session.username, params.leadId, editOf(change), seen && editOf(seen));
      return { message: 'Lead updated' };
    },

    deleteLead: async ({ params, session }) => {
      await deleteLead(deps, session.username, params.leadId);
      return { message: 'Lead deleted' };
    },
  });
}
