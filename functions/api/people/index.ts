import { keptProofText } from '#functions/api/common/consent-proofs';
import {
  confirmationRow,
  erasureRow,
  keptProofRow,
  knownListRow,
  personLeadRow,
  receivedRow,
  sectionsOf,
} from '#functions/api/people/answers';
import { certificateFile } from '#functions/api/people/certificate';
import type { FunctionEnvironment } from '#functions/api/people/environment';
import { informationFile } from '#functions/api/people/information';
import { companyDetails } from '#functions/data/administration/company';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as keptConsentStore from '#functions/data/leads/kept-consent-store';
import * as knownPeopleStore from '#functions/data/leads/known-people-store';
import type { Lead } from '#functions/data/leads/lead';
import { writeCursor } from '#functions/data/table/cursor';
import { createAccessRecorder } from '#functions/domain/common/access-entries';
import { personErased } from '#functions/domain/common/errors';
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
import { openKeptConsent } from '#functions/domain/leads/kept-consents';
import { addPart, beginList, deleteParts } from '#functions/domain/leads/known-people';
import { findPeople, personView } from '#functions/domain/leads/people';
import { byPersonToken } from '#functions/domain/leads/person-acts';
import { withdrawConsent } from '#functions/domain/leads/withdrawal';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiContext } from '#functions/http/context';
import { answered } from '#functions/http/message';
import { createErasures } from '#functions/platform/erasure';
import { fingerprintOf, personSalt } from '#functions/platform/fingerprints';
import { errorFields } from '#functions/platform/logger';
import type { Runtime } from '#functions/platform/runtime';
import { peopleSchemas } from '#shared/contract/schemas/people';

const LIST = 'erasures';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const api = createApiContext(environment, runtime);
  const context = createErasures(environment, runtime, api.table, api.keys);

  const recordAccess = createAccessRecorder(api);
  /** Records that the admin viewed the person. */
  const accessed = async (who: string, action: 'opened' | 'exported', leads: string) => {
    const view = await personView(context, leads.split(','));
    await Promise.all(
      view.leads.map(({ lead_id }) => recordAccess({ who, action, entity: 'lead', entityId: lead_id })),
    );
    return view;
  };

  const erasureNamed = async (id: string) => ({ erasure: erasureRow(await erasureInFull(context, id)) });

  const consentLink = async (by: Parameters<typeof byPersonToken>[2]) =>
    byPersonToken(context, (await api.keys()).consentLink, by);

  return createApi('people', peopleSchemas, api, {
    findPeople: async ({ query }) => {
      const { person } = await api.keys();
      const [{ groups, buyers, more }, kept_proofs] = await Promise.all([
        findPeople(context, query.q),
        keptConsentStore.ofPerson(context, person, query.q, runtime.now()),
      ]);
      const rowsOf = (leads: readonly Lead[]) => leads.map((lead) => personLeadRow(lead, buyers));
      return { people: groups.map(({ leads }) => ({ leads: rowsOf(leads) })), more, kept_proofs };
    },

    getPerson: async ({ query, who }) => {
      const view = await accessed(who, 'opened', query.leads);
      return {
        leads: view.leads.map((lead) => personLeadRow(lead, view.buyers, view.sources)),
        received: view.received.map((received) => receivedRow(received, view.buyers)),
        sections: sectionsOf(view.traces),
        files: view.files,
      };
    },

    exportPerson: async ({ params, query, who }) => {
      const view = await accessed(who, 'exported', query.leads);
      return informationFile(view, await companyDetails(context), params.format, runtime.now());
    },

    beginErasure: async ({ body, who }) => {
      const begun = await beginErasure(context, who, body.lead_ids);
      try {
        await continueErasure(context, begun);
      } catch (error) {
        // It is stored, so the reconciliation continues it within a minute.
        runtime.log.warn('erasure interrupted', { erasure: begun.erasure_id, ...errorFields(error) });
      }
      return { message: 'Person erased', ...(await erasureNamed(begun.erasure_id)) };
    },

    withdrawConsent: async ({ body, who }) => {
      const withdrawal = await withdrawConsent(context, { who, way: 'admin' }, body.lead_ids);
      if (withdrawal === undefined) throw personErased();
      return { message: 'Consent withdrawn', ...(await erasureNamed(withdrawal.erasure_id)) };
    },

    listKnownPeople: async () => {
      const { person } = await api.keys();
      const [lists, buyers] = await Promise.all([knownPeopleStore.all(context), buyerStore.all(context)]);
      const ids = new Map(buyers.map(({ buyer, buyer_id }) => [buyer, buyer_id]));
      return { salt: personSalt(person), lists: lists.map((list) => knownListRow(list, ids)) };
    },

    beginKnownPeople: async ({ body: { buyer_id, ...named }, who }) => {
      const { list, buyerId } = await beginList(context, who, { buyerId: buyer_id, ...named });
      return { message: 'List begun', list: knownListRow(list, new Map([[list.buyer, buyerId]])) };
    },

    addKnownPeople: async ({ params, body }) => {
      const { person } = await api.keys();
      const list = await addPart(context, params.listId, {
        part: params.number,
        hashes: body.hashes.map((salted) => fingerprintOf(person, salted)),
        people: body.people,
        last: body.last,
      });
      const owner = await buyerStore.get(context, list.buyer);
      return {
        message: 'People added',
        list: knownListRow(list, new Map(owner && [[owner.buyer, owner.buyer_id]])),
      };
    },

    deleteKnownPeople: async ({ params, who }) => {
      const parts_left = await deleteParts(context, who, params.listId);
      return { message: parts_left === 0 ? 'List deleted' : 'Part of the list deleted', parts_left };
    },

    listErasures: async ({ query: { limit, cursor } }) => {
      const after = pageStart(cursor, LIST);
      const page = await listErasures(context, { limit, after });
      return {
        erasures: page.erasures.map(erasureRow),
        next_cursor: page.next === undefined ? null : writeCursor(page.next, LIST),
      };
    },

    getErasure: ({ params }) => erasureNamed(params.erasureId),

    exportErasure: async ({ params }) =>
      certificateFile(
        await erasureInFull(context, params.erasureId),
        await companyDetails(context),
        runtime.now(),
      ),

    remindOfErasure: ({ params }) =>
      answered(`Reminder sent to ${params.buyer}`, remindRecipient(context, params.erasureId, params.buyer)),

    confirmErasureForBuyer: ({ params: { erasureId, buyer }, who }) =>
      answered(`Confirmation by ${buyer} recorded`, confirmForRecipient(context, who, erasureId, buyer)),

    openKeptConsent: async ({ params, body, who }) => {
      const opened = await openKeptConsent(api, who, params.leadId, body.reason);
      const [file, buyers] = await Promise.all([
        keptProofText(api, params.leadId, opened),
        buyerStore.ofEach(context, opened.received),
      ]);
      return { proof: keptProofRow(opened, buyers), file };
    },

    viewErasureConfirmation: async ({ params }) =>
      confirmationRow(await recipientOfToken(context, params.token)),

    viewConsentLink: ({ params, address }) => consentLink({ ...params, address }),
    followConsentLink: ({ params, address }) => consentLink({ ...params, address, follow: true }),

    confirmErasure: async ({ params }) => confirmationRow(await confirmByToken(context, params.token)),
  });
}
