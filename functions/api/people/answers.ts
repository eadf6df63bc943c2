import { consentRow } from '#functions/api/common/consent-row';
import type { Buyer } from '#functions/data/buyers/buyer';
import type { Recipient } from '#functions/data/leads/erasure-store';
import type { KnownList } from '#functions/data/leads/known-people-store';
import { assignmentOf, displayId, type Lead } from '#functions/data/leads/lead';
import { TRACED, type Trace } from '#functions/data/leads/traces';
import { personalFields } from '#functions/data/personal';
import type { Source } from '#functions/data/sources/source';
import type { ErasureInFull } from '#functions/domain/leads/erasures';
import type { OpenedProof } from '#functions/domain/leads/kept-consents';
import type { ReceivedLead } from '#functions/domain/leads/receivers';
import type { Answer } from '#shared/contract/schemas';
import type { ErasureRow, KeptProofRow, KnownListRow, PersonLead } from '#shared/contract/schemas/people';
import { NOBODY } from '#shared/rules/constants';
import { formatEuro } from '#shared/rules/formats';
import { EURO_FIELDS } from '#shared/rules/lead-fields';

export function personLeadRow(
  lead: Lead,
  buyers: ReadonlyMap<number, Buyer>,
  sources: ReadonlyMap<number, Source> = new Map(),
): PersonLead {
  const assignment = assignmentOf(lead);
  return {
    ...lead,
    display_id: assignment === undefined ? null : displayId(assignment),
    delivered_at: assignment?.assigned_at ?? null,
    buyer_id: lead.buyer === undefined ? null : (buyers.get(lead.buyer)?.buyer_id ?? String(lead.buyer)),
    source: (lead.source === undefined ? lead.src : sources.get(lead.source)?.name) ?? lead.src ?? null,
    erased_at: lead.erased_at ?? null,
    withdrawn_at: lead.withdrawn_at ?? null,
  };
}

export const receivedRow = (
  received: ReceivedLead,
  buyers: ReadonlyMap<number, Buyer>,
): Answer<'getPerson'>['received'][number] => ({
  lead_id: received.lead_id,
  number: displayId(received),
  buyer_id: buyers.get(received.buyer)?.buyer_id ?? String(received.buyer),
  delivered_at: received.assigned_at,
});

export function keptProofRow(
  { consent, received, wording = '', ...proof }: OpenedProof,
  buyers: ReadonlyMap<number, Buyer>,
): KeptProofRow {
  return {
    ...proof,
    withdrawn_at: proof.withdrawn_at ?? null,
    consent: { ...consent, ...consentRow({ ...consent, text: wording }) },
    received: received.map(({ buyer, ...one }) => ({
      ...one,
      buyer_id: buyers.get(buyer)?.buyer_id ?? String(buyer),
    })),
  };
}

export function sectionsOf(traces: readonly Trace[]): Answer<'getPerson'>['sections'] {
  return TRACED.flatMap(([kind, { schema }]) => {
    const personal = new Set(personalFields(schema));
    const items = traces
      .filter((trace) => trace.kind === kind)
      .map(({ lead_id, fields }) => ({
        lead_id,
        fields: Object.entries(fields).flatMap(([name, value]) =>
          value === undefined || value === null
            ? []
            : [{ name, value: textOf(name, value), personal: personal.has(name) }],
        ),
      }));
    return items.length === 0 ? [] : [{ kind, items }];
  });
}

export function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && EURO_FIELDS.has(name)) return formatEuro(value / 100);
  return JSON.stringify(value instanceof Set ? [...value] : value);
}

export function erasureRow({ erasure, recipients, buyers }: ErasureInFull): ErasureRow {
  return {
    ...erasure,
    way: erasure.way ?? null,
    erased_at: erasure.erased_at ?? null,
    done_at: erasure.done_at ?? null,
    recipients: recipients.map((recipient) => ({
      ...recipient,
      buyer_id: buyers.get(recipient.buyer)?.buyer_id ?? String(recipient.buyer),
      leads: leadsOf(recipient),
      notified_at: recipient.notified_at ?? null,
      confirmed_at: recipient.confirmed_at ?? null,
      confirmed_by: recipient.confirmed_by ?? null,
    })),
  };
}

const leadsOf = ({ leads }: Recipient) => leads.map(({ number, delivered_at }) => ({ number, delivered_at }));

export function confirmationRow(recipient: Recipient): Answer<'viewErasureConfirmation'> {
  const { purpose, confirmed_at = null } = recipient;
  return { purpose, leads: leadsOf(recipient), confirmed_at };
}

export const knownListRow = (
  { buyer, finished, deleting, ...list }: KnownList,
  buyerIds: ReadonlyMap<number, string | null>,
): KnownListRow => ({
  ...list,
  buyer_id: buyer === NOBODY ? null : (buyerIds.get(buyer) ?? String(buyer)),
  finished: finished === true,
  deleting: deleting === true,
});
