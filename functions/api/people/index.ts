import {
  confirmationRow,
  erasureRow,
  personLeadRow,
  receivedRow,
  sectionsOf,
} from '#functions/api/people/answers';
import { certificateFile } from '#functions/api/people/certificate';
import type { FunctionEnvironment } from '#functions/api/people/environment';
import { informationFile } from '#functions/api/people/information';
import { writeCursor } from '#functions/data/table/cursor';
import { createAccessRecorder } from '#functions/domain/common/access-entries';
import { pageStart } from '#functions/domain/common/page-start';
import {
  beginErasure,
  confirmByToken,
  confirmForRecipient,
  continueErasure,
  erasureInFull,
  listErasures,
  recipientOfToken,
  remindRecipient,
} from '#functions/domain/leads/erasures';
import { findPeople, personView } from '#functions/domain/leads/people';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiContext } from '#functions/http/context';
import { answered } from '#functions/http/message';
import { createErasures } from '#functions/platform/erasure';
import { errorFields } from '#functions/platform/logger';
import type { Runtime } from '#functions/platform/runtime';
import { peopleSchemas } from '#shared/contract/schemas/people';

const LIST = 'erasures';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const api = createApiContext(environment, runtime);
  const context = createErasures(environment, runtime, api.table, api.keys);

  const recordAccess = createAccessRecorder(api);
  /** The admin's look is recorded. */
  const looked = async (who: string, action: 'opened' | 'exported', leads: string) => {
    const view = await personView(context, leads.split(','));
    await Promise.all(
      view.leads.map(({ lead_id }) => recordAccess({ who, action, entity: 'lead', entityId: lead_id })),
    );
    return view;
  };

  return createApi('people', peopleSchemas, api, {
    findPeople: async ({ query }) => {
      const { groups, buyers, more } = await findPeople(context, query.q);
      return {
        people: groups.map(({ leads }) => ({ leads: leads.map((lead) => personLeadRow(lead, buyers)) })),
        more,
      };
    },

    getPerson: async ({ query, session }) => {
      const view = await looked(session.username, 'opened', query.leads);
      return {
        leads: view.leads.map((lead) => personLeadRow(lead, view.buyers, view.sources)),
        received: view.received.map((received) => receivedRow(received, view.buyers)),
        sections: sectionsOf(view.traces),
        files: view.files,
      };
    },

    exportPerson: async ({ params, query, session }) => {
      const view = await looked(session.username, 'exported', query.leads);
      return informationFile(view, params.format, runtime.now());
    },

    beginErasure: async ({ body, session }) => {
      const begun = await beginErasure(context, session.username, body.lead_ids);
      try {
        await continueErasure(context, begun);
      } catch (error) {
        // It is stored: the reconciliation continues it within a minute.
        runtime.log.warn('erasure interrupted', { erasure: begun.erasure_id, ...errorFields(error) });
      }
      return {
        message: 'Person erased',
        erasure: erasureRow(await erasureInFull(context, begun.erasure_id)),
      };
    },

    listErasures: async ({ query: { limit, cursor } }) => {
      const after = pageStart(cursor, LIST);
      const page = await listErasures(context, { limit, after });
      return {
        erasures: page.erasures.map(erasureRow),
        next_cursor: page.next === undefined ? null : writeCursor(page.next, LIST),
      };
    },

    getErasure: async ({ params }) => ({
      erasure: erasureRow(await erasureInFull(context, params.erasureId)),
    }),

    exportErasure: async ({ params }) =>
      certificateFile(await erasureInFull(context, params.erasureId), runtime.now()),

    remindOfErasure: ({ params }) =>
      answered(`Reminder sent to ${params.buyer}`, remindRecipient(context, params.erasureId, params.buyer)),

    confirmErasureForBuyer: ({ params, session }) =>
      answered(
        `Confirmation by ${params.buyer} recorded`,
        confirmForRecipient(context, session.username, params.erasureId, params.buyer),
      ),

    viewErasureConfirmation: async ({ params }) =>
      confirmationRow(await recipientOfToken(context, params.token)),

    confirmErasure: async ({ params }) => confirmationRow(await confirmByToken(context, params.token)),
  });
}
