import { hundredths } from '#functions/api/common/hundredths';
import { leadRow } from '#functions/api/common/person';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context } from '#functions/data/context';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import { assignmentOf, displayId, type Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as sourceStore from '#functions/data/sources/source-store';
import { conflict, notFound } from '#functions/domain/common/errors';
import { type LeadFilter, listLeads } from '#functions/domain/statistics/lead-list';
import type { LeadRow as LeadFields } from '#shared/contract/rows/lead-person';
import type { Answer, Parsed } from '#shared/contract/schemas';
import { consentsToCalls } from '#shared/rules/consent';
import { type DeliveryStatus, LEAD_ROW_STATUSES } from '#shared/rules/constants';

type Query = Parsed<'exportLeadRows', 'query'>;
type Listed = Answer<'listLeads'>;
type Row = Omit<Listed['leads'][number], 'vorname' | 'nachname' | 'anlagebetrag' | 'laufzeit'>;

export async function listedLeads(context: Context, query: Query): Promise<Listed> {
  const { leads, ...list } = await pageOf(context, query);
  return {
    ...list,
    leads: leads.map(({ person: { vorname, nachname, anlagebetrag, laufzeit }, row }) => ({
      vorname,
      nachname,
      anlagebetrag,
      laufzeit,
      ...row,
    })),
  };
}

export async function exportedLeads(context: Context, query: Query): Promise<Answer<'exportLeadRows'>> {
  const { leads, ...list } = await pageOf(context, query);
  return { ...list, leads: leads.map(({ person, row }) => ({ ...person, ...row })) };
}

interface Page extends Omit<Listed, 'leads'> {
  readonly leads: readonly { readonly person: LeadFields; readonly row: Row }[];
}

async function pageOf(context: Context, query: Query): Promise<Page> {
  const states = await unfinishedOf(context);
  if (states === undefined && query.delivery !== undefined)
    throw conflict('too_many_deliveries', 'Too many deliveries are open to filter by their state');
  const stateOf = (leadId: string) => states?.get(leadId) ?? 'delivered';
  const { rows, next, total, asOf } = await listLeads(context, {
    filter: await filterOf(context, query, stateOf),
    sort: query.sort,
    descending: query.direction === 'desc',
    limit: query.limit,
    cursor: query.cursor,
    counts: query.count === 'yes',
  });
  const leads = await leadStore.ofEach(context, rows);
  const ids = leads.flatMap((lead) => lead?.buyer ?? []);
  const buyers = await buyerStore.getMany(context, ids);
  const sources = await sourceStore.names(
    context,
    rows.flatMap(({ source }) => source ?? []),
  );
  return {
    leads: rows.map((row, at) => {
      const lead = leads[at];
      const { source } = row;
      return {
        person: leadRow(lead ?? { anlagebetrag: row.amount, laufzeit: row.term }),
        row: {
          lead_id: row.lead_id,
          received_at: new Date(row.at).toISOString(),
          ...assignedRow(lead, buyers),
          status: LEAD_ROW_STATUSES.find((status) => status === lead?.status) ?? row.state,
          reason: lead?.status === 'pending' ? (lead.reason ?? null) : null,
          source:
            source === undefined ? null : { source_id: source, name: sources.get(source) ?? `${source}` },
          delivery: lead?.status !== 'assigned' || states === undefined ? null : stateOf(row.lead_id),
          claim_status: lead?.claim_status ?? row.claim?.status ?? null,
          consent: lead === undefined ? row.consents : consentsToCalls(lead.consent),
        },
      };
    }),
    next_cursor: next,
    total,
    as_of: asOf.toISOString(),
  };
}

function assignedRow(lead: Lead | undefined, buyers: ReadonlyMap<number, { readonly buyer_id: string }>) {
  const assigned = lead?.status === 'assigned' ? assignmentOf(lead) : undefined;
  if (assigned === undefined)
    return { display_id: null, assigned_at: null, buyer_id: null, order_id: null, lead_type: null };
  const { assigned_at, buyer, order_id, lead_type } = assigned;
  return {
    display_id: displayId(assigned),
    assigned_at,
    buyer_id: buyers.get(buyer)?.buyer_id ?? null,
    order_id,
    lead_type,
  };
}

async function filterOf(
  context: Context,
  query: Query,
  stateOf: (leadId: string) => DeliveryStatus,
): Promise<LeadFilter> {
  const buyer = query.buyer_id === undefined ? undefined : await buyerStore.byId(context, query.buyer_id);
  if (query.buyer_id !== undefined && buyer === undefined) throw notFound('Buyer');
  const { delivery, amount_from, amount_to } = query;
  return {
    from: query.from,
    to: query.to,
    by: query.by,
    source: query.source,
    buyer: buyer?.buyer,
    order: query.order_id,
    status: query.status,
    type: query.lead_type,
    amountFrom: amount_from === undefined ? undefined : hundredths(amount_from),
    amountTo: amount_to === undefined ? undefined : hundredths(amount_to),
    claim: query.claim,
    consents: query.consent === undefined ? undefined : query.consent === 'yes',
    isDelivered: delivery === undefined ? undefined : (leadId) => stateOf(leadId) === delivery,
  };
}

const MAX_UNFINISHED = 5000;

/** States of the deliveries that have not arrived. @returns undefined for too many, as while a partner is down */
async function unfinishedOf(context: Context): Promise<ReadonlyMap<string, DeliveryStatus> | undefined> {
  const states = new Map<string, DeliveryStatus>();
  for await (const page of deliveryStore.unfinished(context)) {
    for (const { leadId, status } of page) states.set(leadId, status);
    if (states.size > MAX_UNFINISHED) return undefined;
  }
  return states;
}
