import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import { displayId } from '#functions/data/leads/lead';
import { formatEuroShort } from '#shared/rules/formats';
import type { LeadMacro } from '#shared/rules/macros';

/** The part of a payload that is the lead's own. */
export type SentLead = Pick<DeliveryPayload, 'lead_id' | 'person'> & {
  readonly delivery: Pick<DeliveryPayload['delivery'], 'order_id' | 'sequence'>;
};

/** What a lead offers to mappings, for machines: amounts in euro with a dot, months as a number. */
export function machineValues(payload: SentLead): Record<LeadMacro, string> {
  const { person, delivery } = payload;
  return {
    anrede: person.anrede,
    vorname: person.vorname,
    nachname: person.nachname,
    email: person.email,
    telefon: person.telefon,
    anlagebetrag: String(person.anlagebetrag / 100),
    laufzeit: String(person.laufzeit),
    src: person.src ?? '',
    clickId: person.clickId ?? '',
    lead_id: payload.lead_id,
    order_lead_id: displayId(delivery),
    order_id: String(delivery.order_id),
    lead_sequence: String(delivery.sequence),
  };
}

/** The same for people: amounts in euro as Germans write them. */
export function readableValues(payload: SentLead): Record<LeadMacro, string> {
  return { ...machineValues(payload), anlagebetrag: readableAmount(payload.person.anlagebetrag) };
}

/** `25.000` or `25.000,50`, without a currency sign. @param cents whole cents */
export function readableAmount(cents: number): string {
  return formatEuroShort(cents / 100).replace(/\s*€$/, '');
}

/** `{partner's field: our field}` filled with the lead's values; empty ones and unknown names are left out. */
export function mapped(
  mapping: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, source] of Object.entries(mapping)) {
    const value = Object.hasOwn(values, source) ? values[source] : undefined;
    if (value !== undefined && value !== '') result[name] = value;
  }
  return result;
}
